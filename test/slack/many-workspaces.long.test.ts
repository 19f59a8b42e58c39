import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../src/clock.js';
import { createAccounts } from '../../src/codereadr/index.js';
import type { Accounts } from '../../src/codereadr/types.js';
import { createIds } from '../../src/database/ids.js';
import { silentLog } from '../../src/log.js';
import { createLookups, type Lookups } from '../../src/lookup/index.js';
import { createMetrics } from '../../src/metrics.js';
import type { Owner } from '../../src/ownership.js';
import { createScanCommit } from '../../src/relay/commit/index.js';
import type { Relays } from '../../src/relay/index.js';
import { createScans } from '../../src/scans/index.js';
import { scanKey } from '../../src/scans/key.js';
import { createScanStore } from '../../src/scans/received/received-scan-rows.js';
import { forgetBarcode } from '../../src/slack/forget/forget-barcode.js';
import { recentLookups, recordLookups } from '../../src/slack/lookup/recent-lookups.js';
import { lookupRecords } from '../../src/slack/lookup/record-store.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { mirrorOf, type TestMirror } from '../helpers/mirror.js';
import { gate, relaysOf } from '../helpers/relay.js';
import { receivedOf } from '../helpers/scans.js';

/** Workspaces with the same barcodes, devices, databases, people's ids and record ids; only what is stored differs. */
const workspaces = Array.from({ length: 100 }, (_, n): Owner => {
  const team = `T${String(n).padStart(3, '0')}`;
  // Every tenth belongs to one organization.
  return { installation: n % 10 === 0 ? 'E000' : team, team };
});
const people = Array.from({ length: 50 }, (_, n) => `U${String(n).padStart(2, '0')}`);
const shared = 'TICKET-1';
const canaryOf = ({ team }: Owner) => `canary-${team}-`;
const never = new AbortController().signal;

