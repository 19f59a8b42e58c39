/**
 * Throttling for background work: transactions of a few milliseconds, each followed by a pause four times as long. On
 * SQLite nobody else writes, and nothing else runs, during a transaction.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Clock, steadyNow } from '../clock.js';
import type { Schema } from './schema.js';
import type { StoreKind } from './types.js';

export interface Pace {
  /** Runs a transaction over at most `size` rows or pages, then the pause, which `stopping` cuts short. */
  slice<T>(work: (trx: Transaction<Schema>, size: number) => Promise<T>): Promise<T>;
  /** Runs slices until `work` returns false, or `stopping` ends them. */
  repeat(work: (trx: Transaction<Schema>, size: number) => Promise<boolean>): Promise<void>;
  /** Runs slices that each begin where the one before ended, until `work` returns no place, or `stopping` ends them. */
  walk<Place>(
    from: Place,
    work: (trx: Transaction<Schema>, from: Place, size: number) => Promise<Place | undefined>,
  ): Promise<void>;
}

/** Deletes outdated rows, until no such row is left or `stopping` ends it. */
export type Purge = (stopping: AbortSignal) => Promise<unknown>;

/** The share of time in which slices run: other work waits for one slice, however many there are. */
const workShare = 0.2;
const sliceMs = 4;
/** The least rows in a slice: with fewer, a slice costs as much. */
const leastRows = 32;
const mostRows = 256;

export function createPace(
  { db, kind }: { readonly db: Kysely<Schema>; readonly kind: StoreKind },
  clock: Clock,
  stopping: AbortSignal,
): Pace {
  const transact = unsynced(kind);
  let sliceSize = leastRows;

  const slice: Pace['slice'] = async (runSlice) => {
    let startedAt = steadyNow(clock);
    const result = await transact(db, (trx) => {
      // The time is measured from this moment on: the wait for the transaction does not count.
      startedAt = steadyNow(clock);
      return runSlice(trx, sliceSize);
    });
    const took = Math.max(0, steadyNow(clock) - startedAt);
    if (took > sliceMs) {
      sliceSize = Math.max(leastRows, sliceSize / 2);
    } else if (took < sliceMs / 2) {
      sliceSize = Math.min(mostRows, sliceSize * 2);
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

/** Transactions of work that a power failure may undo: on SQLite they are whole, but not on disk at once. */
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
