/**
 * Queue of scans for batched commits. One commit runs at a time and the next batch collects meanwhile; every scan is
 * answered in time, and a slow commit does not block the next.
 */
import { StoreError } from '../../database/errors.js';
import type { CommitResult, IncomingScan } from '../commit/index.js';
import type { Prefetched } from '../validation/index.js';

export interface Waiter {
  readonly scan: IncomingScan<Prefetched>;
  /** When the batcher got the scan, on the monotonic clock. */
  readonly since: number;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
  /** Whether the device already got the answer of a timeout. */
  answered: boolean;
}

export interface CommitLimits {
  /** How long a commit is waited for; after that, the next one begins. */
  readonly timeoutMs: number;
  /** How long after the batcher got a scan its device is answered at the latest. */
  readonly answerMs: number;
}

export function createSlots(slotCount: number) {
  const queue: (() => void)[] = [];
  let freeSlots = slotCount;
  return {
    take(go: () => void): void {
      if (freeSlots === 0) {
        queue.push(go);
        return;
      }
      freeSlots -= 1;
      go();
    },
    give(): void {
      const next = queue.shift();
      if (next) {
        next();
      } else {
        freeSlots += 1;
      }
    },
  };
}

/** The limit of concurrent commits, so that these do not take every connection. */
export type Slots = ReturnType<typeof createSlots>;

/** The most scans in one transaction, which blocks the event loop on SQLite. */
const largestBatch = 250;

interface Batch {
  readonly begunAt: number;
  scans: readonly Waiter[];
}

export function createCommitQueue(deps: {
  /** Commits a batch. Never rejects: each scan of the batch gets its own result. */
  settle: (batch: readonly Waiter[]) => Promise<void>;
  /** Called when no scan waits and no batch is under way. */
  onIdle?: () => void;
  slots: Slots;
  limits: CommitLimits;
  now: () => number;
}) {
  const { settle, onIdle, slots, limits, now } = deps;
  const underWay = new Set<Batch>();
  let waitingScans: Waiter[] = [];
  let scheduled = false;
  /** The batch for which the next one waits. */
  let currentBatch: Batch | undefined;

  const schedule = (): void => {
    if (!scheduled && currentBatch === undefined && waitingScans.length > 0) {
      scheduled = true;
      setImmediate(slots.take, begin);
    }
  };

  const begin = (): void => {
    scheduled = false;
    const batch = { begunAt: now(), scans: waitingScans.splice(0, largestBatch) };
    currentBatch = batch;
    underWay.add(batch);
    const end = () => {
      underWay.delete(batch);
      endBatch(batch);
      slots.give();
      if (underWay.size === 0 && waitingScans.length === 0) {
        onIdle?.();
      }
    };
    settle(batch.scans).then(end, end);
  };

  const endBatch = (batch: Batch): void => {
    if (currentBatch === batch) {
      currentBatch = undefined;
      schedule();
    }
  };

  /** Rejects scans that waited too long, and returns the remaining ones. */
  const rejectLate = <Scans extends readonly Waiter[]>(scans: Scans, latestSince: number, error: () => StoreError) => {
    if (scans.every(({ since }) => since > latestSince)) {
      return scans;
    }
    return scans.filter((one) => {
      if (one.since > latestSince) {
        return true;
      }
      one.answered = true;
      one.reject(error());
      return false;
    });
  };

  return {
    add(one: Waiter): void {
      waitingScans.push(one);
      schedule();
    },

    /** Checks the deadlines; call it regularly while it returns true: a scan or commit is under way. */
    checkDeadlines(at: number): boolean {
      const before = at - limits.answerMs;
      for (const batch of underWay) {
        if (at - batch.begunAt >= limits.timeoutMs) {
          endBatch(batch);
        }
        batch.scans = rejectLate(batch.scans, before, inDoubt);
      }
      waitingScans = [...rejectLate(waitingScans, before, neverBegun)];
      return underWay.size > 0 || waitingScans.length > 0;
    },
  };
}

export type CommitQueue = ReturnType<typeof createCommitQueue>;

const inDoubt = () => new StoreError('store.unavailable', 'a commit did not end in time: it may have been stored');
const neverBegun = () => new StoreError('store.busy', 'a scan waited too long for its commit and was not stored');
