/**
 * Owns committing together what arrives together: the scans of one turn of the event loop, and those that come while a
 * commit is on its way, share one transaction and so one wait for the disk. No timer: nothing waits for company.
 */
import type { Clock, Random } from '../clock.js';
import { codeOf } from '../errors.js';
import type { CommitResult, Decide, IncomingScan, ScanCommit } from '../store/index.js';
import type { Ahead } from './judging/index.js';

export interface GroupCommit {
  /** Rejects with the store's error; then nothing of this scan was stored (but see `store.unavailable`). */
  add(scan: IncomingScan<Ahead>): Promise<CommitResult>;
}

interface Waiting {
  readonly scan: IncomingScan<Ahead>;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

/** So many scans in one transaction at most: it holds up the event loop on SQLite. */
const largestBatch = 250;
const busyAttempts = 4;

/** Codes that speak of the batch's content: one scan that cannot be stored must not take the others with it. */
const aboutContent = new Set(['store.text_unstorable', 'store.conflict', 'store.record_broken', 'store.failed']);

export function createGroupCommit(deps: {
  commit: ScanCommit;
  decide: Decide<Ahead>;
  clock: Clock;
  random: Random;
}): GroupCommit {
  const { commit, decide, clock, random } = deps;
  const waiting: Waiting[] = [];
  let scheduled = false;
  let running = false;

  const schedule = (): void => {
    if (!scheduled && !running && waiting.length > 0) {
      scheduled = true;
      setImmediate(flush);
    }
  };

  const flush = (): void => {
    scheduled = false;
    const batch = waiting.splice(0, largestBatch);
    running = true;
    settle(batch).then(done, done);
  };

  const done = (): void => {
    running = false;
    schedule();
  };

  /** Never rejects: each of the batch hears for itself. */
  const settle = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const results = await commitPatiently(batch.map(({ scan }) => scan));
      for (const [n, { resolve }] of batch.entries()) {
        resolve(results[n]!);
      }
    } catch (error) {
      if (batch.length > 1 && aboutContent.has(codeOf(error))) {
        for (const one of batch) {
          await settle([one]);
        }
        return;
      }
      for (const { reject } of batch) {
        reject(error);
      }
    }
  };

  /** Two instances that waited for each other, or another process on the file: the same again succeeds. */
  const commitPatiently = async (scans: readonly IncomingScan<Ahead>[]): Promise<readonly CommitResult[]> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await commit.commit(scans, decide);
      } catch (error) {
        if (codeOf(error) !== 'store.busy' || attempt === busyAttempts) {
          throw error;
        }
        await clock.sleep(10 * attempt + 20 * random.fraction());
      }
    }
  };

  return {
    add: (scan) =>
      new Promise((resolve, reject) => {
        waiting.push({ scan, resolve, reject });
        schedule();
      }),
  };
}
