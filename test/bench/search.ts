/**
 * The search benchmark: a million scans of the account and a quarter of a million of relays, searched as people do, on
 * SQLite and on PostgreSQL. Measures the time to the first page and the longest hold of the event loop.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { systemClock, systemRandom } from '../../src/clock.js';
import type { Account } from '../../src/codereadr/types.js';
import { leastId } from '../../src/database/ids.js';
import { silentLog } from '../../src/log.js';
import { createScans } from '../../src/scans/index.js';
import { ensureOwner } from '../../src/scans/owners.js';
import { createScanSearch, type ScanQuery, type SearchScans } from '../../src/search/index.js';
import { firstPageTime } from '../../src/slack/scans/run-search.js';
import { openStore } from '../../src/workspaces/store.js';
import type { Store } from '../../src/workspaces/types.js';
import { mirrorOf } from '../helpers/mirror.js';
import { createDatabase, startPostgres } from '../helpers/postgres.js';
import { owner } from '../helpers/relay.js';
import { percentile, type Row } from './figures.js';
import { watchLoop } from './stalls.js';

const scans = Number(process.env.BENCH_SCANS ?? 1_000_000);
const received = scans / 4;
const rounds = 20;
/** A third of a year, newest an hour ago. */
const everyMs = 10_000;
const newest = Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000;

/** A million tickets have 400,000 barcodes; a hundred kinds begin alike. */
const searches: readonly (readonly [what: string, name: string, queries: readonly ScanQuery[]])[] = [
  ['a whole barcode', 'exact', many((n) => ({ barcode: { match: 'is', text: `K${n % 100}-${n}` } }))],
  ['its beginning, few scans', 'prefix', many((n) => ({ barcode: { match: 'starts', text: `K${n % 100}-${n}` } }))],
  ['its beginning, 12,500 scans', 'longPrefix', many((n) => ({ barcode: { match: 'starts', text: `K${n % 100}-` } }))],
  ['all scans', 'all', many(() => ({}))],
  ['today, not valid', 'today', many(() => ({ when: 'today', results: ['invalid'] }))],
  ['the last 7 days at a service', 'week', many(() => ({ when: 'last 7 days', services: [{ part: 'gate 3' }] }))],
  ['part of a barcode that there is', 'part', many((n) => ({ barcode: { match: 'contains', text: `-${n}` } }))],
  ['part of a barcode that there is not', 'none', many(() => ({ barcode: { match: 'contains', text: 'NOWHERE' } }))],
];

function many(make: (n: number) => ScanQuery): readonly ScanQuery[] {
  return Array.from({ length: rounds }, (_, at) => make((at * 7919 + 13) % 400_000));
}

export async function benchSearch(figures: Map<string, number>): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'scandesk-bench-'));
  const postgres = await startPostgres();
  try {
    return [
      ...(await search('sqlite', `file:${join(folder, 'bench.db')}`, figures)),
      ...(await search('postgres', (await createDatabase(postgres.url)).url, figures)),
    ];
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function search(kind: string, url: string, figures: Map<string, number>): Promise<Row[]> {
  const store = await openStore({
    ...{ url, secretKeys: [Buffer.alloc(32, 1)], clock: systemClock, random: systemRandom, log: silentLog },
  });
  try {
    const began = performance.now();
    await fill(store);
    process.stderr.write(`${kind}: filled in ${Math.round((performance.now() - began) / 1_000)} s\n`);
    const searchScans = createScanSearch({
      clock: systemClock,
      mirror: mirrorOf(store, undefined as never).mirror,
      scans: createScans(store.db),
    });
    const rows: Row[] = [];
    for (const [what, name, queries] of searches) {
      rows.push(await measure(searchScans, { kind, what, name, queries }, figures));
    }
    return rows;
  } finally {
    await store.close();
  }
}

async function measure(
  searchScans: SearchScans,
  one: { kind: string; what: string; name: string; queries: readonly ScanQuery[] },
  figures: Map<string, number>,
): Promise<Row> {
  const took: number[] = [];
  const used: number[] = [];
  const watched = watchLoop();
  let found = 0;
  for (const query of one.queries) {
    const [began, before] = [performance.now(), process.cpuUsage()];
    const answer = await searchScans({
      ...{ owner, account, query, zone: 'Europe/Berlin', limit: 15, ...firstPageTime },
    });
    took.push(performance.now() - began);
    const { user, system } = process.cpuUsage(before);
    used.push((user + system) / 1_000);
    if (answer === 'no_span') {
      throw new Error('no span');
    }
    found += answer.scans.length;
  }
  const { wallMs, cpuMs } = await watched();
  for (const each of [took, used]) {
    each.sort((a, b) => a - b);
  }
  const [p50, p99] = [percentile(took, 0.5), percentile(took, 0.99)];
  for (const [figure, value] of Object.entries({ p50, p99, stallMs: cpuMs })) {
    figures.set(`search.${one.kind}.${one.name}.${figure}`, value);
  }
  process.stderr.write(
    `${one.kind} ${one.name}: ${Math.round(p50)} / ${Math.round(p99)} ms, used ${Math.round(percentile(used, 0.5))} / ${Math.round(percentile(used, 0.99))}, held ${Math.round(cpuMs)} (${Math.round(wallMs)}) ms, ${found} found\n`,
  );
  return {
    what: `search of ${(scans + received).toLocaleString('en')} scans on ${one.kind}: ${one.what}`,
    ours: `first page p50 ${Math.round(p50)} ms, p99 ${Math.round(p99)} ms (${Math.round(percentile(used, 0.5))} and ${Math.round(percentile(used, 0.99))} ms of processor time)`,
    beside: `event loop held ${Math.round(cpuMs)} ms at most`,
    ratio: '',
  };
}

const account = {
  names: {
    services: async () => [],
    users: async () => [],
    devices: async () => [],
  },
} as unknown as Account;

/** By the database itself: what the mirror and the intake write row by row takes minutes. */
async function fill(store: Store): Promise<void> {
  await store.workspaces.connect(owner, 'key', { connectedBy: 'U1', connectedAt: 5 });
  await store.db
    .insertInto('mirrors')
    .values({
      ...owner,
      ...{ round: 1, scans: 1, read: 0, filled: 1, scans_since: 0, scans_at: Date.now(), full_due_at: 0 },
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
    const ticket = '((cast(n as bigint) * 7919) % 400000)';
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
    // As the server itself does by and by.
    await sql.raw('analyze').execute(store.db);
  }
}
