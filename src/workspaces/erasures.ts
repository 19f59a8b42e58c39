/**
 * Erasures of a workspace's data that people have asked for: each is a job, done by steps that delete what is left, so
 * that it survives a stop of the process. The installation, the connection and the settings stay.
 */
import type { Transaction } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../clock.js';
import type { Jobs } from '../database/jobs/runner.js';
import type { Schema } from '../database/schema.js';
import type { Log } from '../log.js';
import type { Owner } from '../ownership.js';
import type { Store } from './types.js';

const erasureState = z.object({
  /** Slack user id of the person who asked. */
  who: z.string(),
  /** When the erasure was requested; data of a later time stays. */
  at: z.number(),
});
export type Erasure = Readonly<z.output<typeof erasureState>>;

/** Deletes the owner's data from before `at`. Called again after an interruption. */
export type EraseStep = (owner: Owner, at: number, stopping: AbortSignal) => Promise<unknown>;

const retryMs = 60_000;

export function createErasures(deps: {
  readonly store: Pick<Store, 'audit'>;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly log: Log;
  readonly steps: readonly EraseStep[];
  /** Notifies the person, in the transaction that ends the erasure. */
  readonly onErased: (owner: Owner, erasure: Erasure, trx: Transaction<Schema>) => Promise<void>;
}) {
  const { store, clock, log, steps, onErased } = deps;
  const erasures = deps.jobs.define('erasure', {
    state: erasureState,
    slots: 1,
    longestWaitMs: retryMs * 2,
    backoff: { leastBackoffMs: retryMs, longestBackoffMs: retryMs },
    tries: Number.POSITIVE_INFINITY,
    async run({ owner, state, signal }) {
      for (const step of steps) {
        await step(owner, state.at, signal);
        signal.throwIfAborted();
      }
      return {
        async work(trx) {
          const done = { where: 'home', what: 'workspace/erased', detail: {}, outcome: 'ok' };
          await store.audit.add(owner, { at: clock.now(), who: state.who, ...done }, trx);
          await onErased(owner, state, trx);
          log.info({ ...owner }, 'the data of a workspace is erased');
        },
      };
    },
  });

  return {
    /** Records an erasure, and returns at once. One under way begins again. */
    request: (owner: Owner, erasure: Erasure): Promise<void> => erasures.put(owner, '', erasure),
    /** The owner's erasure under way. */
    find: async (owner: Owner): Promise<Erasure | undefined> => (await erasures.find(owner, ''))?.state,
  };
}

export type Erasures = ReturnType<typeof createErasures>;
