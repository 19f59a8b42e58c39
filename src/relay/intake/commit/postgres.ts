/**
 * Commit on PostgreSQL: a few statements for a batch, each with its rows as one JSON parameter. Relays are locked
 * first, then queues, in one order everywhere, so that scans are decided in batches and posts numbered in commit order.
 */
import { hash } from 'node:crypto';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { RelaysTable, Schema } from '../../../database/schema.js';
import { enqueue } from '../../delivery/outbox/enqueue.js';
import { toRelay } from '../../relays/records.js';
import { countsOnPostgres, writeCountsOnPostgres } from './counts-postgres.js';
import {
  fromTryRow,
  mostTries,
  type StoredTries,
  type TriedScan,
  type Try,
  type TryRow,
  withEarlier,
} from './earlier.js';
import {
  type CommitResult,
  type Decide,
  type IncomingScan,
  type Plan,
  planCommit,
  type RelayNow,
  type RulesPort,
  type Stored,
  secretName,
} from './plan.js';
import type { StoredScan } from './rows.js';
import { columnNames, fromRow, type ScanRow, toChange, toRow, typedColumns } from './rows.js';
import { rulesOnPostgres, writeRulesOnPostgres } from './rules-postgres.js';

type Trx = Transaction<Schema>;

const columnList = columnNames.join(', ');

export function commitOnPostgres<Ahead>(
  db: Kysely<Schema>,
  batch: readonly IncomingScan<Ahead>[],
  decide: Decide<Ahead>,
  rules: RulesPort,
): Promise<readonly CommitResult[]> {
  return db.transaction().execute(async (trx) => {
    const { relays, attended } = await lockRelays(trx, batch);
    const stored = await readStored(trx, batch);
    const asking = batch.flatMap((scan) => {
      const relay = relays.get(secretName(scan))?.relay;
      return relay ? [{ relay, scan }] : [];
    });
    const known = {
      relays,
      scans: stored.scans,
      counts: await countsOnPostgres(trx, asking),
      rules: await rulesOnPostgres(
        trx,
        asking.map(({ relay, scan: { tid } }) => {
          return { relay, tid, needs: rules.needs(relay), attended: attended.has(relay.id) };
        }),
        stored.ids,
      ),
    };
    const plan = planCommit(batch, known, decide, rules);
    const { inserts, tried } = plan;
    await write(
      trx,
      tried.length > 0 ? { ...plan, inserts: withEarlier(inserts, tried, await storedTries(trx, tried)) } : plan,
    );
    await enqueue(trx, plan);
    await writeRulesOnPostgres(trx, plan);
    return plan.results;
  });
}

/** `attended`: the relays whose owner has a watch or a mute. */
async function lockRelays(
  trx: Trx,
  batch: readonly IncomingScan[],
): Promise<{ relays: Map<string, RelayNow>; attended: Set<string> }> {
  const names = new Map(batch.map((scan) => [secretName(scan), { relay_id: scan.relayId, secret_id: scan.secretId }]));
  const asked = JSON.stringify([...names.values()]);
  const { rows } = await sql<
    Selectable<RelaysTable> & { secret_id: string; secret_used_at: number | null; attended: boolean }
  >`select relays.*, relay_secrets.id as secret_id, relay_secrets.last_used_at as secret_used_at,
      (exists (select 1 from watches where watches.installation = relays.installation and watches.team = relays.team)
        or exists (select 1 from mutes where mutes.installation = relays.installation and mutes.team = relays.team)
      ) as attended
    from json_to_recordset(${asked}::json) as asked (relay_id text, secret_id text)
    join relays on relays.id = asked.relay_id
    join relay_secrets on relay_secrets.id = asked.secret_id and relay_secrets.relay_id = relays.id
    where relay_secrets.ended_at is null and relays.removed_at is null
    order by relays.id
    for no key update of relays`.execute(trx);
  const relays = new Map(
    rows.map((row) => [
      secretName({ relayId: row.id, secretId: row.secret_id }),
      { relay: toRelay(row), secretUsedAt: row.secret_used_at },
    ]),
  );
  return { relays, attended: new Set(rows.filter((row) => row.attended).map(({ id }) => id)) };
}

