import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../src/clock.js';
import { createIds } from '../../src/database/ids.js';
import { createScanCommit, type IncomingScan } from '../../src/relay/commit/index.js';
import { createRelayStore } from '../../src/relay/relays/relay-rows.js';
import { createScanStore } from '../../src/scans/received/received-scan-rows.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { owner, relayRecord, stranger } from '../helpers/relay.js';

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

  it('a device’s scans are read newest first, right after they are stored, without other devices’ scans', async () => {
    const scans = createScanStore(store.db);
    const [first] = await commit(scanned('A', 1), scanned('B', 2), scanned(undefined, 3));
    expect((await scans.ofRelay(owner, 'r', { udid: 'A', limit: 9 })).scans.map(({ id }) => id)).toEqual([first]);
    const [second] = await commit(scanned('A', 4));
    expect((await scans.ofRelay(owner, 'r', { udid: 'A', limit: 9 })).scans.map(({ id }) => id)).toEqual([
      second,
      first,
    ]);
    expect((await scans.ofRelay(owner, 'r', { udid: 'A', limit: 1 })).scans.map(({ id }) => id)).toEqual([second]);
    expect((await scans.ofRelay(stranger, 'r', { udid: 'A', limit: 9 })).scans).toEqual([]);
    expect((await scans.ofRelay(owner, 'r', { udid: 'a', limit: 9 })).scans).toEqual([]);
  });
});
