import { statSync } from 'node:fs';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/clock.js';
import { createIds } from '../../src/database/ids.js';
import { createScanCommit } from '../../src/relay/commit/index.js';
import { createRelayStore } from '../../src/relay/relays/relay-rows.js';
import { createPrune } from '../../src/relay/retention/retention.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore, sqliteDatabases } from '../helpers/databases.js';
import { relayRecord } from '../helpers/relay.js';

const day = 24 * 60 * 60 * 1000;
const now = Date.UTC(2026, 10, 22);

/** Scans of one relay, all 100 days old. */
async function addOldScans(store: Store, count: number, text = 'x'): Promise<void> {
  const at = now - 100 * day;
  await createRelayStore(store.db).add(relayRecord({ id: 'r' }), { id: 's', hash: 'f'.repeat(64) });
  const makeId = createIds({ now: () => at, sleep: async () => undefined }, systemRandom);
  const scans = Array.from({ length: count }, (_, n) => ({
    ...{ id: makeId(), relayId: 'r', secretId: 's', receivedAt: at, tid: `T-${n}`, udid: `device ${n % 7}` },
    ...{ submit: [['tid', text] as const], answers: [], properties: [] },
  }));
  await createScanCommit(store).commit(scans, () => ({ valid: true, text: '', posts: [] }));
}

const countScans = async ({ db }: Store): Promise<number> =>
  Number(
    (
      await db
        .selectFrom('received_scans')
        .select((eb) => eb.fn.countAll().as('count'))
        .executeTakeFirst()
    )?.count,
  );

onEachDatabase('pruning', ({ fresh }) => {
  let store: Store;

  beforeEach(async () => {
    store = await openTestStore(await fresh());
  });
  afterEach(() => store.close());

  /** Prunes with a clock on which each slice takes `ms`; returns each pause and the scans deleted before it. */
  async function pauses(ms: number, stop = new AbortController().signal) {
    let passed = 0;
    let left = await countScans(store);
    const told: { readonly pause: number; readonly scans: number }[] = [];
    const clock = {
      now: () => now,
      steady: () => {
        passed += ms;
        return passed;
      },
      sleep: async (pause: number) => {
        const before = left;
        left = await countScans(store);
        told.push({ pause, scans: before - left });
      },
    };
    const dropped = await createPrune(store, clock)(now - 90 * day, stop);
    return { told, dropped };
  }

  it('pruning works for a fifth of the time: each portion is followed by a pause four times as long', async () => {
    await addOldScans(store, 300);
    const { told, dropped } = await pauses(3);
    expect(dropped.scans).toBe(300);
    expect(told.length).toBeGreaterThan(9);
    expect(new Set(told.map(({ pause }) => pause))).toEqual(new Set([12]));
    expect(Math.max(...told.map(({ scans }) => scans))).toBe(32);
  });

  it('pruning deletes more rows in a portion where the database is quick, 256 at most', async () => {
    await addOldScans(store, 1_000);
    const scans = (await pauses(1)).told.map((one) => one.scans);
    expect(scans.reduce((sum, count) => sum + count)).toBe(1_000);
    expect(Math.max(...scans)).toBe(256);
  });

  it('SQLite syncs every commit again after pruning', async () => {
    await addOldScans(store, 100);
    await pauses(3);
    if (store.kind === 'sqlite') {
      expect((await sql<{ synchronous: number }>`pragma synchronous`.execute(store.db)).rows).toEqual([
        { synchronous: 2 },
      ]);
    }
  });

  it('pruning deletes no more than 32 rows in a portion where each portion takes long', async () => {
    await addOldScans(store, 200);
    const { told } = await pauses(50);
    expect(Math.max(...told.map(({ scans }) => scans))).toBe(32);
    expect(new Set(told.map(({ pause }) => pause))).toEqual(new Set([200]));
    expect(await countScans(store)).toBe(0);
  });
});

async function pages({ db }: Store): Promise<{ readonly pages: number; readonly free: number }> {
  const { rows } = await sql<{ pages: number; free: number }>`
    select page_count as pages, freelist_count as free from pragma_page_count, pragma_freelist_count`.execute(db);
  return rows[0]!;
}

describe('a SQLite file', () => {
  const databases = sqliteDatabases();
  const never = new AbortController().signal;
  let url: string;

  beforeEach(async () => {
    url = await databases.fresh();
  });

  const pathOf = () => url.slice('file:'.length);
  const fileSize = async (store: Store) => {
    await sql`pragma wal_checkpoint(truncate)`.execute(store.db);
    return statSync(pathOf()).size;
  };
  /** Returns how many pages the file had at each pause. */
  const prune = async (store: Store) => {
    const sizes: number[] = [];
    const sleep = async () => void sizes.push((await pages(store)).pages);
    await createPrune(store, { now: () => now, steady: () => 0, sleep })(now - 90 * day, never);
    return sizes;
  };

  it('a SQLite file gives pruned space back some pages at a time, and leaves at most a tenth free', async () => {
    const store = await openTestStore(url);
    await addOldScans(store, 1_500, 'x'.repeat(3_000));
    const before = await fileSize(store);
    const sizes = await prune(store);
    const left = await pages(store);
    expect(left.free).toBeLessThanOrEqual(left.pages / 10);
    expect(before).toBeGreaterThan(4_000_000);
    expect(await fileSize(store)).toBeLessThan(before / 4);
    await store.close();
    const steps = sizes.slice(1).map((size, n) => sizes[n]! - size);
    expect(steps.filter((step) => step > 0).length).toBeGreaterThan(4);
    // SQLite's pointer-map pages, which say where pages are, go too.
    expect(Math.max(...steps)).toBeLessThanOrEqual(256 + 4);
  });
});
