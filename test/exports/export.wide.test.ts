import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { type ExportWhat, eraseExports } from '../../src/exports/index.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { owner, stranger } from '../helpers/relay.js';
import { createMovableClock } from '../judge/clock.js';
import {
  allScans,
  connect,
  createShelf,
  exportsOf,
  fill,
  openExports,
  request,
  someScans,
  start,
  until,
  type WorldScan,
} from './world.js';

const minute = 60_000;

onEachDatabase('an export', ({ fresh }) => {
  let store: Store;

  beforeEach(async () => {
    store = await openTestStore(await fresh());
    store.onErase(eraseExports);
    await connect(store);
  });
  afterEach(() => store.close());

  const read = (file: Buffer | undefined): string[][] => parse(file ?? '', { record_delimiter: '\r\n' });
  const chunks = async () => (await store.db.selectFrom('export_chunks').select('seq').execute()).length;
  const rows = () => openExports(store);
  /** The values in the order of an export: newest first, those of one second by value. */
  const sorted = (values: readonly { readonly at: number; readonly value: string }[]) =>
    values.toSorted((a, b) => b.at - a.at || (a.value < b.value ? -1 : 1)).map(({ at, value }) => `${at} ${value}`);
  const inFile = (file: Buffer | undefined) =>
    read(file)
      .slice(1)
      .map(([value = '', , , at = '']) => ({ value, at: Date.parse(at) }));

  it('an export that several processes continue one after another has every scan once', async () => {
    const scans = someScans(9_000);
    await fill(store, scans);
    const shelf = createShelf();
    await exportsOf(store, shelf).request(request());
    let instances = 0;
    for (; shelf.told.length === 0; instances += 1) {
      const exports = exportsOf(store, shelf);
      exports.start();
      const before = await chunks();
      await until(async () => shelf.told.length > 0 || (await chunks()) > before);
      await exports.stop();
    }
    expect(instances).toBeGreaterThan(2);
    expect(sorted(inFile([...shelf.shared.values()][0]))).toEqual(sorted(scans));
  });

  it('an export is run by one of two instances, and a workspace’s exports run one after the other', async () => {
    await connect(store, stranger);
    const scans = someScans(7_000);
    await fill(store, scans);
    await fill(
      store,
      someScans(100).map((scan): WorldScan => ({ ...scan, id: scan.id + 100_000 })),
      stranger,
    );
    const shelf = createShelf();
    const instances = [exportsOf(store, shelf), exportsOf(store, shelf)] as const;
    const first = await instances[0].request(request());
    // Requests of one millisecond have no order.
    await systemClock.sleep(2);
    const asked = [
      first,
      await instances[1].request(request()),
      await instances[1].request(request(allScans, { owner: stranger })),
    ].map((one) => (one as { id: string }).id);
    let most = 0;
    for (const exports of instances) {
      exports.start();
    }
    await until(async () => {
      const open = (await rows()).filter((row) => row.claimed_by !== null);
      most = Math.max(most, open.filter(({ team }) => team === owner.team).length);
      return shelf.told.length === 3;
    });
    await Promise.all(instances.map((exports) => exports.stop()));
    expect(most).toBe(1);
    for (const id of asked.slice(0, 2)) {
      expect(sorted(inFile(shelf.shared.get(id)))).toEqual(sorted(scans));
    }
    expect(inFile(shelf.shared.get(asked[2] ?? ''))).toHaveLength(100);
    const order = shelf.told.map(({ id }) => id);
    expect(order.indexOf(asked[0] ?? '')).toBeLessThan(order.indexOf(asked[1] ?? ''));
  });

  const out: ExportWhat = { kind: 'out', text: '', zone: 'UTC', role: 'everyone' };

  it('a file that Slack refuses to delete is tried again for over 12 hours, and then stays in Slack', async () => {
    const clock = createMovableClock(start);
    const tries: number[] = [];
    const shelf = createShelf({
      async remove() {
        tries.push(clock.now() - start);
        return { outcome: 'refused', code: 'slack.cant_delete_file' };
      },
    });
    const exports = exportsOf(store, shelf, { clock });
    const { id } = (await exports.request(request(out))) as { id: string };
    exports.start();
    await until(async () => {
      clock.advance(tries.length === 0 ? 20 * minute : minute);
      return (await rows()).length === 0;
    });
    await exports.stop();
    expect(shelf.shared.size).toBe(1);
    expect(tries[0]).toBeGreaterThanOrEqual(24 * 60 * minute);
    expect((tries.at(-1)! - tries[0]!) / minute).toBeGreaterThan(12 * 60);
    expect(tries.length).toBeLessThan(40);
    expect(shelf.notices).toEqual([`${id}.ended`]);
  });
});
