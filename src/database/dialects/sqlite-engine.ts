/**
 * One SQLite file: its connection, its prepared statements and its lock. Transactions never interleave: each waits
 * until the one before has ended.
 */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { LRUCache } from 'lru-cache';
import { codeOf } from '../../errors.js';
import { StoreError, toStoreError } from '../errors.js';
import type { RawDatabase, RawStatement, SqliteDriverChoice } from './sqlite-driver.js';

/** How long a statement waits for another process that holds the file. */
const busyTimeoutMs = 5_000;
/** How long `begin` waits until it tries again. */
const retryMs = 5;
/** The longest wait of a transaction for its turn. A longer wait means that a transaction was opened inside another. */
const longestWaitMs = 30_000;
const maxStatements = 500;

export class SqliteEngine {
  readonly #db: RawDatabase;
  readonly #statements = new LRUCache<string, RawStatement>({ max: maxStatements });
  readonly #waiting: (() => void)[] = [];
  readonly #turnTimeoutMs: number;
  #acquired = false;
  #closed = false;

  /**
   * Opens the file, and creates a missing one (readable by its owner only).
   * @throws StoreError `store.url` when it cannot be opened or is no database
   */
  constructor(path: string, driver: SqliteDriverChoice, options: { turnTimeoutMs?: number } = {}) {
    this.#turnTimeoutMs = options.turnTimeoutMs ?? longestWaitMs;
    try {
      prepareFile(path);
      this.#db = driver.open(path);
    } catch (error) {
      throw new StoreError('store.url', 'the SQLite file cannot be opened', { cause: error });
    }
    try {
      // The busy timeout comes first: two processes that start at once both switch the journal mode.
      this.#db.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
      // This pragma comes before the file has its first page, or the file never gives space back: see free-pages.ts.
      this.#db.exec('pragma auto_vacuum = incremental');
      this.#db.exec('pragma journal_mode = wal');
      this.#db.exec('pragma synchronous = full');
      // The page cache has 64 MB, so that commits wait for the disk less often. A checkpoint comes every 8 MB of log:
      // it holds the event loop for 25 ms, where one of 32 MB took 70.
      this.#db.exec('pragma cache_size = -65536');
      this.#db.exec('pragma wal_autocheckpoint = 2000');
      this.#db.exec('pragma foreign_keys = on');
    } catch (error) {
      this.#db.close();
      throw toStoreError(error, 'store.url');
    }
  }

  statement(sql: string): RawStatement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  /**
   * Begins a write transaction. While another connection (another process, or another store in this one) writes, it
   * tries again and leaves the event loop free meanwhile: the writer may need the loop to finish.
   * @throws the driver's error when the wait is too long
   */
  async begin(): Promise<void> {
    for (const until = performance.now() + busyTimeoutMs; !this.#tryBegin(performance.now() < until); ) {
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }

  /** Tries to begin. While another connection writes, it returns false if `mayRetry`, and throws otherwise. */
  #tryBegin(mayRetry: boolean): boolean {
    this.#db.exec('pragma busy_timeout = 0');
    try {
      this.#db.exec('begin immediate');
      return true;
    } catch (error) {
      if (mayRetry && toStoreError(error).code === 'store.busy') {
        return false;
      }
      throw error;
    } finally {
      this.#db.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
    }
  }

  /** Rolls back; does nothing when SQLite has already ended the transaction itself (disk full, I/O error). */
  rollback(): void {
    try {
      this.#db.exec('rollback');
    } catch (error) {
      if (!(error instanceof Error && /no transaction is active/.test(error.message))) {
        throw error;
      }
    }
  }

  /**
   * Resolves when the caller has the connection to itself. Callers are served in the order in which they came.
   * @throws StoreError `store.unavailable` once closed, `store.busy` when the turn does not come
   */
  async acquire(): Promise<void> {
    if (this.#acquired) {
      await this.#waitForTurn();
    }
    this.#acquired = true;
    if (this.#closed) {
      this.release();
      throw new StoreError('store.unavailable', 'the store is closed');
    }
  }

  #waitForTurn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        reject(new StoreError('store.busy', 'a transaction waited too long for its turn'));
      }, this.#turnTimeoutMs);
      timer.unref();
      this.#waiting.push(turn);
    });
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next) {
      next();
    } else {
      this.#acquired = false;
    }
  }

  /** Waits for earlier callers, then closes; later ones are rejected. A second call does nothing. */
  async close(): Promise<void> {
    if (this.#closed) {
      return;
    }
    await this.acquire();
    this.#closed = true;
    this.#statements.clear();
    try {
      this.#db.close();
    } finally {
      this.release();
    }
  }
}

/** SQLite creates its side files with the mode of the main one, so the mode is set before anything is written. */
function prepareFile(path: string): void {
  makeFolder(dirname(path));
  closeSync(openSync(path, 'a', 0o600));
  const { mode, uid } = statSync(path);
  // Only the owner's own file gets the mode: one that belongs to another user keeps its mode.
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) {
    chmodSync(path, 0o600);
  }
}

/**
 * Makes a folder and those above it that are missing, from the nearest existing one down: Node 20's own recursive
 * `mkdirSync` never returns where the system calls the folder missing that it was told to make, as below /proc.
 */
function makeFolder(path: string): void {
  if (existsSync(path)) {
    return;
  }
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process, which starts at the same time, may have made it.
    if (codeOf(error) !== 'EEXIST') {
      throw error;
    }
  }
}
