import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../src/clock.js';
import { createIds } from '../../src/database/ids.js';
import { createScanCommit, type IncomingScan } from '../../src/relay/intake/commit/index.js';
import { createRelayStore } from '../../src/relay/relays/table.js';
import { createRepeatKeyBackfill, repeatKey } from '../../src/scans/received/repeat-keys.js';
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
  const keysOf = async (tid: string) =>
    (await store.db.selectFrom('scans').select('repeat_key').where('tid', '=', tid).orderBy('id').execute()).map(
      (row) => row.repeat_key,
    );
  /** As a version without keys left it on SQLite. */
  const forgetKeys = async () => {
    await store.db.updateTable('scans').set({ repeat_key: null }).execute();
    await store.db.deleteFrom('repeat_key_backfill').execute();
    await store.db.insertInto('repeat_key_backfill').values({ after: '' }).execute();
  };
  const fill = () => createRepeatKeyBackfill(store, systemClock).run(new AbortController().signal);

  it('refuse a scan that is stored already, whoever wants to store it', async () => {
    await commit(scanned('once'));
    const [row] = await store.db.selectFrom('scans').selectAll().where('tid', '=', 'once').execute();
    const again = store.db.insertInto('scans').values({ ...row!, id: makeId() });
    await expect(again.execute()).rejects.toMatchObject({ code: 'store.conflict' });
  });

  it('are filled for older scans: of those stored twice the first has one, and none stops it', async () => {
    await store.db.deleteFrom('scans').execute();
    const twice = scanned('twice');
    await commit(twice, scanned('alone'), scanned('no device', { udid: undefined }));
    await forgetKeys();
    const [row] = await store.db.selectFrom('scans').selectAll().where('id', '=', twice.id).execute();
    for (let n = 0; n < 40; n++) {
      await store.db
        .insertInto('scans')
        .values({ ...row!, id: makeId() })
        .execute();
    }
    await commit(scanned('new'));
    expect(await fill()).toBe(44);
    expect(await keysOf('twice')).toEqual([twice.repeatKey, ...Array(40).fill(null)]);
    expect(await keysOf('alone')).toEqual([scanned('alone').repeatKey]);
    expect(await keysOf('no device')).toEqual([null]);
    expect(await store.db.selectFrom('repeat_key_backfill').selectAll().execute()).toEqual([]);
    expect(await fill()).toBe(0);
    expect(await commit(scanned('twice'), scanned('alone'))).toEqual(['repeat', 'repeat']);
  });

  it('are not missed while they are being filled: a scan from before is still known', async () => {
    await store.db.deleteFrom('scans').execute();
    const [old, other] = [scanned('old'), scanned('old', { udid: 'E' })];
    await commit(old, other);
    await forgetKeys();
    expect(await commit(scanned('old'), scanned('old', { userid: '8' }), scanned('old', { udid: 'E' }))).toEqual([
      'repeat',
      'stored',
      'repeat',
    ]);
    await fill();
    expect(await keysOf('old')).toEqual([old.repeatKey, other.repeatKey, scanned('old', { userid: '8' }).repeatKey]);
  });
});
