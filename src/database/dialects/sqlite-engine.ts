/**
 * Owns one SQLite file: its connection, its prepared statements and the one lock through which both Kysely and the
 * relay's synchronous path reach it. Refuses to interleave two transactions: each waits for the one before.
 */
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type StorableValue, storable } from '../bind-values.js';
import { StoreError, toStoreError } from '../errors.js';
import type { SqliteFastPath, SqliteStatement } from '../types.js';
import type { RawDatabase, RawStatement, SqliteDriverChoice } from './sqlite-driver.js';

/** How long a statement waits for another process that holds the file. */
const busyTimeoutMs = 5_000;
const askAgainMs = 5;
/** How long a transaction waits for its turn before it says so: past it, somebody opened one inside another. */
const longestTurnMs = 30_000;
const statementsKept = 500;

export class SqliteEngine implements SqliteFastPath {
  readonly #db: RawDatabase;
  readonly #statements = new Map<string, RawStatement>();
  readonly #prepare = (sql: string): SqliteStatement => new CheckedStatement(coded(() => this.statement(sql)));
  readonly #waiting: (() => void)[] = [];
  readonly #turnTimeoutMs: number;
  #held = false;
  #closed = false;

  /**
   * Opens the file, and makes it (readable by its owner only) when there is none.
   * @throws StoreError `store.url` when it cannot be opened or is no database.
   */
  constructor(path: string, driver: SqliteDriverChoice, options: { turnTimeoutMs?: number } = {}) {
    this.#turnTimeoutMs = options.turnTimeoutMs ?? longestTurnMs;
    try {
      prepareFile(path);
      this.#db = driver.open(path);
    } catch (error) {
      throw new StoreError('store.url', 'the SQLite file cannot be opened', { cause: error });
    }
    try {
      // The busy timeout comes first: two processes that start at once both switch the journal.
      this.#db.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
      // Before the file has its first page, or it never gives space back: see free-pages.ts.
      this.#db.exec('pragma auto_vacuum = incremental');
      this.#db.exec('pragma journal_mode = wal');
      this.#db.exec('pragma synchronous = full');
      // 64 MB of pages in memory, and a log of 32 MB before it is worked in: commits wait for the disk less often.
      this.#db.exec('pragma cache_size = -65536');
      this.#db.exec('pragma wal_autocheckpoint = 8000');
      this.#db.exec('pragma foreign_keys = on');
    } catch (error) {
      this.#db.close();
      throw toStoreError(error, 'store.url');
    }
  }

  /** A prepared statement, kept for the next time. */
  statement(sql: string): RawStatement {
    let statement = this.#statements.get(sql);
    if (statement) {
      // Back to the young end, so that the oldest unused one goes first.
      this.#statements.delete(sql);
    } else {
      statement = this.#db.prepare(sql);
      if (this.#statements.size >= statementsKept) {
        const [oldest] = this.#statements.keys();
        this.#statements.delete(oldest as string);
      }
    }
    this.#statements.set(sql, statement);
    return statement;
  }

  /** A statement of its own for a result that is read bit by bit, so that the kept one stays free. */
  freshStatement(sql: string): RawStatement {
    return this.#db.prepare(sql);
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  /**
   * Begins a transaction that may write. Where somebody else writes (another process, another store in this one), it asks
   * again and again and leaves the event loop to others meanwhile: the one who writes may be waiting for a turn of it.
   * @throws the driver's error when it is nobody's turn for too long
   */
  async begin(): Promise<void> {
    for (const until = performance.now() + busyTimeoutMs; !this.#tryBegin(performance.now() < until); ) {
      await new Promise((resolve) => setTimeout(resolve, askAgainMs));
    }
  }

  /** False when somebody else writes just now, and that is `patient`ly borne. */
  #tryBegin(patient: boolean): boolean {
    this.#db.exec('pragma busy_timeout = 0');
    try {
      this.#db.exec('begin immediate');
      return true;
    } catch (error) {
      if (patient && toStoreError(error).code === 'store.busy') {
        return false;
      }
      throw error;
    } finally {
      this.#db.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
    }
  }

  /** Ends a transaction without a word when SQLite has already ended it itself (disk full, I/O error). */
  rollback(): void {
    try {
      this.#db.exec('rollback');
    } catch (error) {
      if (!(error instanceof Error && /no transaction is active/.test(error.message))) {
        throw error;
      }
    }
  }

  async transaction<T>(work: (prepare: (sql: string) => SqliteStatement) => T): Promise<T> {
    if (this.#held || this.#closed) {
      await this.acquire();
    } else {
      // Without a turn of the event loop: who comes first commits first.
      this.#held = true;
    }
    try {
      if (!coded(() => this.#tryBegin(true))) {
        await this.begin().catch((error: unknown) => {
          throw toStoreError(error);
        });
      }
      try {
        const result = work(this.#prepare);
        if (result instanceof Promise) {
          result.catch(() => undefined);
          throw new StoreError('store.failed', 'the work of a synchronous transaction cannot be a promise');
        }
        coded(() => this.#db.exec('commit'));
        return result;
      } catch (error) {
        this.rollback();
        throw error;
      }
    } finally {
      this.release();
    }
  }

  /**
   * Resolves when the connection is the caller's alone. First come, first served.
   * @throws StoreError `store.unavailable` once closed, `store.busy` when the turn does not come.
   */
  async acquire(): Promise<void> {
    if (this.#held) {
      await this.#turn();
    }
    this.#held = true;
    if (this.#closed) {
      this.release();
      throw new StoreError('store.unavailable', 'the store is closed');
    }
  }

  #turn(): Promise<void> {
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
      this.#held = false;
    }
  }

  /** Waits for the transactions before it, then closes; those after it are refused. Closing twice is fine. */
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

class CheckedStatement implements SqliteStatement {
  readonly #raw: RawStatement;

  constructor(raw: RawStatement) {
    this.#raw = raw;
  }

  run(...parameters: unknown[]): number {
    return Number(coded(() => this.#raw.run(...checked(parameters))).changes);
  }

  get<Row>(...parameters: unknown[]): Row | undefined {
    return coded(() => this.#raw.get(...checked(parameters))) as Row | undefined;
  }

  all<Row>(...parameters: unknown[]): Row[] {
    return coded(() => this.#raw.all(...checked(parameters))) as Row[];
  }
}

/** In place: the list was made for the call. */
function checked(parameters: unknown[]): StorableValue[] {
  for (let at = 0; at < parameters.length; at++) {
    parameters[at] = storable(parameters[at]);
  }
  return parameters as StorableValue[];
}

function coded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toStoreError(error);
  }
}

/** SQLite makes its side files with the mode of the main one, so that the mode is set before anything is written. */
function prepareFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
  const { mode, uid } = statSync(path);
  // A file of somebody else's is theirs to close.
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) {
    chmodSync(path, 0o600);
  }
}
