import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../src/clock.js';
import { createIds } from '../../src/database/ids.js';
import { createScanCommit, type IncomingScan } from '../../src/relay/commit/index.js';
import { createRelayStore } from '../../src/relay/relays/relay-rows.js';
import { repeatKey } from '../../src/scans/received/repeat-keys.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore, sqliteDatabases } from '../helpers/databases.js';
import { relayRecord } from '../helpers/relay.js';
import { wideIt } from '../helpers/tier/wide-it.js';

const makeId = createIds(systemClock, systemRandom);
const received = Date.parse('2026-11-21T10:00:05Z');
const files = sqliteDatabases();
const years = 365.25 * 86_400_000;

const scanned = (tid: string, fields: Partial<IncomingScan> = {}): IncomingScan => {
  const told = { tid, sid: '1', udid: 'D', userid: '7', scannedAtUtc: '2026-11-21 10:00:00', ...fields };
  return {
    ...{ id: makeId(), relayId: 'r', secretId: 's', receivedAt: received, answers: [], properties: [] },
    ...told,
    submit: [['tid', tid]],
    repeatKey: repeatKey(told),
  };
};

onEachDatabase('a scan posted again', (databases) => {
  let store: Store;
  let url: string;
  beforeAll(async () => {
    url = await databases.fresh();
    store = await openTestStore(url);
    for (const id of ['r', 'other']) {
      await createRelayStore(store.db).add(relayRecord({ id }), { id: id === 'r' ? 's' : 't', hash: id.repeat(64) });
    }
  });
  afterAll(() => store.close());

  const commit = async (...batch: IncomingScan[]) => {
    const results = await createScanCommit(store).commit(batch, () => ({ valid: true, text: '', posts: [] }));
    return results.map(({ kind }) => kind);
  };

  it.each([
    ['in the next second', '2026-11-21 10:00:00', 1_000],
    ['a month later', '2026-11-21 10:00:00', 30 * 86_400_000],
    ['by a device whose clock says 1970', '1970-01-01 00:00:00', 1_000],
    ['once the time that its device’s clock was ahead has come', '2027-11-21 10:00:00', years],
    ['when its time has become older than a device’s time may be', '2026-11-21 10:00:00', 11 * years],
    ['by a device that tells no time that can be read', '21 Nov, 10 am', 1_000],
  ])('a scan posted again %s is recognized as a repeat', async (title, scannedAtUtc, later) => {
    const scan = { scannedAtUtc, ...(title.includes('1970') ? { sid: '70' } : {}) };
    expect(await commit(scanned(title, scan))).toEqual(['stored']);
    expect(await commit(scanned(title, { ...scan, receivedAt: received + later }))).toEqual(['repeat']);
    expect(await commit(scanned(title.toUpperCase(), { ...scan, receivedAt: received + later }))).toEqual(['stored']);
    expect(await commit(scanned(title, { ...scan, userid: '8' }))).toEqual(['stored']);
    expect(await commit(scanned(title, { ...scan, relayId: 'other', secretId: 't' }))).toEqual(['stored']);
  });

  it('a scan that two processes receive at the same moment is stored once', async () => {
    const second = await openTestStore(url);
    try {
      const through = (of: Store, n: number) =>
        createScanCommit(of).commit([scanned(`both-${n}`)], () => ({ valid: true, text: '', posts: [] }));
      for (let n = 0; n < 20; n += 1) {
        const results = await Promise.all([through(store, n), through(second, n)]);
        expect(results.flat().map(({ kind }) => kind)).toEqual(expect.arrayContaining(['stored', 'repeat']));
      }
    } finally {
      await second.close();
    }
  });
});

wideIt('200 scans of 100 devices in an hour write fewer than 400 database pages to the log', async () => {
  const store = await openTestStore(await files.fresh());
  try {
    await createRelayStore(store.db).add(relayRecord({ id: 'r' }), { id: 's', hash: 'f'.repeat(64) });
    const commit = (from: number) =>
      createScanCommit(store).commit(
        Array.from({ length: 50 }, (_, n) =>
          scanned(`T-${from + n}`, {
            udid: `device-${(from + n) % 100}`,
            scannedAtUtc: `2026-11-21 10:${String((from + n) % 60).padStart(2, '0')}:00`,
          }),
        ),
        () => ({ valid: true, text: '', posts: [] }),
      );
    // A tree of one page costs nothing whatever its order.
    for (let n = 0; n < 20_000; n += 50) {
      await commit(n);
    }
    await checkpoint(store);
    for (let n = 20_000; n < 20_200; n += 50) {
      await commit(n);
    }
    expect(await checkpoint(store)).toBeLessThan(400);
  } finally {
    await store.close();
  }
});

/** Returns the pages that the log held. */
async function checkpoint({ db }: Store): Promise<number> {
  const { rows } = await sql<{ log: number }>`pragma wal_checkpoint(passive)`.execute(db);
  return rows[0]!.log;
}
