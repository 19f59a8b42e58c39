/** The chunks of exports: each is compressed by itself, read alone, and deleted with a few others. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Kysely } from 'kysely';
import { equal } from '../database/equal.js';
import { eraseJobs } from '../database/jobs/job-rows.js';
import type { Schema } from '../database/schema.js';
import { ScandeskError } from '../errors.js';
import type { EraseHook } from '../workspaces/types.js';
import type { ExportRecord } from './types.js';

const compressAsync = promisify(gzip);
const expandAsync = promisify(gunzip);

/** The kind of the jobs that exports are; their keys are the exports' ids. */
export const exportKind = 'export';

/** The most chunks, of about 100 KB each, that one deletion deletes: on SQLite it blocks the event loop. */
const deletedAtOnce = 20;

export async function compress(text: string): Promise<{ readonly content: Uint8Array; readonly bytes: number }> {
  const plain = Buffer.from(text);
  return { content: await compressAsync(plain, { level: 3 }), bytes: plain.length };
}

/** The file from its beginning. @throws ScandeskError `export.restarted` if chunks were deleted meanwhile */
export async function* contentOf(
  db: Kysely<Schema>,
  { id, chunks }: Pick<ExportRecord, 'id' | 'chunks'>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for (let seq = 0; seq < chunks; seq += 1) {
    signal.throwIfAborted();
    const row = await db
      .selectFrom('export_chunks')
      .select('content')
      .where(equal({ export_id: id, seq }))
      .executeTakeFirst();
    if (!row) {
      throw new ScandeskError('export.restarted', 'a chunk of an export is gone');
    }
    yield await expandAsync(row.content);
  }
}

export async function deleteChunks(db: Kysely<Schema>, exportId: string): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom('export_chunks')
      .select('seq')
      .where('export_id', '=', exportId)
      .orderBy('seq')
      .limit(deletedAtOnce)
      .execute();
    if (rows.length === 0) {
      return;
    }
    await db
      .deleteFrom('export_chunks')
      .where('export_id', '=', exportId)
      .where('seq', '<=', rows.at(-1)?.seq ?? 0)
      .execute();
    await nextTurn();
  }
}

/** Deletes the exports of an erased installation, or team. */
export const eraseExports: EraseHook = async (installation, trx, team) => {
  const ids = await eraseJobs({ installation, team, kind: exportKind }, trx);
  return async (db) => {
    for (const id of ids) {
      await deleteChunks(db, id);
    }
  };
};

/** Deletes chunks that belong to no export: a process died before it deleted them. */
export async function sweepChunks(db: Kysely<Schema>): Promise<void> {
  const rows = await db
    .selectFrom('export_chunks')
    .select('export_id')
    .where('export_id', 'not in', (eb) => eb.selectFrom('jobs').select('key').where('kind', '=', exportKind))
    .distinct()
    .execute();
  for (const row of rows) {
    await deleteChunks(db, row.export_id);
  }
}
