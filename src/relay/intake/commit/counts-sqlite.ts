/** Counters of a commit on SQLite, each read on demand: the transaction excludes other writers. */
import type { SqliteStatement } from '../../../database/types.js';
import type { CounterName, ScanCounter, StoredCount, StoredCounts } from './counter.js';

type Prepare = (sql: string) => SqliteStatement;

const selectCounter = `
  select seen, first_at as firstAt, last_at as lastAt, accepted, last_accepted_at as lastAcceptedAt
  from counters where relay_id = ? and subject = ? and key = ?`;
const selectAcceptance = 'select at from acceptances where relay_id = ? and subject = ? and key = ? and n = ?';
/** By the index on values, which begins with the owner. */
const ofValue = `
  from scans join relays on relays.id = ?
  where scans.installation = relays.installation and scans.team = relays.team
    and substr(scans.tid, 1, 200) = substr(?, 1, 200) and scans.tid = ? and scans.relay_id = relays.id`;
const moment = 'coalesce(made_at, received_at)';
const countValue = `
  select count(*) as seen, min(${moment}) as firstAt, max(${moment}) as lastAt, coalesce(sum(valid), 0) as accepted,
    max(case when valid = 1 then ${moment} end) as lastAcceptedAt ${ofValue}`;
const selectLast = `select scans.id, ${moment} as at ${ofValue} and scans.valid = 1 order by scans.id desc limit ?`;
const upsertCounter = `
  insert into counters (relay_id, subject, key, seen, first_at, last_at, accepted, last_accepted_at)
  values (?, ?, ?, ?, ?, ?, ?, ?)
  on conflict (relay_id, subject, key) do update set seen = excluded.seen, first_at = excluded.first_at,
    last_at = excluded.last_at, accepted = excluded.accepted, last_accepted_at = excluded.last_accepted_at`;
const upsertAcceptance = `
  insert into acceptances (relay_id, subject, key, n, at) values (?, ?, ?, ?, ?)
  on conflict (relay_id, subject, key, n) do update set at = excluded.at`;
const forgetAcceptances = 'delete from acceptances where relay_id = ? and subject = ? and key = ? and n <= ?';

export function countsOnSqlite(prepare: Prepare): StoredCounts {
  return {
    counter({ relayId, subject, key }: CounterName, spellings: readonly string[]): StoredCount | undefined {
      const row = prepare(selectCounter).get<StoredCount>(relayId, subject, key);
      if (row || subject !== 'value') {
        return row;
      }
      return spellings
        .map((tid) => prepare(countValue).get<StoredCount>(relayId, tid, tid))
        .reduce((sum, found) => (found && found.seen > 0 ? added(sum, found) : sum), undefined);
    },
    acceptedAt: ({ relayId, subject, key }, n) =>
      prepare(selectAcceptance).get<{ at: number }>(relayId, subject, key, n)?.at,
    lastAccepted: ({ relayId }, spellings, last) =>
      spellings
        .flatMap((tid) => prepare(selectLast).all<{ id: string; at: number }>(relayId, tid, tid, last))
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .map(({ at }) => at),
  };
}

function added(sum: StoredCount | undefined, more: StoredCount): StoredCount {
  return sum === undefined
    ? more
    : {
        seen: sum.seen + more.seen,
        firstAt: Math.min(sum.firstAt, more.firstAt),
        lastAt: Math.max(sum.lastAt, more.lastAt),
        accepted: sum.accepted + more.accepted,
        lastAcceptedAt:
          sum.lastAcceptedAt === null || more.lastAcceptedAt === null
            ? (sum.lastAcceptedAt ?? more.lastAcceptedAt)
            : Math.max(sum.lastAcceptedAt, more.lastAcceptedAt),
      };
}

export function writeCountsOnSqlite(
  prepare: Prepare,
  { counters, acceptances }: Pick<ScanCounter, 'counters' | 'acceptances'>,
): void {
  for (const row of counters) {
    prepare(upsertCounter).run(
      row.relayId,
      row.subject,
      row.key,
      row.seen,
      row.firstAt,
      row.lastAt,
      row.accepted,
      row.lastAcceptedAt,
    );
  }
  for (const { relayId, subject, key, n, at, last } of acceptances) {
    prepare(upsertAcceptance).run(relayId, subject, key, n, at);
    prepare(forgetAcceptances).run(relayId, subject, key, n - last);
  }
}
