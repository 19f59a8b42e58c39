/** Places equal the naive fold of what is stored, whatever order scans come in and whatever happens in between. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { effort } from '../helpers/effort.js';
import { owner } from '../helpers/relay.js';
import { createMovableClock } from '../judge/clock.js';
import { createWorld, foldNaively, forget, settings, storedTruth, tables, type WorldScan } from './world.js';

const start = Date.UTC(2026, 2, 1, 18);
const minute = 60_000;

type Step =
  | { readonly do: 'scan'; readonly scan: Omit<WorldScan, 'id' | 'arrivedAt'>; readonly says: number }
  | { readonly do: 'edit' | 'delete'; readonly which: number; readonly way: WorldScan['way'] }
  | { readonly do: 'fold' | 'reset' | 'restart' | 'prune' }
  | { readonly do: 'forget'; readonly value: string }
  | { readonly do: 'wait'; readonly minutes: number };

const value = fc.constantFrom('A', 'a', 'B', 'B\u001d1');
const way = fc.constantFrom('in' as const, 'out' as const, 'in' as const, 'out' as const, 'neither' as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('scan' as const),
      // Few moments, so that several scans share one; some clocks are ahead.
      says: fc.constantFrom(-30, -5, -4, -3, -2, -1, 0, 0, 0, 4, 30).map((minutes) => minutes * minute),
      scan: fc.record({
        ...{ value, way, isOfAccount: fc.boolean(), gate: fc.constantFrom('g1', 'g2') },
        scannedAt: fc.constant(0),
      }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('edit', 'delete'), which: fc.nat(20), way }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('fold' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('reset', 'restart', 'prune') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), value }) },
);

async function play(store: Store, steps: readonly Step[]) {
  for (const table of tables) {
    await store.db.deleteFrom(table).execute();
  }
  await store.db.updateTable('scans_pruned').set({ before: 0 }).execute();
  const clock = createMovableClock(start);
  const world = await createWorld(store, clock);
  await world.places.create(owner, { name: 'Hall', settings }, 'U1');
  let since = start;
  let scans: WorldScan[] = [];
  const pruned = new Set<string>();
  const fold = async () => {
    await world.fold();
    expect(await storedTruth(store, world)).toEqual(foldNaively(scans, since));
  };
  for (const [n, step] of steps.entries()) {
    const ofAccount = scans.filter((scan) => scan.isOfAccount);
    switch (step.do) {
      case 'scan': {
        const now = clock.now();
        // Never at the moment of a relay's scan: once that is pruned, nobody could tell the two apart.
        const scannedAt = now + step.says + (step.scan.isOfAccount ? 30_000 : 0);
        const scan = { ...step.scan, id: String(1_000 + ((n * 37) % 500)), arrivedAt: now, scannedAt };
        await (scan.isOfAccount ? world.record(scan) : world.receive(scan));
        scans.push(scan);
        break;
      }
      case 'edit':
      case 'delete': {
        const scan = ofAccount[step.which % Math.max(1, ofAccount.length)];
        if (scan) {
          const edited = { ...scan, way: step.way };
          scans = scans.flatMap((each) => (each === scan ? (step.do === 'edit' ? edited : []) : each));
          await (step.do === 'edit' ? world.record(edited) : world.remove(scan));
        }
        break;
      }
      case 'fold':
        await fold();
        break;
      case 'wait':
        clock.advance(step.minutes * minute);
        break;
      case 'reset':
        since = clock.now();
        await world.places.reset((await world.list()).id);
        scans = scans.filter((scan) => !pruned.has(scan.id));
        break;
      case 'restart': {
        // Pruned scans cannot be counted by other conditions.
        const { id, settings: before } = await world.list();
        await world.places.change(id, { name: 'Hall', settings: { ...before, refused: !before.refused } });
        scans = scans.filter((scan) => !pruned.has(scan.id));
        break;
      }
      case 'prune': {
        await fold();
        const now = clock.now();
        await world.prune(now);
        for (const scan of scans.filter((each) => !each.isOfAccount && each.arrivedAt < now)) pruned.add(scan.id);
        break;
      }
      case 'forget':
        await forget(store, world, step.value);
        scans = scans.filter((scan) => scan.value !== step.value);
        break;
    }
  }
  await fold();
}

onEachDatabase('the places of a list', (databases) => {
  let store: Store;
  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
  });
  afterAll(() => store.close());

  const runs = effort(databases.kind === 'sqlite' ? { short: 30, long: 10_000 } : { short: 10, long: 1_000 });

  it(
    'a barcode is inside or out by its newest scan (by time, then ID), whatever order scans arrive in',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => play(store, steps)),
        { numRuns: runs, interruptAfterTimeLimit: runs * 2_000 + 30_000, markInterruptAsFailure: true },
      );
    },
    runs * 2_000 + 60_000,
  );

  it('a list’s count starts again from 0 at the list’s hour of the day, with the scans made since', async () => {
    for (const table of tables) {
      await store.db.deleteFrom(table).execute();
    }
    const clock = createMovableClock(Date.UTC(2026, 2, 1, 22));
    const world = await createWorld(store, clock);
    await world.places.create(owner, { name: 'Hall', settings: { ...settings, hour: 5, zone: 'Europe/Berlin' } }, 'U1');
    const scan = { gate: 'g1', isOfAccount: false, way: 'in' as const };
    const arrivedAt = clock.now();
    await world.receive({ ...scan, id: '1', value: 'A', scannedAt: arrivedAt, arrivedAt });
    await world.fold();
    expect((await storedTruth(store, world)).inside).toBe(1);
    clock.advance(6 * 60 * minute);
    await world.fold();
    const list = await world.list();
    expect(new Date(list.resetAt).toISOString()).toBe('2026-03-02T04:00:00.000Z');
    expect((await storedTruth(store, world)).inside).toBe(0);
    expect(await store.db.selectFrom('place_moves').selectAll().execute()).toEqual([]);
    // An upload of the evening that comes late changes nothing of the new day.
    const late = clock.now();
    await world.receive({ ...scan, id: '2', value: 'B', scannedAt: arrivedAt, arrivedAt: late });
    await world.receive({ ...scan, id: '3', value: 'C', scannedAt: late, arrivedAt: late });
    await world.fold();
    expect((await storedTruth(store, world)).places).toEqual({ C: `in ${late} 3` });
  });

  it('a new list counts stored scans, and its preview states how many scans it would have counted', async () => {
    for (const table of tables) {
      await store.db.deleteFrom(table).execute();
    }
    const clock = createMovableClock(Date.UTC(2026, 2, 1, 22));
    const world = await createWorld(store, clock);
    const arrivedAt = clock.now();
    for (let n = 0; n < 900; n += 1) {
      const scannedAt = arrivedAt - (n % 300) * 1_000;
      const way = n % 3 === 0 ? ('out' as const) : ('in' as const);
      const scan = { id: `${n}`, value: `V${n % 450}`, way, gate: n % 2 === 0 ? 'g1' : '', scannedAt, arrivedAt };
      await (n % 5 === 0 ? world.record : world.receive)({ ...scan, isOfAccount: n % 5 === 0 });
    }
    const withHour = { ...settings, hour: 5 };
    const preview = await world.places.preview(owner, withHour);
    await world.places.create(owner, { name: 'Hall', settings: withHour }, 'U1');
    await world.fold();
    const { places: _, peak: __, ...stored } = await storedTruth(store, world);
    expect(stored.ins + stored.outs).toBe(900);
    expect(preview).toMatchObject({ ...stored, scans: 900, withoutGate: 450, reached: undefined });
    const reachedOf = async (percents: number[], capacity?: number) => {
      const alerts = { channel: 'C1', percents };
      return (await world.places.preview(owner, { ...withHour, alerts, ...(capacity ? { capacity } : {}) })).reached;
    };
    const { inside } = stored;
    expect(await reachedOf([50, 100, 200], inside)).toBe(100);
    expect(await reachedOf([100], inside + 1)).toBeUndefined();
    expect(await reachedOf([50])).toBeUndefined();
  });
});
