/**
 * The figures of a list whose day, zone and scans are changed, looked at at any instant: they equal a naive fold of the
 * scans since the last beginning, or say that scans are being counted.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PlaceFigures } from '../../src/places/index.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { effort } from '../helpers/effort.js';
import { owner } from '../helpers/relay.js';
import { wideIt } from '../helpers/tier/wide-it.js';
import { createMovableClock } from '../judge/clock.js';
import { createWorld, foldNaively, movesNaively, settings, tables, type World, type WorldScan } from './world.js';

const start = Date.UTC(2026, 2, 27, 18, 7);
const minute = 60_000;
const hour = 60 * minute;
const zones = ['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Europe/Berlin'] as const;

interface Day {
  readonly hour: number | undefined;
  readonly zone: (typeof zones)[number];
}

type Step =
  | {
      readonly do: 'scan';
      readonly value: string;
      readonly way: 'in' | 'out';
      readonly ago: number;
      readonly gate: string;
    }
  | { readonly do: 'many'; readonly count: number; readonly ago: number }
  | { readonly do: 'day'; readonly day: Day }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'fold' | 'look' | 'reset' | 'anew' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      ...{ do: fc.constant('scan' as const), value: fc.constantFrom('A', 'B', 'C', 'D') },
      ...{ way: fc.constantFrom('in' as const, 'in' as const, 'out' as const), gate: fc.constantFrom('g1', 'g2', '') },
      ago: fc.constantFrom(0, 0, 0, 7 * minute, 95 * minute, 5 * hour, 26 * hour, 100 * hour),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('many' as const),
      ...{ count: fc.constantFrom(20, 130), ago: fc.constantFrom(0, 3 * hour) },
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('day' as const),
      day: fc.record({ hour: fc.constantFrom(undefined, 0, 4, 5, 18, 19, 23), zone: fc.constantFrom(...zones) }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(minute, hour, 9 * hour, 30 * hour) }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('fold' as const, 'look' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('reset' as const, 'anew' as const) }) },
);

/** The last moment at which the zone's clocks showed a full hour: the day's, or one that a change of clocks skipped. */
function lastBeginning({ hour: wanted, zone }: Day, now: number): number {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
  let at = now - (now % (15 * minute));
  while (clock.format(at) !== `${String(wanted).padStart(2, '0')}:00`) at -= 15 * minute;
  return at;
}

function figuresNaively(scans: readonly WorldScan[], since: number, now: number) {
  const { places: _, ...counts } = foldNaively(scans, since);
  const moves = movesNaively(scans, since);
  const recent = moves.filter(({ at }) => at > now - hour);
  const gates = [...new Set(moves.map(({ gate }) => gate))].map((gate) => {
    const there = moves.filter((move) => move.gate === gate);
    return `${gate}: ${there.filter(({ way }) => way === 'in').length} ${there.filter(({ way }) => way === 'out').length}`;
  });
  const ins = recent.filter(({ way }) => way === 'in').length;
  return { ...counts, since, lastHour: { ins, outs: recent.length - ins }, gates: gates.sort() };
}

function shown({ peak, gates, counting: _, ...figures }: PlaceFigures) {
  const named = gates.map(({ gate, ins, outs }) => `${gate}: ${ins} ${outs}`).sort();
  return { ...figures, peak: peak?.inside ?? 0, gates: named };
}

async function play(store: Store, steps: readonly Step[]) {
  for (const table of tables) await store.db.deleteFrom(table).execute();
  const clock = createMovableClock(start);
  /** Others look while the list is folded: what they see is the state before, the state after, or not sure. */
  const world = await createWorld(store, clock, async () => {
    if (isFolding) await look(await world.list());
  });
  let isFolding = false;
  await world.places.create(owner, { name: 'Hall', settings }, 'U1');
  const scans: WorldScan[] = [];
  /** How many scans were there when all marks were folded. */
  let folded = 0;
  let day: Day = { hour: undefined, zone: 'UTC' };
  let [began, cleared] = [start, 0];
  const since = () => (day.hour === undefined ? began : Math.max(lastBeginning(day, clock.now()), cleared));
  const look = async (list: Awaited<ReturnType<World['list']>>) => {
    const figures = await world.places.figures(list);
    if (figures.counting) return;
    const known = [folded, scans.length].map((count) =>
      JSON.stringify(figuresNaively(scans.slice(0, count), since(), clock.now())),
    );
    const truth = known.map((text) => JSON.parse(text));
    expect(truth).toContainEqual(shown(figures));
  };
  const fold = async () => {
    isFolding = true;
    await world.fold();
    isFolding = false;
    folded = scans.length;
    const figures = await world.places.figures(await world.list());
    expect(figures.counting).toBe(false);
    expect(shown(figures)).toEqual(figuresNaively(scans, since(), clock.now()));
  };
  const add = async (scan: Pick<WorldScan, 'value' | 'way' | 'gate'>, ago: number) => {
    const now = clock.now();
    const id = String(10_000 + scans.length);
    const made = { ...scan, id, isOfAccount: false, arrivedAt: now, scannedAt: now - ago };
    await world.receive(made);
    scans.push(made);
    clock.advance(1_000);
  };
  for (const each of steps) {
    switch (each.do) {
      case 'scan':
        await add(each, each.ago);
        break;
      case 'many':
        for (let n = 0; n < each.count; n += 1) await add({ value: `V${n}`, way: 'in', gate: 'g1' }, each.ago);
        break;
      case 'day': {
        const { id, settings: before } = await world.list();
        began = since();
        day = each.day;
        const changed = { ...before, zone: day.zone, hour: day.hour };
        const { inside } = await world.places.preview(owner, changed, { list: await world.list() });
        expect(inside).toBe(foldNaively(scans, since()).inside);
        await world.places.change(id, { name: 'Hall', settings: changed });
        await look(await world.list());
        break;
      }
      case 'wait':
        clock.advance(each.ms);
        break;
      case 'look':
        await look(await world.list());
        break;
      case 'fold':
        await fold();
        break;
      case 'reset':
        await world.places.reset((await world.list()).id);
        [began, cleared] = [clock.now(), clock.now()];
        // Scans say when they were made to the second.
        clock.advance(1_000);
        break;
      case 'anew': {
        const { id, settings: before } = await world.list();
        await world.places.change(id, { name: 'Hall', settings: { ...before, refused: !before.refused } });
        break;
      }
    }
  }
  await fold();
}