/** `ids`: of all scans that were found. */
async function readStored(
  trx: Trx,
  batch: readonly IncomingScan[],
): Promise<{ scans: Stored; ids: readonly string[] }> {
  const byKey = new Map<string, StoredScan>();
  const keys = batch.flatMap((scan) => {
    const key = repeatColumn(scan, scan.repeatKey);
    return key === null ? [] : [{ relay_id: scan.relayId, repeat_key: key }];
  });
  if (keys.length > 0) {
    const { rows } = await sql<ScanRow>`select scans.*
      from json_to_recordset(${JSON.stringify(keys)}::json) as asked (relay_id text, repeat_key text)
      join scans on scans.relay_id = asked.relay_id and scans.repeat_key = asked.repeat_key
      where scans.repeat_key is not null`.execute(trx);
    for (const row of rows) {
      byKey.set(`${row.relay_id}:${row.repeat_key}`, fromRow(row));
    }
  }

  const byScanId = new Map<string, StoredScan[]>();
  const ids = batch.flatMap(({ relayId, scanid }) => (scanid === undefined ? [] : [{ relay_id: relayId, scanid }]));
  if (ids.length > 0) {
    const { rows } = await sql<ScanRow & { asked_scanid: string }>`
      with asked as (
        select distinct * from json_to_recordset(${JSON.stringify(ids)}::json)
        as asked (relay_id text, scanid text)
      )
      select scans.*, asked.scanid as asked_scanid from asked
      join scans on scans.id = asked.scanid and scans.relay_id = asked.relay_id
      union all
      select scans.*, asked.scanid as asked_scanid from asked
      join scans on scans.relay_id = asked.relay_id
        and substr(scans.scanid, 1, 200) = substr(asked.scanid, 1, 200) and scans.scanid = asked.scanid
      where scans.scanid is not null`.execute(trx);
    for (const row of rows) {
      const name = `${row.relay_id}:${row.asked_scanid}`;
      byScanId.set(name, [...(byScanId.get(name) ?? []), fromRow(row)]);
    }
  }

  const found = [...byKey.values(), ...[...byScanId.values()].flat()].map(({ scan }) => scan.id);
  return {
    scans: {
      byRepeatKey: (_, scan) => byKey.get(`${scan.relayId}:${repeatColumn(scan, scan.repeatKey)}`),
      byScanId: (relayId, scanid) => byScanId.get(`${relayId}:${scanid}`) ?? [],
    },
    ids: [...new Set(found)],
  };
}

async function storedTries(trx: Trx, tried: readonly TriedScan[]): Promise<StoredTries> {
  const asked = tried.flatMap(({ relayId, spellings }, n) => spellings.map((tid) => ({ n, relay_id: relayId, tid })));
  const { rows } = await sql<TryRow & { n: number | null; before: number }>`
    select pruned.before, tries.*
    from scans_pruned as pruned
    left join lateral (
      select asked.n, earlier.*
      from json_to_recordset(${JSON.stringify(asked)}::json) as asked (n int, relay_id text, tid text)
      join relays on relays.id = asked.relay_id
      cross join lateral (
        select scans.valid, scans.sid, scans.userid, scans.udid, scans.scanned_at_utc, scans.received_at
        from scans
        where scans.installation = relays.installation and scans.team = relays.team
          and substr(scans.tid, 1, 200) = substr(asked.tid, 1, 200) and scans.tid = asked.tid
          and scans.relay_id = relays.id
        order by scans.id limit ${sql.lit(mostTries + 1)}
      ) as earlier
    ) as tries on true`.execute(trx);
  const byId = new Map<string, Try[]>(tried.map(({ id }) => [id, []]));
  for (const row of rows) {
    if (row.n !== null) {
      byId.get(tried[row.n]!.id)?.push(fromTryRow(row));
    }
  }
  return { of: ({ id }) => byId.get(id) ?? [], prunedBefore: rows[0]?.before ?? 0 };
}

/**
 * Short enough for an index, whatever the barcode. The time comes first so that scans of one hour are adjacent in it: a
 * hash alone would make every scan write a page of its own.
 */
function repeatColumn(
  { scannedAtUtc = '' }: Pick<IncomingScan, 'scannedAtUtc'>,
  key: string | undefined,
): string | null {
  return key === undefined ? null : `${scannedAtUtc.slice(0, 19)} ${hash('sha256', key, 'base64url')}`;
}

/** One statement; its parts touch different tables, so their order does not matter. */
async function write(trx: Trx, plan: Plan): Promise<void> {
  const scans = JSON.stringify(
    plan.inserts.map((stored) => ({ ...toRow(stored), repeat_key: repeatColumn(stored.scan, stored.repeatKey) })),
  );
  const tallies = JSON.stringify([...plan.tallies].map(([id, tally]) => ({ id, ...tally })));
  const used = JSON.stringify([...plan.secretsUsed].map(([id, at]) => ({ id, at })));
  await sql`with
    added as (
      insert into scans (${sql.raw(columnList)})
      select ${sql.raw(columnList)} from json_to_recordset(${scans}::json) as scan (${sql.raw(typedColumns)})
    ),
    used as (
      update relay_secrets set last_used_at = note.at
      from json_to_recordset(${used}::json) as note (id text, at bigint)
      where relay_secrets.id = note.id
    )
    update relays set scans = relays.scans + tally.scans,
      last_scan_at = greatest(coalesce(relays.last_scan_at, 0), tally."lastAt")
    from json_to_recordset(${tallies}::json) as tally (id text, scans bigint, "lastAt" bigint)
    where relays.id = tally.id`.execute(trx);
  await writeCountsOnPostgres(trx, plan);
  for (const stored of plan.updates) {
    await trx.updateTable('scans').set(toChange(stored)).where('id', '=', stored.scan.id).execute();
  }
}
