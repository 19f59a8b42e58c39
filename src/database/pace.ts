/**
 * Throttling for background work: transactions of a few milliseconds, each followed by a pause four times as long. On
 * SQLite nobody else writes, and nothing else runs, during a transaction.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Clock, steadyNow } from '../clock.js';
import type { Schema } from './schema.js';
import type { StoreKind } from './types.js';

export interface Pace {
  /** Runs a transaction over at most `size` rows or pages, then the pause, which `stop` cuts short. */
  slice<T>(work: (trx: Transaction<Schema>, size: number) => Promise<T>): Promise<T>;
  /** Runs slices until `work` returns false, or `stop` ends them. */
  repeat(work: (trx: Transaction<Schema>, size: number) => Promise<boolean>): Promise<void>;
  /** Runs slices that each begin where the one before ended, until `work` returns no place, or `stop` ends them. */
  walk<Place>(
    from: Place,
    work: (trx: Transaction<Schema>, from: Place, size: number) => Promise<Place | undefined>,
  ): Promise<void>;
}

/** Deletes outdated rows, in slices, until no such row is left or `stop` ends it. */
export type Purge = (stop: AbortSignal) => Promise<unknown>;

/** The share of time that may be busy: other work waits for the length of a slice, not for the number of slices. */
const workShare = 0.2;
const sliceMs = 4;
/** The least rows in a slice: a smaller one costs as much. */
const smallest = 32;
const largest = 256;

export function createPace(
  { db, kind }: { readonly db: Kysely<Schema>; readonly kind: StoreKind },
  clock: Clock,
  stopping: AbortSignal,
): Pace {
  const transact = unsynced(kind);
  let sliceSize = smallest;

  const slice: Pace['slice'] = async (runSlice) => {
    let startedAt = steadyNow(clock);
    const result = await transact(db, (trx) => {
      // The time is measured from this moment on: the wait for the transaction does not count.
      startedAt = steadyNow(clock);
      return runSlice(trx, sliceSize);
    });
    const took = Math.max(0, steadyNow(clock) - startedAt);
    if (took > sliceMs) {
      sliceSize = Math.max(smallest, sliceSize / 2);
    } else if (took < sliceMs / 2) {
      sliceSize = Math.min(largest, sliceSize * 2);
    }
    await clock.sleep(took * (1 / workShare - 1), stopping).catch(() => undefined);
    return result;
  };

  const walk: Pace['walk'] = async <Place>(
    from: Place,
    work: (trx: Transaction<Schema>, from: Place, size: number) => Promise<Place | undefined>,
  ) => {
    for (let place: Place | undefined = from; place !== undefined && !stopping.aborted; ) {
      const begin: Place = place;
      place = await slice((trx, size) => work(trx, begin, size));
    }
  };

  return {
    slice,
    walk,
    repeat: (work) => walk(true, async (trx, _, size) => (await work(trx, size)) || undefined),
  };
}

type Work<T> = (trx: Transaction<Schema>) => Promise<T>;

/** A transaction of work that may be repeated after a power failure: it is applied whole, but not on disk at once. */
export function unsynced(kind: StoreKind): <T>(db: Kysely<Schema>, work: Work<T>) => Promise<T> {
  return kind === 'sqlite' ? withoutSync : inTransaction;
}

function inTransaction<T>(db: Kysely<Schema>, work: Work<T>): Promise<T> {
  return db.transaction().execute(work);
}

/** Runs the work without a sync to disk: the next durable commit syncs all of it. */
function withoutSync<T>(db: Kysely<Schema>, work: Work<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`pragma synchronous = normal`.execute(connection);
    try {
      return await inTransaction(connection, work);
    } finally {
      await sql`pragma synchronous = full`.execute(connection);
    }
  });
}
