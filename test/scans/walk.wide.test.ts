/** The walk over scans while others write them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAccountScans, dated } from '../../src/scans/account/account-scan-rows.js';
import { createScans } from '../../src/scans/index.js';
import { ever } from '../../src/scans/walk.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { effort } from '../helpers/effort.js';
import { owner } from '../helpers/relay.js';
import { storeReceived } from '../helpers/scans.js';

const noon = Date.UTC(2026, 2, 1, 12);
const connection = 7;
const walks = effort({ short: 100, long: 400 });

onEachDatabase('a scan that a relay received', (databases) => {
  let store: Store;
  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
  });
  afterAll(() => store.close());

  it('a relay’s scan is in every list once, while the account’s record of it is being added or deleted', async () => {
    const timestamp = '2026-03-01 12:00:00';
    await storeReceived(store, [
      { ...owner, id: 'r-1', relay_id: 'east', received_at: noon, tid: 'A', sid: '1', scanned_at_utc: timestamp },
    ]);
    const nobody = { id: '', name: '' };
    const scan = dated(
      {
        ...{ id: '5', value: 'A', status: 'valid', result: '', timestamp, service: { id: '1', name: '' } },
        ...{ user: nobody, device: nobody, answers: [], properties: [] },
      },
      noon,
    );
    const copy = createAccountScans(store);
    let isOver = false;
    const changing = (async () => {
      for (let n = 0; !isOver; n += 1) {
        await (n % 2 === 0
          ? store.db.transaction().execute((trx) => copy.put(trx, connection, 1, [scan]))
          : copy.delete(store.db, connection, ['5']));
      }
      return 'ended';
    })();
    const counts = new Map<number, number>();
    for (let n = 0; n < walks; n += 1) {
      let found = 0;
      const walk = { ...ever, barcode: { match: 'is', text: 'A' } } as const;
      for await (const slice of createScans(store.db).walk(owner, { connection }, walk)) {
        found += slice.scans.length;
      }
      counts.set(found, (counts.get(found) ?? 0) + 1);
    }
    isOver = true;
    expect(await changing).toBe('ended');
    expect([...counts]).toEqual([[1, walks]]);
  });
});
