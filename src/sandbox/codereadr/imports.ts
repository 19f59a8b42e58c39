/**
 * CSV imports into a database: streamed, validated row by row, then applied in one transaction, all or nothing. A
 * deferred import survives a restart.
 */
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../../log.js';
import { Refusal } from './answer/refusal.js';
import { readCsv } from './csv.js';
import { type DatabaseRow, keyOf } from './operations/database-row.js';
import { readValue } from './operations/value.js';
import type { Sql } from './store/sqlite.js';

export interface Imports {
  /** Imports a file now. @throws Refusal 1019, 1026; 2 when the service is closed meanwhile */
  run(database: DatabaseRow, path: string, trim: boolean): Promise<void>;
  /** Accepts the file and imports it later, in the order of arrival. */
  defer(database: DatabaseRow, path: string, trim: boolean): Promise<void>;
  /** Resolves when no import is waiting. */
  idle(): Promise<void>;
  /** Runs the deferred imports that an earlier process left unfinished, from their first row. */
  resume(): void;
  close(): Promise<void>;
}

const rowsAtOnce = 1000;

export function createImports(options: { sql: Sql; folder: string; log: Log; now: () => number }): Imports {
  const { sql, folder, log, now } = options;
  let queue: Promise<void> = Promise.resolve();
  let isClosing = false;
  let nextStageId = -1;

  async function importFile(database: DatabaseRow, path: string, trim: boolean): Promise<void> {
    const stage = nextStageId--;
    try {
      await stageRows(stage, database, path, trim);
      applyRows(stage, database);
    } finally {
      sql.run('DELETE FROM import_rows WHERE import_id = ?', stage);
    }
  }

  async function stageRows(stage: number, database: DatabaseRow, path: string, trim: boolean): Promise<void> {
    let batch: (string | number)[][] = [];
    const flush = () =>
      sql.transaction(() => {
        for (const row of batch) {
          sql.run('INSERT INTO import_rows VALUES (?, ?, ?, ?, ?, ?)', ...(row as [number]));
        }
        batch = [];
      });
    for await (const { line, cells } of readCsv(createReadStream(path))) {
      const value = readValue(cells[0] ?? '', trim);
      if (!value.ok) throw new Refusal('1019', `Line ${line}: ${value.why}`);
      const validity = readValidity(cells[2]);
      if (validity === undefined) throw new Refusal('1019', `Line ${line}: the third column must be 1 or 0.`);
      batch.push([stage, line, value.value, keyOf(database, value.value), cells[1] ?? '', validity]);
      if (batch.length >= rowsAtOnce) {
        flush();
        if (isClosing) throw new Refusal('2');
        // The import lets other calls run after each batch of rows.
        await nextTurn();
      }
    }
    flush();
  }

  /** An existing value gets the file's response and validity; of several rows with one value the last wins. */
  function applyRows(stage: number, database: DatabaseRow): void {
    sql.transaction(() => {
      sql.run(
        `INSERT INTO database_values (database_id, value, folded, response, validity)
         SELECT ?, value, folded, response, validity FROM import_rows WHERE import_id = ? ORDER BY line
         ON CONFLICT (database_id, folded) DO UPDATE SET response = excluded.response, validity = excluded.validity`,
        database.id,
        stage,
      );
      sql.run('UPDATE databases SET changed_at = ? WHERE id = ?', now(), database.id);
    });
  }

  async function runDeferred(id: number): Promise<void> {
    const row = sql.get<{ database_id: number; file: string; trim: number }>('SELECT * FROM imports WHERE id = ?', id);
    if (!row || isClosing) return;
    const database = sql.get<DatabaseRow>('SELECT * FROM databases WHERE id = ?', row.database_id);
    try {
      if (database) await importFile(database, row.file, row.trim === 1);
    } catch (error) {
      // An interrupted import is run again at the next start.
      if (isClosing) return;
      // Nobody waits for the outcome: the real service sends an e-mail, this one writes to its log.
      log.warn({ err: error, import: id }, 'a deferred import failed');
    }
    sql.run('DELETE FROM imports WHERE id = ?', id);
    await rm(row.file, { force: true });
  }

  const enqueue = (id: number): void => {
    queue = queue.then(() => runDeferred(id)).catch((error: unknown) => log.error({ err: error }, 'an import failed'));
  };

  return {
    run: importFile,
    defer: async (database, path, trim) => {
      await mkdir(folder, { recursive: true });
      const { id } = sql.run(
        'INSERT INTO imports (database_id, file, trim) VALUES (?, ?, ?)',
        database.id,
        '',
        Number(trim),
      );
      const keptFile = join(folder, `import-${id}.csv`);
      await rename(path, keptFile);
      sql.run('UPDATE imports SET file = ? WHERE id = ?', keptFile, id);
      enqueue(id);
    },
    idle: async () => {
      let lastQueue: Promise<void>;
      do {
        lastQueue = queue;
        await lastQueue;
      } while (lastQueue !== queue);
    },
    resume: () => {
      sql.run('DELETE FROM import_rows');
      sql.run("DELETE FROM imports WHERE file = ''");
      for (const { id } of sql.all<{ id: number }>('SELECT id FROM imports ORDER BY id')) enqueue(id);
    },
    close: async () => {
      isClosing = true;
      await queue;
    },
  };
}

/** The optional third column: whether the value is valid. */
function readValidity(cell: string | undefined): number | undefined {
  const text = (cell ?? '').trim();
  if (text === '' || text === '1') return 1;
  return text === '0' ? 0 : undefined;
}
