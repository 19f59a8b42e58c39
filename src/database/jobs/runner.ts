/**
 * The runner of jobs: it looks for due ones, claims and runs them, a few of each kind at a time, in turns by owner. A
 * claim is renewed while its run lasts. A run that fails is tried again later, until the job is given up.
 */
import type { Kysely } from 'kysely';
import { codeOf } from '../../errors.js';
import { type Owner, ownerKey } from '../../ownership.js';
import { createPoller } from '../../poller.js';
import type { ProcessDeps } from '../../process.js';
import { backoff } from '../backoff.js';
import { columnsOfClaim, unclaimed } from '../claims/claim.js';
import type { Schema } from '../schema.js';
import { readJson, readRecord } from '../stored-json.js';
import { type Job, JobDelayed, JobFailed, type JobKind, JobLost, type NextRun } from './job.js';
import { createJobRows, type DueJob, type JobRow, type JobStore } from './job-rows.js';

/** How often due jobs are looked for: about the longest that a due job waits where its kind has room. */
const pollEveryMs = 1_000;
/** How long the claim of a process lasts that died. */
export const claimMs = 30_000;

export interface JobsDeps extends ProcessDeps {
  readonly store: JobStore;
}

export interface PutOptions {
  readonly trx?: Kysely<Schema>;
  /** When the job runs; by default at once. */
  readonly dueAt?: number;
  /** Whether a job of the same key stays as it is. */
  readonly once?: boolean;
}

