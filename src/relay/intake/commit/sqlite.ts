/** Commit on SQLite: prepared statements in one synchronous IMMEDIATE transaction, which excludes other writers. */
import type { Selectable } from 'kysely';
import type { RelaysTable } from '../../../database/schema.js';
import type { SqliteFastPath, SqliteStatement } from '../../../database/types.js';
import { toRelay } from '../../relays/records.js';
import { countsOnSqlite, writeCountsOnSqlite } from './counts-sqlite.js';
import { fromTryRow, mostTries, type StoredTries, type TryRow, withEarlier } from './earlier.js';
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
import { columnNames, fromRow, type ScanRow, toChange, toValues } from './rows.js';
import { rulesOnSqlite, writeRulesOnSqlite } from './rules-sqlite.js';

type Prepare = (sql: string) => SqliteStatement;

const selectRelay = `
  select relays.*, relay_secrets.last_used_at as secret_used_at
  from relays join relay_secrets on relay_secrets.relay_id = relays.id
  where relays.id = ? and relay_secrets.id = ? and relay_secrets.ended_at is null and relays.removed_at is null`;
/** Uses the index on values, whose entries of one barcode are in time order. */
const selectByRepeatKey = `
  select * from scans
  where installation = ? and team = ? and substr(tid, 1, 200) = substr(?, 1, 200) and scanned_at_utc is ?
    and relay_id = ? and tid = ? and sid is ? and udid is ? and userid is ? order by id limit 1`;
const selectById = 'select * from scans where id = ? and relay_id = ?';
const selectByScanId = `
  select * from scans
  where relay_id = ? and substr(scanid, 1, 200) = substr(?, 1, 200) and scanid = ? and scanid is not null order by id`;
const insertScan = `insert into scans (${columnNames.join(', ')}) values (${columnNames.map(() => '?').join(', ')})`;
const updateScan = 'update scans set scanid = ?, answers = ?, properties = ?, raw = ? where id = ?';
const updateTally = `
  update relays set scans = scans + ?, last_scan_at = max(coalesce(last_scan_at, 0), ?) where id = ?`;
/** Uses the index on values, in its order. */
const selectTries = `
  select scans.valid, scans.sid, scans.userid, scans.udid, scans.scanned_at_utc, scans.received_at
  from scans join relays on relays.id = ?
  where scans.installation = relays.installation and scans.team = relays.team
    and substr(scans.tid, 1, 200) = substr(?, 1, 200) and scans.tid = ? and scans.relay_id = relays.id
  order by scans.scanned_at_utc, scans.id limit ${mostTries + 1}`;
const selectPruned = 'select before from scans_pruned';
const updateSecret = 'update relay_secrets set last_used_at = ? where id = ?';

export function commitOnSqlite<Ahead>(
  sqlite: SqliteFastPath,
  batch: readonly IncomingScan<Ahead>[],
  decide: Decide<Ahead>,
  rules: RulesPort,
): Promise<readonly CommitResult[]> {
  return sqlite.transaction((prepare) => {
    const known = {
      relays: readRelays(prepare, batch),
      scans: storedScans(prepare),
      counts: countsOnSqlite(prepare),
      rules: rulesOnSqlite(prepare),
    };
    const plan = planCommit(batch, known, decide, rules);
    const { inserts, tried } = plan;
    write(prepare, tried.length > 0 ? { ...plan, inserts: withEarlier(inserts, tried, storedTries(prepare)) } : plan);
    return plan.results;
  });
}

function readRelays(prepare: Prepare, batch: readonly IncomingScan[]): Map<string, RelayNow> {
  const relays = new Map<string, RelayNow>();
  const seen = new Set<string>();
  for (const scan of batch) {
    const name = secretName(scan);
    if (seen.has(name)) {
      continue;
    }
    seen.add(name);
    const row = prepare(selectRelay).get<Selectable<RelaysTable> & { secret_used_at: number | null }>(
      scan.relayId,
      scan.secretId,
    );
    if (row) {
      relays.set(name, { relay: toRelay(row), secretUsedAt: row.secret_used_at });
    }
  }
  return relays;
}

function storedScans(prepare: Prepare): Stored {
  const repeats = prepare(selectByRepeatKey);
  return {
    byRepeatKey({ installation, team }, { relayId, tid, scannedAtUtc, sid, udid, userid }) {
      const row = repeats.get<ScanRow>(installation, team, tid, scannedAtUtc, relayId, tid, sid, udid, userid);
      return row && fromRow(row);
    },
    byScanId(relayId, scanid) {
      const own = prepare(selectById).get<ScanRow>(scanid, relayId);
      const others = prepare(selectByScanId).all<ScanRow>(relayId, scanid, scanid);
      return [...(own ? [own] : []), ...others].map(fromRow);
    },
  };
}

function storedTries(prepare: Prepare): StoredTries {
  const tries = prepare(selectTries);
  return {
    of: ({ relayId, spellings }) => spellings.flatMap((tid) => tries.all<TryRow>(relayId, tid, tid).map(fromTryRow)),
    prunedBefore: prepare(selectPruned).get<{ before: number }>()?.before ?? 0,
  };
}

function write(prepare: Prepare, plan: Plan): void {
  const scans = prepare(insertScan);
  for (const stored of plan.inserts) {
    scans.run(...toValues(stored));
  }
  for (const stored of plan.updates) {
    const change = toChange(stored);
    prepare(updateScan).run(change.scanid, change.answers, change.properties, change.raw, stored.scan.id);
  }
  writeRulesOnSqlite(prepare, plan);
  for (const [relayId, { scans, lastAt }] of plan.tallies) {
    prepare(updateTally).run(scans, lastAt, relayId);
  }
  for (const [secretId, at] of plan.secretsUsed) {
    prepare(updateSecret).run(at, secretId);
  }
  writeCountsOnSqlite(prepare, plan);
}
