import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { createIds } from '../../../src/database/ids.js';
import { createScanCommit, type IncomingScan } from '../../../src/relay/intake/commit/index.js';
import { createRelayStore } from '../../../src/relay/relays/table.js';
import { createDeviceScans } from '../../../src/relay/scans/by-device.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { owner, relayRecord, stranger } from '../../helpers/relay.js';

const makeId = createIds(systemClock, systemRandom);

onEachDatabase('the scans of a device', (databases) => {
  let store: Store;

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    await createRelayStore(store.db).add(relayRecord({ id: 'r' }), { id: 's', hash: 'f'.repeat(64) });
  });
  afterAll(() => store.close());

  const scanned = (udid: string | undefined, n: number): IncomingScan => ({
    ...{ id: makeId(), relayId: 'r', secretId: 's', receivedAt: n, tid: `T-${n}`, answers: [], properties: [] },
    submit: [['tid', `T-${n}`]],
    ...(udid === undefined ? {} : { udid }),
  });
  const commit = async (...batch: IncomingScan[]) => {
    await createScanCommit(store).commit(batch, () => ({ valid: true, text: '', posts: [] }));
    return batch.map(({ id }) => id);
  };

  it('are all there at once, newest first, whatever was filed before', async () => {
    const devices = createDeviceScans(store);
    const [first] = await commit(scanned('A', 1), scanned('B', 2), scanned(undefined, 3));
    expect((await devices.of(owner, 'A', 9)).map(({ id }) => id)).toEqual([first]);
    const [second] = await commit(scanned('A', 4));
    expect((await devices.of(owner, 'A', 9)).map(({ id }) => id)).toEqual([second, first]);
    expect((await devices.of(owner, 'A', 1)).map(({ id }) => id)).toEqual([second]);
    expect(await devices.of(stranger, 'A', 9)).toEqual([]);
    expect(await devices.of(owner, 'a', 9)).toEqual([]);
  });

  it('are filed in portions, each once, by whoever comes first', async () => {
    const batch = Array.from({ length: 5_000 }, (_, n) => scanned(`many-${n % 3}`, 100 + n));
    await commit(...batch);
    const [one, other] = [createDeviceScans(store), createDeviceScans(store)];
    const [some, rest] = await Promise.all([one.file(), other.file()]);
    expect(some + rest).toBe(store.kind === 'sqlite' ? 5_000 : 0);
    expect(await one.file()).toBe(0);
    const found = await one.of(owner, 'many-1', 10_000);
    expect(found.length).toBe(1_667);
    expect(new Set(found.map(({ udid }) => udid))).toEqual(new Set(['many-1']));
  });
});
