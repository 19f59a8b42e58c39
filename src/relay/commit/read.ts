/**
 * Reads of a commit, in bulk and before the decision: the relays, locked; the scans that incoming ones may repeat; the
 * counts; rule data. Relays are locked in the order of their ids, so that commits cannot deadlock.
 */
import { CompiledQuery, type Selectable, type Transaction } from 'kysely';
import { readCounts } from '../../counters/read-counts.js';
import { bulkStatement } from '../../database/bulk.js';
import type { ReceivedScansTable, RelaysTable, Schema } from '../../database/schema.js';
import { scanKey } from '../../scans/key.js';
import { oldestReceived, receivedByRepeatKey, receivedByScanId } from '../../scans/received/commit.js';
import { utcMoment } from '../../scans/received/received-scan-rows.js';
import { type RelayRecord, toRelay } from '../record/records.js';
import { fromTryRow, type StoredTries, type TriedScan, type Try, type TryRow } from './earlier.js';
import { secretName } from './plan.js';
import { readRules } from './read-rules.js';
import { fromRow, type StoredScan } from './rows.js';
import type { IncomingScan, RelayNow, Repeats, RulesPort, StoredFacts } from './types.js';

type Trx = Transaction<Schema>;
type Received = Selectable<ReceivedScansTable>;

/** A scan whose relay exists, with the number of the scan's owner. */
interface KnownScan {
  readonly relay: RelayRecord;
  readonly ownerId: number;
  readonly scan: IncomingScan;
}

export async function readStored(trx: Trx, batch: readonly IncomingScan[], rules: RulesPort): Promise<StoredFacts> {
  const { relays, watched } = await readRelays(trx, batch);
  const knownScans = batch.flatMap((scan) => {
    const now = relays.get(secretName(scan));
    return now ? [{ relay: now.relay, ownerId: now.ownerId, scan }] : [];
  });
  const { scans, ids } = await readRepeats(trx, knownScans);
  return {
    relays,
    scans,
    counts: await readCounts(trx, knownScans, (relay) => rules.needs(relay).counts ?? [], rules.countsAround),
    rules: await readRules(trx, knownScans, { ids, watched, needs: rules.needs }),
  };
}

type RelayRow = Selectable<RelaysTable> & {
  readonly secret_id: string;
  readonly secret_used_at: number | null;
  readonly watched: boolean | 0 | 1;
};

const lockRelays = bulkStatement(
  { relay_id: 'text', secret_id: 'text' },
  ({ kind, input }) => `
    select relays.*, relay_secrets.id as secret_id, relay_secrets.last_used_at as secret_used_at,
      (exists (select 1 from watches where watches.installation = relays.installation and watches.team = relays.team)
        or exists (select 1 from mutes where mutes.installation = relays.installation and mutes.team = relays.team)
      ) as watched
    from ${input} cross join relays cross join relay_secrets
    where relays.id = input.relay_id and relay_secrets.id = input.secret_id and relay_secrets.relay_id = relays.id
      and relay_secrets.ended_at is null and relays.removed_at is null
    ${kind === 'postgres' ? 'order by relays.id for no key update of relays, relay_secrets' : ''}`,
);

/** Reads and locks the relays. `watched`: the relays whose owner has a watch or a mute. */
async function readRelays(trx: Trx, batch: readonly IncomingScan[]) {
  const names = new Map(batch.map((scan) => [secretName(scan), { relay_id: scan.relayId, secret_id: scan.secretId }]));
  const rows = await lockRelays<RelayRow>(trx, [...names.values()]);
  const relays = new Map<string, RelayNow>();
  const watched = new Set<string>();
  for (const row of rows) {
    const relay = toRelay(row);
    const now = { relay, ownerId: row.owner, secretUsedAt: row.secret_used_at };
    relays.set(secretName({ relayId: row.id, secretId: row.secret_id }), now);
    if (row.watched) {
      watched.add(row.id);
    }
  }
  return { relays, watched };
}

/** Reads the scans that incoming ones may repeat. `ids`: the ids of all scans found. */
async function readRepeats(trx: Trx, batch: readonly KnownScan[]): Promise<{ scans: Repeats; ids: readonly string[] }> {
  const owners = new Map(batch.map(({ relay }) => [relay.id, relay.owner]));
  const toStored = (row: Received): StoredScan => fromRow(row, owners.get(row.relay_id)!);
  const byKey = new Map<string, StoredScan>();
  const keyed = batch.filter(({ scan }) => scan.repeatKey !== undefined);
  for (const row of await receivedByRepeatKey<Received>(trx, keyed.map(toIdentity))) {
    byKey.set(`${row.relay_id}:${row.repeat_key}`, toStored(row));
  }

  const byScanId = new Map<string, StoredScan[]>();
  const scanNames = new Map(
    batch.flatMap(({ ownerId, scan: { relayId, scanid } }) =>
      scanid === undefined ? [] : [[`${relayId}:${scanid}`, { relay_id: relayId, owner: ownerId, scanid }]],
    ),
  );
  const rows = [...(await receivedByScanId<Received & { input_id: string; own: 0 | 1 }>(trx, [...scanNames.values()]))];
  for (const row of rows.sort((a, b) => b.own - a.own || (a.id < b.id ? -1 : 1))) {
    const name = `${row.relay_id}:${row.input_id}`;
    byScanId.set(name, [...(byScanId.get(name) ?? []), toStored(row)]);
  }

  const storedScans = [...byKey.values(), ...[...byScanId.values()].flat()];
  return {
    scans: {
      byRepeatKey: (relayId, key) => byKey.get(`${relayId}:${key}`),
      byScanId: (relayId, scanid) => byScanId.get(`${relayId}:${scanid}`) ?? [],
    },
    ids: [...new Set(storedScans.map(({ scan }) => scan.id))],
  };
}

function toIdentity({ ownerId, scan: { relayId, repeatKey, tid, scannedAtUtc } }: KnownScan) {
  const scannedAt = utcMoment(scannedAtUtc);
  return { relay_id: relayId, owner: ownerId, key: scanKey(tid), scanned_at: scannedAt, repeat_key: repeatKey };
}

const selectPruned = CompiledQuery.raw('select before from scans_pruned') as CompiledQuery<{ before: number }>;

/** Reads the earlier scans for the summaries, once the plan says which scans get one. */
export async function readTries(trx: Trx, triedScans: readonly TriedScan[]): Promise<StoredTries> {
  const spelt = triedScans.flatMap(({ id, relayId, spellings }) =>
    spellings.map((tid) => ({ id, relay_id: relayId, key: scanKey(tid), tid })),
  );
  const byId = new Map<string, Try[]>();
  for (const row of await oldestReceived<TryRow & { n: number }>(trx, spelt)) {
    const { id } = spelt[row.n]!;
    byId.set(id, [...(byId.get(id) ?? []), fromTryRow(row)]);
  }
  const { rows } = await trx.executeQuery(selectPruned);
  return { triesOf: ({ id }) => byId.get(id) ?? [], prunedBefore: rows[0]?.before ?? 0 };
}
