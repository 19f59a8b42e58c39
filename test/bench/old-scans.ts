/** A store filled with old scans, many per transaction, as the app's own commits would have left them. */
import { systemRandom } from '../../src/clock.js';
import { createIds } from '../../src/database/ids.js';
import type { Relay } from '../../src/relay/index.js';
import { type StoredScan, toRow } from '../../src/relay/intake/commit/rows.js';
import { insertScans } from '../../src/relay/intake/commit/write.js';
import { repeatKey } from '../../src/relay/scans/repeat-keys.js';
import type { Store } from '../../src/workspaces/types.js';

const atOnce = 5_000;
const dayMs = 24 * 60 * 60 * 1000;
/** The interval between two scans. */
const everyMs = 1_000;

export async function addOldScans(store: Store, relay: Pick<Relay, 'id' | 'owner'>, count: number) {
  const start = Date.now() - 100 * dayMs;
  let now = start;
  const makeId = createIds({ now: () => now, sleep: async () => undefined }, systemRandom);
  for (let n = 0; n < count; ) {
    const scans: StoredScan[] = [];
    for (const until = n + atOnce; n < until; n += 1) {
      now = start + n * everyMs;
      const submit = [['tid', `OLD-${n}`] as const, ['sid', '1201'] as const, ['userid', '702'] as const];
      const scan = {
        ...{ id: makeId(), relayId: relay.id, owner: relay.owner, receivedAt: now, tid: `OLD-${(n * 7919) % count}` },
        ...{ sid: '1201', userid: '702', udid: `8f14e45f-ceea-467f-9c2b-${n % 97}`, valid: true, text: 'Valid' },
        ...{ scannedAtUtc: new Date(now).toISOString().slice(0, 19).replace('T', ' '), answers: [], properties: [] },
      };
      scans.push({ scan, submits: [submit], repeatKey: repeatKey(scan) });
    }
    await store.db.transaction().execute((trx) => insertScans(trx, scans.map(toRow)));
  }
  return { before: start + count * everyMs };
}