const found: [Step[]][] = [
  // A list of weeks gets a day, and a list whose day began an hour later does.
  ...[undefined, 19].map((first): [Step[]] => [
    [
      { do: 'day', day: { hour: first, zone: 'UTC' } },
      { do: 'scan', value: 'A', way: 'in', gate: 'g1', ago: 0 },
      { do: 'wait', ms: 30 * hour },
      { do: 'scan', value: 'B', way: 'in', gate: 'g1', ago: 0 },
      { do: 'day', day: { hour: 18, zone: 'UTC' } },
      { do: 'look' },
      { do: 'wait', ms: 9 * hour },
    ],
  ]),
  [[{ do: 'reset' }, { do: 'reset' }, { do: 'scan', value: 'A', way: 'in', gate: 'g1', ago: 0 }]],
];

onEachDatabase('the days of a list', (databases) => {
  let store: Store;
  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
  });
  afterAll(() => store.close());
  const runs = effort({ short: 30, long: 1_000 });

  wideIt(
    'the figures of a list are those since its last beginning, or say that scans are being counted, after any edit',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => play(store, steps)),
        {
          numRuns: runs,
          examples: found,
          interruptAfterTimeLimit: runs * 4_000 + 30_000,
          markInterruptAsFailure: true,
        },
      );
    },
    runs * 4_000 + 60_000,
  );

  it('each instant of counting 350 stored barcodes is said to be counting', async () => {
    for (const table of tables) await store.db.deleteFrom(table).execute();
    const clock = createMovableClock(start);
    const sure: number[] = [];
    const unsure = new Set<number>();
    const look = async () => {
      const { inside, counting } = await world.places.figures(await world.list());
      if (counting) unsure.add(inside);
      else sure.push(inside);
    };
    const world = await createWorld(store, clock, look);
    for (let n = 0; n < 350; n += 1) {
      const scan = { id: String(n), value: `V${n}`, way: 'in' as const, gate: 'g1', isOfAccount: false };
      await world.receive({ ...scan, scannedAt: start + n, arrivedAt: start + n });
    }
    clock.advance(hour);
    await world.places.create(owner, { name: 'Hall', settings: { ...settings, hour: 5 } }, 'U1');
    await world.fold();
    expect(unsure.size).toBeGreaterThan(2);
    expect([...new Set(sure)].filter((inside) => inside !== 350)).toEqual([]);
    expect(await world.places.figures(await world.list())).toMatchObject({ inside: 350, counting: false });
  });

  wideIt('one look at a list that was never reset reads as few rows after 200 days as after one', async () => {
    for (const table of tables) await store.db.deleteFrom(table).execute();
    const clock = createMovableClock(start);
    const world = await createWorld(store, clock);
    await world.places.create(owner, { name: 'Hall', settings }, 'U1');
    await world.fold();
    const list = await world.list();
    const took = async (days: number) => {
      const rows = { run: list.run, ins: 3, outs: 3, outs_alone: 0, ins_again: 0, change: 0, high: 2 };
      const first = (Math.floor(start / hour) - 201 * 24) * 60;
      for (let n = 0; n < days; n += 1) {
        const minutes = Array.from({ length: 240 }, (_, at) => ({ ...rows, minute: first + n * 1_440 + at }));
        await store.db
          .insertInto('place_minutes')
          .values(minutes)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
      const times: number[] = [];
      for (let round = 0; round < 6; round += 1) {
        const before = process.cpuUsage();
        for (let n = 0; n < 5; n += 1) await world.places.figures(list);
        const { user, system } = process.cpuUsage(before);
        times.push((user + system) / 5_000);
      }
      return Math.min(...times);
    };
    const [one, many] = [await took(1), await took(200)];
    expect(many).toBeLessThan(2 + 3 * one);
  });
});
