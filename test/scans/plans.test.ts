/** How the databases read a slice of the walk: by an index from newest to oldest, without a sort or a full scan. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AccountSource, createScans } from '../../src/scans/index.js';
import type { ScanWalk } from '../../src/scans/slice.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { fillScans } from '../helpers/many-scans.js';
import { plansOf as readPlans } from '../helpers/plans.js';
import { owner } from '../helpers/relay.js';

const scans = 40_000;
const everyMs = 10_000;
const newest = Date.UTC(2026, 2, 1, 12);
const oldest = newest - scans * everyMs;
const middle = (newest + oldest) / 2;

onEachDatabase('a slice of the walk', (databases) => {
  let store: Store;
  let source: AccountSource;
  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    source = await fillScans(store, { scans, newest, everyMs });
  });
  afterAll(() => store.close());

  /** The plans of the statements that read the first slice. */
  async function plansOf(walk: Partial<ScanWalk> & { readonly to: number }) {
    const plans = await readPlans(store, /from received_scans|from account_scans/, async (db) => {
      const { value } = await createScans(db)
        .walk(owner, source, { from: oldest, ...walk })
        .next();
      expect(value?.scans.length).toBeGreaterThan(0);
    });
    expect(plans.length).toBeGreaterThan(0);
    return plans.join('\n');
  }

  /**
   * `SCAN received_scans` of SQLite goes through the table, `SCAN r USING INDEX` through an index from end to end, and
   * `SEARCH r USING INDEX … (owner=?)` through all that the owner has.
   */
  const poor =
    /temp b-tree|\bscan (received|account)_scans|\bscan [abert]\b|\((owner|connection)=\?( and scan_id<\?)?\)|seq scan|\bsort\b/i;

  it('a slice of scans by time is read by the index of times', async () => {
    for (const to of [newest + 1, middle]) {
      const plans = await plansOf({ to });
      expect(plans).not.toMatch(poor);
      expect(plans).toMatch(/received_scans_at/);
      expect(plans).toMatch(/account_scans_at/);
    }
  });

  it('a slice of one barcode’s scans is read by the index of barcodes', async () => {
    const plans = await plansOf({ to: newest + 1, barcode: { match: 'is', text: 'K19-7919' } });
    expect(plans).not.toMatch(poor);
    expect(plans).toMatch(/received_scans_key/);
    expect(plans).toMatch(/account_scans_key/);
  });

  it('a slice of the scans of few barcodes with a common beginning is read by the index of barcodes', async () => {
    const plans = await plansOf({ to: newest + 1, barcode: { match: 'starts', text: 'K19-79' } });
    // The few scans are sorted.
    expect(plans.replace(/use temp b-tree for order by|\bsort\b.*/gi, '')).not.toMatch(poor);
    expect(plans).toMatch(/received_scans_key/);
    expect(plans).toMatch(/account_scans_key/);
  });

  it('a slice of one relay’s scans on one day is read by the index of times', async () => {
    const plans = await plansOf({ from: newest - 24 * 60 * 60_000, to: newest + 1, relayId: 'r1' });
    // PostgreSQL may sort the few that it expects of one relay.
    expect(plans.replace(/\bsort\b.*/gi, '')).not.toMatch(poor);
    expect(plans).toMatch(/received_scans_at/);
  });
});
