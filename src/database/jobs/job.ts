/** Jobs: what a kind of work that happens later declares, and what a run of it gets and decides. */
import type { Transaction } from 'kysely';
import type { z } from 'zod';
import { ScandeskError } from '../../errors.js';
import type { Owner } from '../../ownership.js';
import type { Backoff } from '../backoff.js';
import type { Schema } from '../schema.js';

/** Statements that are committed together with a change of a job. The job's row is locked before them. */
export type JobWork = (trx: Transaction<Schema>) => Promise<unknown>;

export interface Job<State> {
  readonly owner: Owner;
  /** The name of the job among those of its kind and owner. */
  readonly key: string;
  readonly state: State;
  readonly createdAt: number;
  /** The number of failures in a row. */
  readonly failures: number;
}

/** A job that this process works on, while its claim lasts. */
export interface JobRun<State> extends Job<State> {
  /** Aborted when the process stops, or the claim is lost. */
  readonly signal: AbortSignal;
  /** Stores a change of the state. @throws JobLost: the job was changed, ended, or claimed elsewhere meanwhile */
  save(change: Partial<State>, work?: JobWork): Promise<void>;
}

/** What follows a run: the next one, at `dueAt`; without it, the job has ended and its row is deleted. */
export interface NextRun<State> {
  readonly dueAt?: number;
  readonly change?: Partial<State>;
  readonly work?: JobWork;
  /** Called once all of it is committed; not where the process dies before. */
  readonly after?: () => Promise<unknown>;
}

export interface JobKind<State> {
  /** The stored state. */
  readonly state: z.ZodType<State>;
  /** The most runs at a time in a process; without room in one kind, the others go on. */
  readonly slots: number;
  /** Whether an owner's jobs run one after the other, by their keys. */
  readonly oneByOne?: boolean;
  /** The furthest that a due time can be ahead: one further ahead was written by a wrong clock, and is due now. */
  readonly longestWaitMs: number;
  /** The pauses after failures in a row; the job is given up at the last of `tries`. */
  readonly backoff: Backoff;
  readonly tries: number;
  run(job: JobRun<State>): Promise<NextRun<State>>;
  /** What follows once the job is given up, or its state cannot be read (it is undefined then); else the job just ends. */
  failed?(job: Job<State | undefined>, code: string): Promise<NextRun<State>> | NextRun<State>;
}

/** A failure that no later try would mend: the job is given up. */
export class JobFailed extends ScandeskError {}

/** A failure that may have passed after `afterMs`, not before. */
export class JobDelayed extends ScandeskError {
  readonly afterMs: number;

  constructor(code: string, message: string, afterMs = 0, options?: { cause?: unknown }) {
    super(code, message, options);
    this.afterMs = afterMs;
  }
}

/** The claim is lost: what the run does next must not be stored. */
export class JobLost extends ScandeskError {
  constructor() {
    super('job.lost', 'the job was changed, ended, or claimed elsewhere');
  }
}
