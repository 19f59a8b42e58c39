/** Makes exports jobs: open ones go on, files that are to be deleted from Slack get a job each, ended ones are told. */
import { CompiledQuery, sql } from 'kysely';
import type { MigrationFor } from './migration.js';

type Columns = Readonly<
  Record<'id' | 'installation' | 'team' | 'who' | 'channel' | 'what' | 'mode' | 'position', string>
>;
type Texts = Readonly<Record<'state' | 'message_channel' | 'file_id' | 'outcome', string | null>>;
type Times = Readonly<Record<'connected_at' | 'expected' | 'shown_at' | 'shared_at' | 'delete_at', number | null>>;
type Numbers = Readonly<Record<'chunks' | 'rows' | 'bytes' | 'created_at' | 'due_at', number>>;
type StoredExport = Columns & Texts & Times & Numbers;

export const exportJobs: MigrationFor = () => ({
  async up(db): Promise<void> {
    const { rows: stored } = await sql<StoredExport>`select * from exports`.execute(db);
    for (const row of stored) {
      const { installation, team, id, who, channel, state, created_at: createdAt } = row;
      const what: unknown = JSON.parse(row.what);
      const place = row.message_channel ?? undefined;
      const add = (kind: string, key: string, job: object, dueAt: number) =>
        sql`insert into jobs (installation, team, kind, key, state, created_at, due_at, failures)
          values (${installation}, ${team}, ${kind}, ${key}, ${JSON.stringify(job)}, ${createdAt}, ${dueAt}, 0)`.execute(
          db,
        );
      if (state !== 'ended') {
        const shown = { place, shownAt: row.shown_at ?? undefined, fileId: row.file_id ?? undefined };
        const times = { sharedAt: row.shared_at ?? undefined, deleteAt: row.delete_at ?? undefined };
        const read = { position: JSON.parse(row.position), chunks: row.chunks, rows: row.rows, bytes: row.bytes };
        const about = { connectedAt: row.connected_at ?? undefined, expected: row.expected ?? undefined };
        await add(
          'export',
          id,
          { who, channel, what, mode: row.mode, state, ...about, ...read, ...shown, ...times },
          0,
        );
        continue;
      }
      const ended = { id, who, channel, place, what, rows: row.rows, outcome: row.outcome ?? '' };
      const detail = JSON.stringify(ended);
      const shown = await sql`select 1 from outbox where key = ${id} and state <> 'dead'`.execute(db);
      await sql`update outbox set detail = ${detail} where key = ${id}`.execute(db);
      if (row.file_id !== null && row.delete_at !== null) {
        await add('export_file', id, { ended, fileId: row.file_id }, row.delete_at);
      } else if (row.outcome !== 'done' && shown.rows.length === 0) {
        await add('notice', `${id}.ended`, { source: { kind: 'export', id }, people: [who], detail }, 0);
      }
    }
    await db.executeQuery(CompiledQuery.raw('drop table exports'));
  },
});
