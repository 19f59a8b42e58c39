/** Adds the jobs, and moves requested erasures and the notices of finished ones there from `keyv`. */
import { CompiledQuery, sql } from 'kysely';
import type { MigrationFor } from './migration.js';

interface StoredErasure {
  readonly value: { readonly who: string; readonly at: number; readonly erasedAt?: number };
}

export const jobs: MigrationFor = (kind) => ({
  async up(db): Promise<void> {
    const exact = kind === 'sqlite' ? 'text' : 'text collate "C"';
    for (const statement of [
      `create table jobs (
        installation ${exact} not null, team ${exact} not null, kind ${exact} not null, key ${exact} not null,
        state text not null, created_at bigint not null, due_at bigint not null, failures integer not null,
        claimed_by ${exact}, claimed_until bigint,
        constraint jobs_pk primary key (installation, team, kind, key)
      )`,
      'create index jobs_due on jobs (kind, due_at)',
    ]) {
      await db.executeQuery(CompiledQuery.raw(statement));
    }
    const { rows } = await sql<{
      key: string;
      value: string;
    }>`select key, value from keyv where namespace = 'erasure'`.execute(db);
    for (const { key, value } of rows) {
      const { who, at, erasedAt } = (JSON.parse(value) as StoredErasure).value;
      const [installation, team] = key.split(':');
      const notice = { source: { kind: 'workspace', id: team }, people: [who], detail: `{"what":"erased","at":${at}}` };
      const [kindOfJob, name, state] =
        erasedAt === undefined ? ['erasure', '', { who, at }] : ['notice', `erased:${key}:${at}`, notice];
      await sql`insert into jobs (installation, team, kind, key, state, created_at, due_at, failures)
        values (${installation}, ${team}, ${kindOfJob}, ${name}, ${JSON.stringify(state)}, ${at}, 0, 0)`.execute(db);
    }
    await db.executeQuery(CompiledQuery.raw(`delete from keyv where namespace = 'erasure'`));
  },
});
