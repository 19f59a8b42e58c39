/**
 * Owns what can go wrong in the store, as stable codes, and the translation of both databases' own errors into them.
 * Refuses to put a value or a key into a message: what a database says is in the `cause` alone.
 */
import { ScandeskError } from '../errors.js';

/**
 * - `store.url`: DATABASE_URL is neither a SQLite file nor PostgreSQL, or the file cannot be opened.
 * - `store.unavailable`: the database cannot be reached, the connection broke, or no answer came in time. Try again later.
 * - `store.busy`: too much is going on, or two transactions collided. The same again at once may succeed.
 * - `store.locked`: somebody else held a row for longer than anybody waits. Try again later.
 * - `store.full`: no room on the disk. Nothing of the transaction was kept.
 * - `store.conflict`: a row with this key is there already.
 * - `store.changed`: somebody changed it since it was read. Read it again.
 * - `store.text_unstorable`: a text holds NUL or half a surrogate pair; it would not come back as it went in.
 * - `store.key_too_long`: a key past what both databases can index.
 * - `store.migration`: the tables could not be brought to this version, or a newer version made them.
 * - `store.record_broken`: stored JSON is not what this version writes.
 * - `store.seal_broken`: a sealed text was changed, moved, or sealed with a key nobody gave.
 * - `store.seal_key`: a sealing key of the wrong size, or none, or not the one that this database was sealed with.
 * - `store.owner`: an installation or team id that is empty or holds a colon.
 * - `store.failed`: anything else; the cause says.
 */
export type StoreErrorCode =
  | 'store.url'
  | 'store.unavailable'
  | 'store.busy'
  | 'store.locked'
  | 'store.full'
  | 'store.conflict'
  | 'store.changed'
  | 'store.text_unstorable'
  | 'store.key_too_long'
  | 'store.migration'
  | 'store.record_broken'
  | 'store.seal_broken'
  | 'store.seal_key'
  | 'store.owner'
  | 'store.failed';

export class StoreError extends ScandeskError {
  declare readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: { cause?: unknown }) {
    super(code, message, options);
  }
}

/** SQLite's primary result codes (sqlite.org/rescode.html) that mean something to a caller. */
const sqliteCodes: Readonly<Record<number, StoreErrorCode>> = {
  5: 'store.busy',
  6: 'store.busy',
  13: 'store.full',
};

/** SQLite's extended codes for a key that is there already: PRIMARYKEY, UNIQUE, ROWID. */
const sqliteConflicts = new Set([1555, 2067, 2579]);

/** PostgreSQL's SQLSTATE (postgresql.org/docs/current/errcodes-appendix.html), by code or by its class of two letters. */
const postgresCodes: Readonly<Record<string, StoreErrorCode>> = {
  '23505': 'store.conflict',
  '40001': 'store.busy',
  '40P01': 'store.busy',
  '55P03': 'store.locked',
  '53100': 'store.full',
  '53300': 'store.unavailable',
  // It took too long, or its transaction was silent for too long.
  '57014': 'store.unavailable',
  '25P03': 'store.unavailable',
  '57P01': 'store.unavailable',
  '57P02': 'store.unavailable',
  '57P03': 'store.unavailable',
  '08': 'store.unavailable',
};

function codeFor(error: unknown): StoreErrorCode {
  if (typeof error !== 'object' || error === null) {
    return 'store.failed';
  }
  if ('errcode' in error && typeof error.errcode === 'number') {
    return sqliteConflicts.has(error.errcode)
      ? 'store.conflict'
      : (sqliteCodes[error.errcode & 0xff] ?? 'store.failed');
  }
  if ('severity' in error && 'code' in error && typeof error.code === 'string') {
    return postgresCodes[error.code] ?? postgresCodes[error.code.slice(0, 2)] ?? 'store.failed';
  }
  return 'store.failed';
}

/** A database's error as a StoreError with the database's own as its cause; an error of ours stays as it is. */
export function toStoreError(error: unknown, otherwise: StoreErrorCode = 'store.failed'): ScandeskError {
  if (error instanceof ScandeskError) {
    return error;
  }
  const code = codeFor(error);
  const known = code === 'store.failed' ? otherwise : code;
  return new StoreError(known, `the database refused: ${known}`, { cause: error });
}
