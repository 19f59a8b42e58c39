import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../src/clock.js';
import { createIds } from '../../src/database/ids.js';
import { createScanCommit, type IncomingScan } from '../../src/relay/commit/index.js';
import { createRelayStore } from '../../src/relay/relays/table.js';
import { repeatKey } from '../../src/scans/received/repeat-keys.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { relayRecord } from '../helpers/relay.js';

const makeId = createIds(systemClock, systemRandom);

const scanned = (tid: string, fields: Partial<IncomingScan> = {}): IncomingScan => {
  const told = { tid, sid: '1', udid: 'D', userid: '7', scannedAtUtc: '2026-11-21 10:00:00', ...fields };
  return {
    ...{ id: makeId(), relayId: 'r', secretId: 's', receivedAt: 1_777_000_000_000, answers: [], properties: [] },
    ...told,
    submit: [['tid', tid]],
    repeatKey: repeatKey(told),
  };
};

onEachDatabase('repeat keys', (databases) => {
  let store: Store;
  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    await createRelayStore(store.db).add(relayRecord({ id: 'r' }), { id: 's', hash: 'f'.repeat(64) });
  });
  afterAll(() => store.close());

  const commit = async (...batch: IncomingScan[]) => {
    const results = await createScanCommit(store).commit(batch, () => ({ valid: true, text: '', posts: [] }));
    return results.map(({ kind }) => kind);
  };

  it('refuse a scan that is stored already, whoever wants to store it', async () => {
    await commit(scanned('once'));
    const [row] = await store.db.selectFrom('received_scans').selectAll().where('tid', '=', 'once').execute();
    const again = store.db.insertInto('received_scans').values({ ...row!, id: makeId() });
    await expect(again.execute()).rejects.toMatchObject({ code: 'store.conflict' });
  });
});
