/** A store filled with old scans and counters, many per transaction, as the app's own commits would have left them. */
import { sql } from 'kysely';
import { systemRandom } from '../../src/clock.js';
import { ruleSubject } from '../../src/counters/counters.js';
import { createIds } from '../../src/database/ids.js';
import { type StoredScan, toRow } from '../../src/relay/commit/rows.js';
import type { Relay } from '../../src/relay/index.js';
import { ensureOwner } from '../../src/scans/owners.js';
import { insertReceived } from '../../src/scans/received/commit.js';
import { repeatKey } from '../../src/scans/received/repeat-keys.js';
import type { Store } from '../../src/workspaces/types.js';

const atOnce = 5_000;
const dayMs = 24 * 60 * 60 * 1000;
const everyMs = 1_000;

export async function addOldScans(store: Store, relay: Pick<Relay, 'id' | 'owner'>, count: number) {
  const start = Date.now() - 100 * dayMs;
  let now = start;
  const makeId = createIds({ now: () => now, sleep: async () => undefined }, systemRandom);
  const ownerId = await ensureOwner(store.db, relay.owner);
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
      scans.push({ scan, ownerId, submits: [submit], repeatKey: repeatKey(scan) });
    }
    await store.db.transaction().execute((trx) => insertReceived(trx, scans.map(toRow)));
  }
  return { before: start + count * everyMs };
}

/** Adds the counters of the relay's first rule: `count` barcodes, each counted once. */
export async function addCounters({ db }: Store, { id, settings }: Pick<Relay, 'id' | 'settings'>, count: number) {
  const [rule] = settings.rules;
  for (let n = 0; rule && n < count; n += atOnce) {
    const rows = Array.from(
      { length: Math.min(atOnce, count - n) },
      (_, at) =>
        sql`(${id}, ${ruleSubject({ ruleId: rule.id }, 'value')}, ${`=OLD-${((n + at) * 7919) % count}`}, 1, 1, 1, 1, 1)`,
    );
    await sql`insert into counters (relay_id, subject, key, seen, first_at, last_at, accepted, last_accepted_at)
      values ${sql.join(rows)}`.execute(db);
  }
}
