/**
 * Error codes of the store, and the translation of both databases' errors into them. A message never contains a value
 * or a key: the database's own text is in the `cause` alone.
 */
import { ScandeskError } from '../errors.js';

/**
 * - `store.url`: DATABASE_URL is neither a SQLite file nor PostgreSQL, or the file cannot be opened.
 * - `store.unavailable`: the database cannot be reached, the connection broke, or no answer came in time. Try again
 * later.
 * - `store.busy`: too much load, or two transactions collided. An immediate retry may succeed.
 * - `store.locked`: another transaction kept a row locked past the timeout. Try again later.
 * - `store.full`: the disk is full. The transaction was rolled back.
 * - `store.conflict`: a row with this key exists.
 * - `store.changed`: the row changed since it was read. Read it again.
 * - `store.text_unstorable`: a text contains NUL or half a surrogate pair; it would not come back unchanged.
 * - `store.key_too_long`: a key past what both databases can index.
 * - `store.migration`: a migration failed.
 * - `store.too_old`, `store.too_new`: a version before 1.0.0, or a newer one than this, made the tables.
 * - `store.record_broken`: stored JSON does not match its schema.
 * - `store.seal_broken`: a sealed text was changed, moved, or sealed with an unknown key.
 * - `store.seal_key`: a sealing key is missing, has the wrong size, or is not the one this database was sealed with.
 * - `store.owner`: an installation or team id is empty or contains a colon.
 * - `store.failed`: anything else; see the cause.
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
  | 'store.too_old'
  | 'store.too_new'
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

/** Whether the store could not be used, whatever it was asked for: a later try may succeed. */
export function isStoreDown(error: unknown): boolean {
  return error instanceof StoreError && /^store\.(unavailable|busy|locked|full)$/.test(error.code);
}

/** SQLite's primary result codes (sqlite.org/rescode.html) that mean something to a caller. */
const sqliteCodes: Readonly<Record<number, StoreErrorCode>> = {
  5: 'store.busy',
  6: 'store.busy',
  13: 'store.full',
};

/** SQLite's extended codes for a duplicate key: PRIMARYKEY, UNIQUE, ROWID. */
const sqliteConflicts = new Set([1555, 2067, 2579]);

/** PostgreSQL's SQLSTATE (postgresql.org/docs/current/errcodes-appendix.html), by code or by its two-letter class. */
const postgresCodes: Readonly<Record<string, StoreErrorCode>> = {
  '23505': 'store.conflict',
  '40001': 'store.busy',
  '40P01': 'store.busy',
  '55P03': 'store.locked',
  '53100': 'store.full',
  '53300': 'store.unavailable',
  // The codes of a statement timeout and an idle-in-transaction timeout.
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

/** A database's error as a StoreError, with the original as its cause; a ScandeskError is returned unchanged. */
export function toStoreError(error: unknown, codeOfUnknown: StoreErrorCode = 'store.failed'): ScandeskError {
  if (error instanceof ScandeskError) {
    return error;
  }
  const code = codeFor(error);
  const storeCode = code === 'store.failed' ? codeOfUnknown : code;
  return new StoreError(storeCode, `the database refused: ${storeCode}`, { cause: error });
}