onEachDatabase('100 workspaces with 50 people each', ({ fresh }) => {
  let store: Store;
  let accounts: Accounts;
  let testMirror: TestMirror;
  let lookups: Lookups;
  let relays: Relays;
  const relayIds = new Map<Owner, string>();

  beforeAll(async () => {
    store = await openTestStore(await fresh());
    accounts = createAccounts({
      ...{ apiUrl: 'http://127.0.0.1:1/api/', generatorUrl: 'http://127.0.0.1:1/api/', callsPerMinute: 30 },
      cache: (namespace, options) => store.keyv(namespace, options),
      ...{ clock: systemClock, random: systemRandom, log: silentLog, metrics: createMetrics() },
    });
    testMirror = mirrorOf(store, accounts);
    relays = relaysOf(store);
    lookups = createLookups({
      ...{ clock: systemClock, mirror: testMirror.mirror },
      ...{ scans: createScans(store.db), relays },
    });
    for (const owner of workspaces) {
      await fill(owner);
    }
  }, 120_000);
  afterAll(async () => {
    await accounts?.close();
    await store?.close();
  });

  const keyOf = (owner: Owner) => `key-${owner.team}`;
  const makeId = createIds(systemClock, systemRandom);

  /** The account's side of a workspace as the mirror keeps it, and what its relay received. */
  async function fill(owner: Owner): Promise<void> {
    const now = systemClock.now();
    const canary = canaryOf(owner);
    await store.workspaces.connect(owner, keyOf(owner), { connectedBy: 'U00', connectedAt: 5 });
    const mirror = await store.db
      .insertInto('mirrors')
      .values({
        ...{ ...owner, connected_at: 5, round: 1, scans: 1, read: 0, filled: 1, scans_since: 0, scans_at: now },
        ...{ full_due_at: now, next_call_at: now, budget_at: now },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const named = (what: string) => ({ id: '1', name: `${canary}${what}` });
    const record = {
      ...{ id: '77', value: shared, status: 'valid', result: `${canary}result`, timestamp: '2026-01-01 10:00:00' },
      ...{ device: named('device'), service: named('service'), user: named('user'), answers: [], properties: [] },
    };
    await store.db
      .insertInto('account_scans')
      .values({
        ...{ connection: mirror.id, scan_id: '77', key: scanKey(shared), at: now, modified_at: now },
        ...{ service: '1', user_id: '1' },
        ...{ record: JSON.stringify(record), round: 1 },
      })
      .execute();
    const database = await store.db
      .insertInto('mirrored_databases')
      .values({
        ...{ ...owner, database_id: '1021', name: `${canary}database`, case_sensitive: 1, connected_at: 5, round: 1 },
        ...{ size: 1, fetched_at: now, due_at: now + 3_600_000, failures: 0, read: 0 },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await store.db
      .insertInto('mirrored_values')
      .values({
        ...{
          mirror_id: database.id,
          key: `=${shared}`,
          value: shared,
          valid: 1,
          response: `${canary}response`,
          round: 1,
        },
      })
      .execute();
    const { relay } = await relays.create({ ...gate, owner, serviceName: `${canary}relay`, channel: 'C0SAME' });
    relayIds.set(owner, relay.id);
    const secret = await store.db
      .selectFrom('relay_secrets')
      .select('id')
      .where('relay_id', '=', relay.id)
      .executeTakeFirstOrThrow();
    const scan = { id: makeId(), relayId: relay.id, secretId: secret.id, receivedAt: now, tid: shared, udid: 'phone' };
    await createScanCommit(store).commit([{ ...scan, submit: [], answers: [], properties: [] }], () => ({
      ...{ valid: true, text: `${canary}received`, posts: [] },
    }));
    await store.audit.add(owner, {
      ...{ at: now, who: 'U00', where: 'C0SAME', what: 'relay/watch', outcome: 'ok' },
      detail: { value: shared, note: `${canary}audit` },
    });
    const watched = { channel: 'C0SAME', who: 'U00', forMs: 30 * 86_400_000 };
    await relays.watches.watch(owner, { ...watched, value: `${canary}watched` });
  }

  const lookUp = (owner: Owner) =>
    lookups.lookup({ owner, account: accounts.open(keyOf(owner)), value: shared, databaseIds: ['1021'] });

  /** All data that a workspace can see, by the store or function that reads the data. */
  async function shown(owner: Owner): Promise<Readonly<Record<string, unknown>>> {
    const scans = createScanStore(store.db);
    const deps = { store, clock: systemClock };
    return {
      lookup: await lookUp(owner),
      card: await lookupRecords.find({ store }, owner, 'same-id'),
      recent: await Promise.all(people.map((userId) => recentLookups(deps, { owner, userId }))),
      relays: await relays.list(owner),
      received: await receivedOf(store, owner, shared),
      device: (await scans.ofRelay(owner, relayIds.get(owner)!, { udid: 'phone', limit: 500 })).scans,
      relayScans: (await scans.ofRelay(owner, relayIds.get(owner)!, { limit: 500 })).scans,
      watches: await relays.watches.list(owner, { who: 'U00', channel: 'C0SAME' }),
      audit: await store.audit.list(owner, { limit: 500 }),
      databases: await testMirror.mirror.states(owner),
    };
  }

  const everybody = async () => {
    const all = await Promise.all(workspaces.map(async (owner) => [owner, await shown(owner)] as const));
    for (const [owner, parts] of all) {
      for (const [part, answer] of Object.entries(parts)) {
        const canaries = new Set(JSON.stringify(answer ?? '').match(/canary-T\d{3}-/g));
        expect([owner.team, part, [...canaries]]).toEqual([owner.team, part, [canaryOf(owner)]]);
      }
    }
  };

  it('100 workspaces with 50 people each see only their own lookups, relays, scans, watches and audit', async () => {
    const all = await Promise.all(workspaces.map(async (owner) => [owner, await lookUp(owner)] as const));
    for (const [owner, lookup] of all) {
      await lookupRecords.save({ store, random: systemRandom }, owner, { lookup }, 'same-id');
      for (const userId of people) {
        const looked = { ...lookup, value: `${canaryOf(owner)}${userId}` };
        await recordLookups({ store, clock: systemClock }, { owner, userId }, [looked], 5);
      }
    }
    await everybody();
    for (const owner of workspaces) {
      const other = workspaces[(workspaces.indexOf(owner) + 10) % 100]!;
      expect(await relays.get(owner, relayIds.get(other)!)).toBeUndefined();
      expect((await createScanStore(store.db).ofRelay(owner, relayIds.get(other)!, { limit: 9 })).scans).toEqual([]);
    }
  }, 240_000);

  it('99 workspaces keep the scan and the stored card of a barcode that another workspace forgets', async () => {
    const [first, ...others] = workspaces as [Owner, ...Owner[]];
    const exports = { restart: async () => undefined };
    const places = { forget: async () => 0 } as never;
    const deps = { store, clock: systemClock, mirror: testMirror.mirror, places, exports };
    const forgotten = await forgetBarcode(deps, first, shared, { keepCounts: false, stop: never });
    expect(forgotten).toMatchObject({ scans: 1, cards: 1, entries: 1 });
    expect(await receivedOf(store, first, shared)).toEqual([]);
    for (const owner of others) {
      expect(await receivedOf(store, owner, shared)).toHaveLength(1);
      expect(await lookupRecords.find({ store }, owner, 'same-id')).toBeDefined();
    }
  }, 60_000);
});