export function createJobs({ store, clock, random, log, metrics, instanceId }: JobsDeps) {
  const rows = createJobRows(store);
  const kinds = new Map<string, JobKind<object>>();
  const running = new Map<Promise<void>, string>();
  /** The number of the last claim for each kind and owner: of those with due jobs, who waits longest comes first. */
  const servedAt = new Map<string, number>();
  const stopping = new AbortController();
  let claims = 0;

  const claimOf = (worker: string) => ({ worker, until: clock.now() + claimMs });
  const lineOf = ({ kind, team, installation }: DueJob | JobRow) => `${kind}:${ownerKey({ installation, team })}`;

  const runClaimed = async (kind: JobKind<object>, row: JobRow, worker: string): Promise<void> => {
    const { installation, team, key, failures, created_at: createdAt } = row;
    const base = { owner: { installation, team }, key, createdAt, failures };
    const lost = new AbortController();
    const ended = new AbortController();
    const signal = AbortSignal.any([stopping.signal, lost.signal]);
    let state: object | undefined;
    const renew = async (): Promise<void> => {
      while (!signal.aborted) {
        await clock.sleep(claimMs / 3, ended.signal);
        await rows.settle(row, worker, columnsOfClaim(claimOf(worker))).catch((error: unknown) => {
          if (error instanceof JobLost) {
            lost.abort(error);
          }
        });
      }
    };

    const failed = async (error: unknown): Promise<readonly [NextRun<object>, number]> => {
      const code = codeOf(error);
      const about = { kind: row.kind, job: key, team, err: error, code };
      const isFinal = state === undefined || error instanceof JobFailed || failures + 1 >= kind.tries;
      metrics.jobs.inc({ kind: row.kind, outcome: isFinal ? 'failed' : 'retried' });
      if (isFinal) {
        log.error(about, 'a job was given up');
        return [(await kind.failed?.({ ...base, state }, code)) ?? {}, 0];
      }
      log.warn(about, 'a job is tried again later');
      const pause = backoff(failures + 1, kind.backoff, random);
      const afterMs = error instanceof JobDelayed ? error.afterMs : 0;
      return [{ dueAt: Math.ceil(clock.now() + Math.max(pause, afterMs)) }, failures + 1];
    };

    const runOnce = async (): Promise<readonly [NextRun<object>, number]> => {
      try {
        const stored = readJson(kind.state, row.state, `job ${row.kind}`);
        state = stored;
        const next = await kind.run({
          ...base,
          signal,
          get state() {
            return state ?? stored;
          },
          async save(change, work) {
            const renewed = { state: textOf(kind, row, { ...state, ...change }), ...columnsOfClaim(claimOf(worker)) };
            await rows.save(row, worker, renewed, work);
            state = { ...state, ...change };
          },
        });
        metrics.jobs.inc({ kind: row.kind, outcome: 'ok' });
        return [next, 0];
      } catch (error) {
        return signal.aborted || error instanceof JobLost ? [{ dueAt: row.due_at }, failures] : await failed(error);
      }
    };

    const settle = async ([next, failuresNow]: readonly [NextRun<object>, number]): Promise<NextRun<object>> => {
      await rows.settle(row, worker, columnsAfter(kind, row, state, next, failuresNow), next.work);
      return next;
    };

    renew().catch(() => undefined);
    try {
      const outcome = await runOnce();
      // What cannot be written counts as a failure of the run: else it would be tried for ever.
      const next = await settle(outcome).catch(async (error: unknown) => {
        if (error instanceof JobLost) {
          throw error;
        }
        return await settle(await failed(error));
      });
      await next.after?.();
    } catch (error) {
      if (!(error instanceof JobLost)) {
        log.error({ kind: row.kind, job: key, err: error, code: codeOf(error) }, 'a job could not be ended yet');
      }
    } finally {
      ended.abort();
    }
  };

  /** Claims due jobs while their kinds have room. @returns how many */
  const claimDue = async (): Promise<number> => {
    const room = new Map([...kinds].map(([name, { slots }]) => [name, slots]));
    for (const name of running.values()) {
      room.set(name, (room.get(name) ?? 0) - 1);
    }
    const kindsWithRoom = new Map([...kinds].filter(([name]) => (room.get(name) ?? 0) > 0));
    const due = kindsWithRoom.size === 0 ? [] : await rows.due(kindsWithRoom, clock.now());
    const waited = (job: DueJob) => servedAt.get(lineOf(job)) ?? 0;
    let claimed = 0;
    for (const job of due.toSorted((a, b) => a.turn - b.turn || waited(a) - waited(b))) {
      const left = room.get(job.kind) ?? 0;
      const kind = kinds.get(job.kind);
      if (!kind || left <= 0 || stopping.signal.aborted) {
        continue;
      }
      claims += 1;
      const worker = `${instanceId}.${claims}`;
      const row = await rows.claim(job, claimOf(worker), { kinds: kindsWithRoom, now: clock.now() });
      if (row) {
        room.set(job.kind, left - 1);
        servedAt.set(lineOf(job), claims);
        claimed += 1;
        const run = runClaimed(kind, row, worker).finally(() => {
          running.delete(run);
          poller.wake();
        });
        running.set(run, job.kind);
      }
    }
    return claimed;
  };

  /** Runs jobs that are due now, once. @returns how many */
  const runDue = async (): Promise<number> => {
    const claimed = await claimDue();
    await Promise.all(running.keys());
    return claimed;
  };

  const poller = createPoller({
    clock,
    everyMs: pollEveryMs,
    // Other work gets its turn, however soon jobs are due again.
    gapMs: 10,
    poll: claimDue,
    onFailure: (error) => log.error({ err: error, code: codeOf(error) }, 'due jobs could not be read'),
    closing: async () => void (await Promise.all(running.keys())),
  });

  return {
    /** Declares a kind. Kinds are declared before the runner starts; jobs of others are left alone. */
    define<State extends object>(kind: string, declared: JobKind<State>) {
      kinds.set(kind, declared as JobKind<object>);
      const nameOf = ({ installation, team }: Owner, key: string) => ({ installation, team, kind, key });
      return {
        /** Adds a job. One of the same key is replaced, and a run of it loses its claim. */
        async put(owner: Owner, key: string, state: State, options: PutOptions = {}): Promise<void> {
          const { trx, once, dueAt = clock.now() } = options;
          const text = JSON.stringify(readRecord(declared.state, state, `job ${kind}`));
          await rows.put(nameOf(owner, key), { state: text, now: clock.now(), dueAt, once }, trx);
          poller.wake();
        },
        /** The open job; undefined: there is none, or its state cannot be read. */
        async find(owner: Owner, key: string): Promise<Job<State> | undefined> {
          const row = await rows.find(nameOf(owner, key));
          return row && jobOf(declared, row);
        },
        /** The owner's open jobs whose state can be read, by their keys. */
        list: async (owner: Owner): Promise<readonly Job<State>[]> =>
          (await rows.list(owner, kind)).flatMap((row) => jobOf(declared, row) ?? []),
        /** Decides under the job's lock what follows for it; a run of it loses its claim. False: nothing does. */
        async change(
          owner: Owner,
          key: string,
          decide: (job: Job<State>) => NextRun<State> | undefined,
        ): Promise<boolean> {
          let next: NextRun<State> | undefined;
          const isChanged = await rows.decide(nameOf(owner, key), (row) => {
            const job = jobOf(declared, row);
            next = job && decide(job);
            return next && { set: columnsAfter(declared, row, job?.state, next), work: next.work };
          });
          await next?.after?.();
          poller.wake();
          return isChanged;
        },
      };
    },
    start: poller.start,
    async stop(): Promise<void> {
      stopping.abort();
      await poller.stop();
    },
    runDue,
    /** Runs due jobs until none is due. */
    async settled(): Promise<number> {
      let runs = 0;
      for (let last = -1; last !== 0; runs += last) {
        last = await runDue();
      }
      return runs;
    },
  };
}

export type Jobs = ReturnType<typeof createJobs>;

function textOf<State>(kind: JobKind<State>, { kind: name }: JobRow, state: unknown): string {
  return JSON.stringify(readRecord(kind.state, state, `job ${name}`));
}

/** What is stored of a job before its next run, or that it is deleted. */
function columnsAfter<State>(
  kind: JobKind<State>,
  row: JobRow,
  state: State | undefined,
  { dueAt, change }: NextRun<State>,
  failures = 0,
) {
  const text = change && textOf(kind, row, { ...state, ...change });
  return dueAt === undefined ? ('delete' as const) : { state: text, due_at: dueAt, failures, ...unclaimed };
}

function jobOf<State>(kind: JobKind<State>, row: JobRow): Job<State> | undefined {
  const { installation, team, key, created_at: createdAt, failures } = row;
  try {
    const state = readJson(kind.state, row.state, `job ${row.kind}`);
    return { owner: { installation, team }, key, state, createdAt, failures };
  } catch {
    return undefined;
  }
}
