/** Makes daily reports jobs. A pause of which nobody was notified yet gets its notice. */
import { CompiledQuery, sql } from 'kysely';
import { never } from '../claims/due-rows.js';
import type { MigrationFor } from './migration.js';

type Texts = Readonly<
  Record<'id' | 'installation' | 'team' | 'subject' | 'channel' | 'zone' | 'day' | 'created_by', string>
>;
type Numbers = Readonly<Record<'hour' | 'minute' | 'created_at' | 'due_at' | 'next_at' | 'missed' | 'notice', number>>;
type Times = Readonly<Record<'paused_at' | 'attempt_at' | 'posted_at', number | null>>;
type StoredReport = Texts & Numbers & Times & Readonly<Record<'paused_why' | 'last_code', string | null>>;

export const reportJobs: MigrationFor = () => ({
  async up(db): Promise<void> {
    const { rows } = await sql<StoredReport>`select * from reports`.execute(db);
    for (const row of rows) {
      const { installation, team, id, channel, hour, minute, zone, day, created_by: createdBy, created_at: at } = row;
      const why = row.paused_why ?? undefined;
      const paused = row.paused_at === null ? undefined : { at: row.paused_at, why };
      const fields = { subject: subjectOf(row.subject), channel, hour, minute, zone, day, createdBy };
      const schedule = { paused, pausing: paused ? undefined : why, dueAt: row.due_at, missed: row.missed };
      const last = { postedAt: row.posted_at ?? undefined, lastCode: row.last_code ?? undefined };
      const state = { ...fields, ...schedule, ...last, attemptAt: row.attempt_at ?? undefined };
      const add = (kind: string, key: string, job: object, dueAt: number) =>
        sql`insert into jobs (installation, team, kind, key, state, created_at, due_at, failures)
          values (${installation}, ${team}, ${kind}, ${key}, ${JSON.stringify(job)}, ${at}, ${dueAt}, 0)`.execute(db);
      await add('report', id, state, paused ? never : row.next_at);
      if (paused && row.notice === 1) {
        const notice = { source: { kind: 'report', id }, people: [createdBy], detail: '{}' };
        await add('notice', `report.${id}.paused.${paused.at}`, notice, 0);
      }
    }
    await db.executeQuery(CompiledQuery.raw('drop table reports'));
  },
});

/** The stored subject; one that is no JSON counts as a relay that is gone. */
function subjectOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { relay: '' };
  }
}
