/**
 * Admissions by the moment that counts, in any order. Those stored before have no scan: `n1`, `n2`, … stand for it. What
 * relays with a limit within a time admitted so far is read from their scans, too: see `since` in `scans/counters.ts`.
 */
import { type Kysely, sql } from 'kysely';
import { exactText } from './columns.js';
import type { MigrationFor } from './migration.js';

interface RelayRow {
  readonly id: string;
  readonly settings: string;
  readonly counting: string;
  readonly last_scan_at: number | null;
}

interface Limits {
  readonly duplicates?: { readonly withinMinutes?: number };
  readonly atMost?: { readonly of: string; readonly withinMinutes?: number };
}

export const admissions: MigrationFor = (kind) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const exact = exactText(kind);
    await db.schema
      .createTable('admissions')
      .addColumn('relay_id', exact, (column) => column.notNull())
      .addColumn('subject', exact, (column) => column.notNull())
      .addColumn('key', exact, (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('scan_id', exact, (column) => column.notNull())
      .addPrimaryKeyConstraint('admissions_pk', ['relay_id', 'subject', 'key', 'at', 'scan_id'])
      .modifyEnd(kind === 'sqlite' ? sql`without rowid` : sql``)
      .execute();
    await sql`insert into admissions (relay_id, subject, key, at, scan_id)
      select relay_id, subject, key, at, 'n' || n from acceptances`.execute(db);
    await db.schema.dropTable('acceptances').execute();

    const { rows } = await sql<RelayRow>`select id, settings, counting, last_scan_at from relays
      where settings like '%"withinMinutes"%'`.execute(db);
    for (const { id, settings, counting, last_scan_at: lastAt } of rows) {
      const after = countingOf(JSON.parse(settings), JSON.parse(counting), lastAt);
      await sql`update relays set counting = ${JSON.stringify(after)} where id = ${id}`.execute(db);
    }
  },
});

/** What a relay of the former version counts, now by moments. */
export function countingOf({ duplicates, atMost }: Limits, counting: object, lastAt: number | null): object {
  const windows = [
    { of: 'value', minutes: duplicates?.withinMinutes },
    { of: atMost?.of ?? '', minutes: atMost?.withinMinutes },
  ].filter(({ minutes }) => minutes !== undefined);
  const since = lastAt === null ? {} : { since: lastAt + 1 };
  const within = (of: string) => windows.filter((one) => one.of === of).map(({ minutes }) => minutes);
  return {
    ...counting,
    ...Object.fromEntries(windows.map(({ of }) => [of, { within: within(of), ...since }])),
  };
}
