/** Many scans of one owner: of the account, and a quarter as many that relays received. */
import { sql } from 'kysely';
import { leastId } from '../../src/database/ids.js';
import { ensureOwner } from '../../src/scans/owners.js';
import type { Store } from '../../src/workspaces/types.js';
import { owner } from './relay.js';

export interface ManyScans {
  /** How many scans the account has, of two fifths as many barcodes. */
  readonly scans: number;
  /** When the newest scan was made, and the time between two scans of the account: a quarter of that of relays' scans. */
  readonly newest: number;
  readonly everyMs: number;
}

/** Fills the tables by SQL: the mirror and the intake, which write row by row, would take minutes. */
export async function fillScans(
  store: Store,
  { scans, newest, everyMs }: ManyScans,
): Promise<{ readonly connection: number }> {
  const received = scans / 4;
  await store.workspaces.connect(owner, 'key', { connectedBy: 'U1', connectedAt: 5 });
  await store.db
    .insertInto('mirrors')
    .values({
      ...owner,
      ...{ round: 1, scans: 1, read: 0, filled: 1, scans_since: 0, scans_at: newest, full_due_at: 0 },
      ...{ next_call_at: 0, budget_at: 0, connected_at: 5 },
    } as never)
    .execute();
  const { id } = await store.db.selectFrom('mirrors').select('id').executeTakeFirstOrThrow();
  const number = await ensureOwner(store.db, owner);
  const isSqlite = store.kind === 'sqlite';
  const time = (at: string) =>
    isSqlite
      ? `datetime(${at} / 1000, 'unixepoch')`
      : `to_char(to_timestamp(${at} / 1000) at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS')`;
  const padded = isSqlite ? `printf('%016d', n)` : `lpad(n::text, 16, '0')`;
  for (let from = 0; from < scans; from += 20_000) {
    const numbers = isSqlite
      ? `with recursive numbers (n) as (select ${from} union all select n + 1 from numbers where n + 1 < ${from + 20_000})`
      : `with numbers as (select n from generate_series(${from}, ${from + 19_999}) as n)`;
    const at = `(${newest} - cast(n as bigint) * ${everyMs})`;
    // The multiplier spreads a barcode’s scans over all the time.
    const ticket = `((cast(n as bigint) * 7919) % ${(scans * 2) / 5})`;
    const value = `('K' || (${ticket} % 100) || '-' || ${ticket})`;
    const status = `(case when n % 20 = 0 then 'invalid' else 'valid' end)`;
    const text = `(case when n % 20 = 0 then 'Already used' else 'Adult, three days' end)`;
    const named = (name: string, prefix: string, count: number) =>
      `'"${name}":{"id":"' || (n % ${count}) || '","name":"${prefix} ' || (n % ${count}) || '"}'`;
    const record = `'{"id":"' || n || '","value":"' || ${value} || '","status":"' || ${status} || '","result":"' || ${text} ||
      '","timestamp":"' || ${time(at)} || '",' || ${named('device', 'Phone', 40)} || ',' || ${named('service', 'Gate', 8)} || ',' ||
      ${named('user', 'user', 60)} || ',"answers":[{"questionId":"4","question":"Bag?","answer":"No"}],"properties":[]}'`;
    await sql
      .raw(
        `insert into account_scans (connection, scan_id, key, at, scanned_at, service, user_id, modified_at, record, round) ${numbers}
         select ${id}, cast(n as text), '=' || lower(${value}), ${at}, ${at}, cast(n % 8 as text), cast(n % 60 as text), ${at},
           ${record}, 1 from numbers`,
      )
      .execute(store.db);
    if (from < received) {
      const late = `(${newest} - cast(n as bigint) * ${everyMs * 4} - 5000)`;
      await sql
        .raw(
          `insert into received_scans (id, relay_id, owner, at, scanned_at, received_at, key, tid, sid, userid, udid,
             scanned_at_utc, valid, test, answer_text, answers, properties, raw, late) ${numbers}
           select '${leastId(0).slice(0, 10)}' || ${padded.replaceAll(' n', ` ${received} - n`)}, 'r1', ${number}, ${late}, ${late}, ${late},
             '=' || lower(${value}), ${value}, cast(n % 8 as text),
             cast(n % 60 as text), 'u' || n % 40, ${time(late)}, case when n % 20 = 0 then 0 else 1 end,
             0, ${text}, '[]', '[]', '[]', 0 from numbers`,
        )
        .execute(store.db);
    }
  }
  if (!isSqlite) {
    // The server itself would do so by and by.
    await sql.raw('analyze').execute(store.db);
  }
  return { connection: id };
}
