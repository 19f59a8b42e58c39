/**
 * Batcher of scans: those that arrive together share one transaction, without a delay to collect more. A relay whose
 * row is locked gets a queue of its own until its scans are committed.
 */
import { type Clock, type Random, steadyNow } from '../../clock.js';
import { codeOf } from '../../errors.js';
import type { CommitResult, Decide, IncomingScan, ScanCommit } from '../commit/index.js';
import { createWatch } from '../postback/watch.js';
import type { Prefetched } from '../validation/index.js';
import { type CommitLimits, type CommitQueue, createCommitQueue, createSlots, type Waiter } from './batch-queue.js';

/** The usual limits. Devices wait longer (docs/account-api.md#scan-to-url); people at a gate do not. */
const usualLimits: CommitLimits = { timeoutMs: 1_000, answerMs: 3_000 };
const checkMs = 100;
const busyAttempts = 4;
/** Of the pool's ten connections, the most for shared batches; below, the most for relays with queues of their own. */
const maxShared = 3;
const maxSplit = 4;

/** Codes about a batch's content: one scan that cannot be stored must not fail the others. */
const contentErrors = new Set(['store.text_unstorable', 'store.conflict', 'store.record_broken', 'store.failed']);

export function createScanBatcher(deps: {
  commit: ScanCommit;
  decide: Decide<Prefetched>;
  clock: Clock;
  random: Random;
  limits?: Partial<CommitLimits>;
}) {
  const { commit, decide, clock, random } = deps;
  const limits = { ...usualLimits, ...deps.limits };
  const now = (): number => steadyNow(clock);
  const splitSlots = createSlots(maxSplit);
  const split = new Map<string, CommitQueue>();

  const shared = createCommitQueue({
    settle: (batch) => settle(split.size === 0 ? batch : batch.filter((one) => !joinsSplit(one)), splitOff),
    slots: createSlots(maxShared),
    limits,
    now,
  });

  const joinsSplit = (one: Waiter): boolean => {
    const queue = split.get(one.scan.relayId);
    queue?.add(one);
    return queue !== undefined;
  };

  const splitQueue = (relayId: string): CommitQueue => {
    let hasCommitted = false;
    const queue = createCommitQueue({
      settle: async (batch) => {
        hasCommitted = true;
        await settle(batch, () => {
          hasCommitted = false;
          return false;
        });
      },
      onIdle: () => {
        if (hasCommitted && split.get(relayId) === queue) {
          split.delete(relayId);
        }
      },
      slots: splitSlots,
      limits,
      now,
    });
    return queue;
  };

  /**
   * Gives each relay of a batch a queue of its own, since nobody knows which row is locked. False for the batch of a
   * single relay, which has waited long enough.
   */
  const splitOff = (batch: readonly Waiter[]): boolean => {
    const relays = new Set(batch.map(({ scan }) => scan.relayId));
    for (const relayId of relays) {
      split.set(relayId, split.get(relayId) ?? splitQueue(relayId));
    }
    return relays.size > 1 && batch.every(joinsSplit);
  };

  /** Never rejects: each scan gets its own result, here or from `onLocked`, if that returns true. */
  const settle = async (batch: readonly Waiter[], onLocked: (batch: readonly Waiter[]) => boolean): Promise<void> => {
    const unanswered = batch.some(({ answered }) => answered) ? batch.filter(({ answered }) => !answered) : batch;
    if (unanswered.length === 0) {
      return;
    }
    try {
      const results = await commitWithRetries(unanswered);
      for (const [n, { resolve }] of unanswered.entries()) {
        resolve(results[n]!);
      }
    } catch (error) {
      const code = codeOf(error);
      if (code === 'store.locked' && onLocked(unanswered)) {
        return;
      }
      if (unanswered.length > 1 && contentErrors.has(code)) {
        for (const one of unanswered) {
          await settle([one], onLocked);
        }
        return;
      }
      for (const { reject } of unanswered) {
        reject(error);
      }
    }
  };

  /** Retries after a deadlock between instances, or another process's lock on the file: a repetition mostly works. */
  const commitWithRetries = async (batch: readonly Waiter[]): Promise<readonly CommitResult[]> => {
    const scans = batch.map(({ scan }) => scan);
    for (let attempt = 1; ; attempt++) {
      try {
        return await commit.commit(scans, decide);
      } catch (error) {
        const mayRetry =
          codeOf(error) === 'store.busy' && attempt < busyAttempts && batch.some(({ answered }) => !answered);
        if (!mayRetry) {
          throw error;
        }
        await clock.sleep(10 * attempt + 20 * random.fraction());
      }
    }
  };

  const watch = createWatch(clock, checkMs, () => {
    const at = now();
    return [shared, ...split.values()].map((queue) => queue.checkDeadlines(at)).includes(true);
  });

  return {
    /** Rejects with the store's error; then nothing of this scan was stored (but see `store.unavailable`). */
    add: (scan: IncomingScan<Prefetched>): Promise<CommitResult> =>
      new Promise((resolve, reject) => {
        const one = { scan, resolve, reject, since: now(), answered: false };
        if (split.size === 0 || !joinsSplit(one)) {
          shared.add(one);
        }
        watch();
      }),
  };
}

export type ScanBatcher = ReturnType<typeof createScanBatcher>;
