/** A workspace with a list whose scans come from relays and the account, and a naive fold of them. */
import { sql } from 'kysely';
import type { Clock } from '../../src/clock.js';
import { systemRandom } from '../../src/clock.js';
import { runTogether } from '../../src/database/bulk.js';
import { silentLog } from '../../src/log.js';
import { createMirroredScans } from '../../src/mirror/tables/scans.js';
import { createPlaces, type PlaceList, type Places } from '../../src/places/index.js';
import { createRelayStore } from '../../src/relay/relays/relay-rows.js';
import { dated } from '../../src/scans/account/account-scan-rows.js';
import { scanKey } from '../../src/scans/key.js';
import { markReceived } from '../../src/scans/marks.js';
import type { Store } from '../../src/workspaces/types.js';
import { owner, relayRecord } from '../helpers/relay.js';
import { storeReceived } from '../helpers/scans.js';

export type Way = 'in' | 'out' | 'neither';

export interface WorldScan {
  readonly id: string;
  readonly value: string;
  readonly way: Way;
  /** The time by the device's clock. */
  readonly scannedAt: number;
  readonly arrivedAt: number;
  readonly gate: string;
  readonly isOfAccount: boolean;
  /** The user of the scan; by default each scan has a user of its own. */
  readonly user?: string;
  /** The answer to question `q1`. */
  readonly answer?: string | undefined;
}

/** A person who is no member of the workspace any more: Slack opens no conversation with them. */
export const leftSlack = 'U0LEFT';
export const relayId = 'relay1';
const services: Readonly<Record<Way, string>> = { in: '1', out: '2', neither: '3' };
const timestamp = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

export interface World {
  readonly places: Places;
  /** Two instances fold at once, until no list is due. */
  fold(): Promise<void>;
  receive(scan: WorldScan): Promise<void>;
  record(scan: WorldScan): Promise<void>;
  remove(scan: WorldScan): Promise<void>;
  prune(before: number): Promise<void>;
  list(): Promise<PlaceList>;
}

/** @param onSlice called before a slice of barcodes is read for its fold */
export async function createWorld(store: Store, clock: Clock, onSlice?: () => Promise<void>): Promise<World> {
  const { db } = store;
  const { id: mirrorId } = await db
    .insertInto('mirrors')
    .values({
      ...{ ...owner, connected_at: 1, round: 1, scans: 1, read: 1, filled: 1, full_due_at: 1, scans_since: 0 },
      ...{ next_call_at: 1, budget_at: 1 },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await createRelayStore(db).add(relayRecord({ id: relayId, owner }), { id: 'secret1', hash: '0'.repeat(64) });
  const copy = createMirroredScans(store);
  const account = { id: mirrorId, scansSince: 0 };
  const mirror = { view: async () => ({ account }), waitForWrites: async () => undefined } as never;
  const relays = {
    validators: async () => {
      await onSlice?.();
      return [];
    },
  };
  const open = async (_owner: unknown, person: string) => (person === leftSlack ? undefined : `D-${person}`);
  const shared = { store, clock, random: systemRandom, log: silentLog, relays, mirror, open, onPosts: () => undefined };
  const places = createPlaces({ ...shared, instanceId: 'one' });
  const other = createPlaces({ ...shared, instanceId: 'other' });

  const answersOf = ({ answer }: WorldScan) =>
    answer === undefined ? [] : [{ questionId: 'q1', question: 'Due?', answer }];

  return {
    places,

    async fold() {
      await Promise.all([places.folder.poll(), other.folder.poll()]);
      await other.folder.poll();
    },

    async receive(scan) {
      const { id, value, way, scannedAt, arrivedAt, gate, user = `r${id}` } = scan;
      await storeReceived(store, [
        {
          ...{ ...owner, id, relay_id: relayId, received_at: arrivedAt, tid: value, sid: services[way], udid: gate },
          ...{ userid: user, scanned_at_utc: timestamp(scannedAt), answers: JSON.stringify(answersOf(scan)) },
        },
      ]);
      await runTogether(db, [markReceived([{ owner, key: scanKey(value) }])]);
    },

    async record(given) {
      const { id, value, way, scannedAt, arrivedAt, gate, user = `a${id}` } = given;
      const scan = {
        ...{
          id,
          value,
          status: 'valid' as const,
          result: '',
          timestamp: timestamp(scannedAt),
          answers: answersOf(given),
        },
        ...{ timestampReceived: timestamp(arrivedAt), service: { id: services[way], name: '' }, properties: [] },
        ...{ user: { id: user, name: '' }, device: { id: gate, name: '' } },
      };
      await copy.put(mirrorId, 1, [dated(scan, arrivedAt)]);
    },

    remove: ({ id }) => copy.change(mirrorId, [id], true),

    async prune(before) {
      await sql`update scans_pruned set before = ${before} where before < ${before}`.execute(db);
      await sql`delete from received_scans where received_at < ${before}`.execute(db);
    },

    list: async () => (await places.lists(owner))[0]!,
  };
}

export interface Truth {
  /** By barcode: the direction, moment and id of its newest move. */
  readonly places: Readonly<Record<string, string>>;
  readonly inside: number;
  readonly ins: number;
  readonly outs: number;
  readonly outsAlone: number;
  readonly insAgain: number;
  readonly peak: number;
}

const aheadMs = 5 * 60_000;

/** The moves in the order of their moments, from a moment on. */
export function movesNaively(scans: readonly WorldScan[], since: number) {
  return scans
    .filter(({ way }) => way !== 'neither')
    .map((scan) => ({ ...scan, at: scan.scannedAt > scan.arrivedAt + aheadMs ? scan.arrivedAt : scan.scannedAt }))
    .filter(({ at }) => at >= since)
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

/** The figures and places of a list that counts these scans from a moment on. */
export function foldNaively(scans: readonly WorldScan[], since: number): Truth {
  const moves = movesNaively(scans, since);
  const inside = new Set<string>();
  const last: Record<string, string> = {};
  let [outsAlone, insAgain, peak] = [0, 0, 0];
  for (const [n, { value, way, at, id }] of moves.entries()) {
    outsAlone += way === 'out' && !inside.has(value) ? 1 : 0;
    insAgain += way === 'in' && inside.has(value) ? 1 : 0;
    if (way === 'in') inside.add(value);
    else inside.delete(value);
    last[value] = `${way} ${at} ${id}`;
    if (moves[n + 1]?.at !== at) peak = Math.max(peak, inside.size);
  }
  return {
    ...{ places: last, inside: inside.size, outsAlone, insAgain, peak },
    ins: moves.filter(({ way }) => way === 'in').length,
    outs: moves.filter(({ way }) => way === 'out').length,
  };
}

/** The figures and places of the world's list as stored. */
export async function storedTruth({ db }: Store, { places, list }: World): Promise<Truth> {
  const found = await list();
  const rows = await db.selectFrom('places').selectAll().where('run', '=', found.run).execute();
  const { inside, ins, outs, outsAlone, insAgain, peak } = await places.figures(found);
  return {
    places: Object.fromEntries(
      rows.map((row) => [row.value, `${row.inside === 1 ? 'in' : 'out'} ${row.at} ${row.scan_id}`]),
    ),
    ...{ inside, ins, outs, outsAlone, insAgain, peak: peak?.inside ?? 0 },
  };
}

export const settings = {
  in: [{ kind: 'from' as const, what: 'service' as const, ids: [services.in] }],
  out: [{ kind: 'from' as const, what: 'service' as const, ids: [services.out] }],
  ...{ refused: false, zone: 'UTC', devices: {} },
};

/** The tables that a world fills. */
export const tables = [
  ...(['watches', 'loans', 'incidents', 'message_updates', 'outbox', 'channel_queues'] as const),
  ...(['place_lists', 'place_marks', 'place_moves', 'places', 'place_minutes', 'place_spans'] as const),
  ...(['place_gates'] as const),
  ...(['place_runs_ended', 'received_scans', 'account_scans', 'mirrors', 'mirrored_changes'] as const),
  ...(['relay_secrets', 'relays'] as const),
];

/** Forgets a barcode as `/scandesk forget` does: its scans are deleted first. */
export async function forget(store: Store, world: World, value: string): Promise<void> {
  await store.db.deleteFrom('received_scans').where('tid', '=', value).execute();
  const rows = await store.db.selectFrom('account_scans').select(['scan_id', 'record']).execute();
  const ids = rows.flatMap((row) => (JSON.parse(row.record).value === value ? row.scan_id : []));
  await store.db
    .deleteFrom('account_scans')
    .where('scan_id', 'in', [...ids, ''])
    .execute();
  await world.places.forget(owner, value);
}
