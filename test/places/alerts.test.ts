/** A list's alerts, compared with those of a naive reader of the scans known at each fold, in any order of arrival. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { enqueue } from '../../src/posts/outbox/enqueue.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { clearOutbox } from '../helpers/outbox.js';
import { owner } from '../helpers/relay.js';
import { wideIt } from '../helpers/tier/wide-it.js';
import { createMovableClock } from '../judge/clock.js';
import { createWorld, foldNaively, movesNaively, settings, type World, type WorldScan } from './world.js';

const start = Date.UTC(2026, 2, 1, 18);
const minute = 60_000;
const capacity = 10;
const percents = [30, 60, 100];
const minutes = 5;
const margin = 1;
const tables = [
  ...(['place_lists', 'place_marks', 'place_moves', 'places', 'place_minutes', 'place_gates'] as const),
  ...(['place_runs_ended', 'place_boards', 'incidents', 'received_scans', 'account_scans', 'mirrors'] as const),
  ...(['mirrored_changes', 'relay_secrets', 'relays'] as const),
];

type Step =
  | {
      readonly do: 'scan';
      readonly scan: Pick<WorldScan, 'value' | 'way' | 'isOfAccount' | 'gate'>;
      /** How long ago the scan was made: its device was offline since. */
      readonly ago: number;
    }
  | {
      readonly do: 'many';
      readonly from: number;
      readonly count: number;
      readonly way: 'in' | 'out';
      readonly ago: number;
    }
  | { readonly do: 'fold' | 'reset' }
  /** Two *in* scans at two devices, posted as a double admission before the *out* between them is uploaded. */
  | { readonly do: 'double'; readonly value: string }
  | { readonly do: 'wait'; readonly minutes: number };

const ago = fc.constantFrom(0, 0, 0, 1, 2, 4, 6, 30).map((count) => count * minute);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('scan' as const),
      ago,
      scan: fc.record({
        value: fc.constantFrom('A', 'a', 'B'),
        way: fc.constantFrom('in' as const, 'in' as const, 'out' as const),
        ...{ isOfAccount: fc.boolean(), gate: fc.constantFrom('g1', 'g2', 'g3', '') },
      }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('many' as const),
      ...{ from: fc.nat(9), count: fc.integer({ min: 1, max: 8 }), way: fc.constantFrom('in', 'out'), ago },
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('fold' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('double' as const), value: fc.constantFrom('A', 'B') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reset' as const) }) },
);

/** A naive reader of alerts: each `read` adds those that follow from the scans known by then. */
function createNaiveReader() {
  const open = new Set<number>();
  const told: string[] = [];
  const doubles = new Set<string>();
  /** The moments of the *out* scans by which posted double admissions are none, as known now. */
  const undone = new Map<string, number>();
  return {
    told,
    doubles,
    undone,
    open,
    read(scans: readonly WorldScan[], since: number) {
      const { inside } = foldNaively(scans, since);
      const level = (percent: number) => (capacity * percent) / 100;
      const crossed = percents.filter((percent) => !open.has(percent) && inside >= level(percent));
      for (const percent of [...open].filter((each) => inside < level(each) - margin)) open.delete(percent);
      for (const percent of crossed) open.add(percent);
      if (crossed.length > 0) told.push(`${Math.max(...crossed)}% at ${inside}`);
      const moves = movesNaively(scans, since);
      for (const value of new Set(moves.map((move) => move.value))) {
        const named = moves.filter((move) => move.value === value && (move.way === 'out' || move.gate !== ''));
        for (const [n, { way, at, gate }] of named.entries()) {
          const before = named[n - 1];
          const isDouble = before?.way === 'in' && way === 'in' && before.gate !== gate;
          if (isDouble && at - before.at <= minutes * minute) doubles.add(`${value} ${before.at} ${at}`);
        }
      }
      for (const name of doubles) {
        const [value, ...pair] = name.split(' ');
        const [earlier = 0, later = 0] = pair.map(Number);
        const out = moves.find(
          (move) => move.value === value && move.way === 'out' && move.at > earlier && move.at < later,
        );
        if (out) undone.set(name, out.at);
      }
    },
  };
}

async function create(store: Store, clock: ReturnType<typeof createMovableClock>): Promise<World> {
  for (const table of tables) {
    await store.db.deleteFrom(table).execute();
  }
  await clearOutbox(store);
  const world = await createWorld(store, clock);
  const alerts = { channel: 'C0ALERTS', percents, doubles: { minutes, since: 0 } };
  await world.places.create(owner, { name: 'Hall', settings: { ...settings, capacity, alerts } }, 'U1');
  return world;
}

async function toldBy(store: Store) {
  const rows = await store.db.selectFrom('outbox').selectAll().orderBy('seq').execute();
  const details = (kind: string) => rows.filter((row) => row.kind === kind).map((row) => JSON.parse(row.detail ?? ''));
  const open = await store.db.selectFrom('incidents').selectAll().where('ended_at', 'is', null).execute();
  return {
    told: details('threshold').map(({ percent, inside }) => `${percent}% at ${inside}`),
    doubles: details('double').map(({ value, earlier, later }) => `${value} ${earlier.at} ${later.at}`),
    undone: details('double').flatMap(({ value, earlier, later, undone }) =>
      undone ? [[`${value} ${earlier.at} ${later.at}`, undone.at] as const] : [],
    ),
    open: open.map((row) => Number(row.subject_id)).sort((a, b) => a - b),
  };
}

async function play(store: Store, steps: readonly Step[]) {
  const clock = createMovableClock(start);
  const world = await create(store, clock);
  const naive = createNaiveReader();
  let since = start - 60 * minute;
  await world.places.reset((await world.list()).id);
  await store.db.updateTable('place_lists').set({ reset_at: since }).execute();
  const scans: WorldScan[] = [];
  let id = 1_000;
  const add = async (scan: Omit<WorldScan, 'id' | 'arrivedAt' | 'scannedAt'>, before: number) => {
    id += 1;
    const now = clock.now();
    // Never at the moment of a relay's scan: the key of a double admission cannot tell two scans of one moment apart.
    const scannedAt = now - before + (scan.isOfAccount ? 30_000 : 0);
    const whole = { ...scan, id: String(id), arrivedAt: now, scannedAt };
    await (scan.isOfAccount ? world.record(whole) : world.receive(whole));
    scans.push(whole);
    clock.advance(1_000);
  };
  const fold = async () => {
    await world.fold();
    naive.read(scans, since);
    const { told, doubles, undone, open } = await toldBy(store);
    expect(told).toEqual(naive.told);
    expect(open).toEqual([...naive.open].sort((a, b) => a - b));
    expect([...doubles].sort()).toEqual([...naive.doubles].sort());
    expect(new Map(undone)).toEqual(naive.undone);
  };
  for (const each of steps) {
    switch (each.do) {
      case 'scan':
        await add(each.scan, each.ago);
        break;
      case 'many':
        for (let n = 0; n < each.count; n += 1) {
          await add({ value: `V${each.from + n}`, way: each.way, isOfAccount: n % 3 === 0, gate: 'g1' }, each.ago);
        }
        break;
      case 'fold':
        await fold();
        break;
      case 'double': {
        const scan = { value: each.value, isOfAccount: false };
        await add({ ...scan, way: 'in', gate: 'g1' }, 0);
        clock.advance(2 * minute);
        await add({ ...scan, way: 'in', gate: 'g2' }, 0);
        await fold();
        await add({ ...scan, way: 'out', gate: 'g3' }, minute);
        break;
      }
      case 'wait':
        clock.advance(each.minutes * minute);
        break;
      case 'reset':
        since = clock.now();
        await world.places.reset((await world.list()).id);
        naive.open.clear();
        break;
    }
  }
  await fold();
  await expectCorrected(store, world, scans, since);
}

/** Each incident of the run says how many were inside when its threshold was crossed, as known in the end. */
async function expectCorrected(store: Store, world: World, scans: readonly WorldScan[], since: number) {
  const { run } = await world.list();
  const incidents = await store.db.selectFrom('incidents').selectAll().where('rule_id', '=', run).execute();
  for (const { opened_at: openedAt, scans: inside } of incidents) {
    const until = scans.filter((scan) => movesNaively([scan], since).every(({ at }) => at <= openedAt));
    expect(inside).toBe(foldNaively(until, since).inside);
  }
}

onEachDatabase('the alerts of a list', (databases) => {
  let store: Store;
  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
  });
  afterAll(() => store.close());

  it('the highest threshold that is crossed, and each double admission, is posted once, and no other alert', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => play(store, steps)),
      { numRuns: 40 },
    );
  }, 300_000);

  const at = (world: World, clock: { now(): number }) => {
    let id = 0;
    return async (values: readonly string[], way: 'in' | 'out', before = 0) => {
      for (const value of values) {
        id += 1;
        const [arrivedAt, scannedAt] = [clock.now(), clock.now() - before];
        await world.receive({ id: `${id}`, value, way, gate: 'g1', isOfAccount: false, scannedAt, arrivedAt });
      }
    };
  };
  const people = (count: number) => Array.from({ length: count }, (_, n) => `P${n}`);

  it.each([
    ['posts no alert if fewer are inside by now', 6, 6, []],
    ['posts an alert if as many are still inside', 6, 0, ['60% at 6']],
  ] as const)('a late upload of scans that crossed a threshold an hour ago %s', async (_, ins, outs, told) => {
    const clock = createMovableClock(start);
    const world = await create(store, clock);
    await store.db
      .updateTable('place_lists')
      .set({ reset_at: start - 120 * minute })
      .execute();
    await world.fold();
    const scan = at(world, clock);
    await scan(people(ins), 'in', 60 * minute);
    await scan(people(outs), 'out', 30 * minute);
    await world.fold();
    expect((await toldBy(store)).told).toEqual(told);
  });

  it('the message about a threshold is corrected once late scans change how many were inside', async () => {
    const clock = createMovableClock(start);
    const world = await create(store, clock);
    clock.advance(10 * minute);
    const scan = at(world, clock);
    await scan(people(3), 'in');
    await world.fold();
    const [{ seq }] = (await store.db.selectFrom('outbox').select('seq').execute()) as [{ seq: number }];
    clock.advance(minute);
    await scan(['P0'], 'out', 5 * minute);
    await scan(['P8', 'P9'], 'in', 5 * minute);
    await world.fold();
    const incident = await store.db.selectFrom('incidents').selectAll().executeTakeFirstOrThrow();
    expect(incident).toMatchObject({ scans: 5, ended_at: null });
    const update = await store.db.selectFrom('message_updates').selectAll().where('post_seq', '=', seq).execute();
    expect(update).toHaveLength(1);
    expect((await toldBy(store)).told).toEqual(['30% at 3']);
  });

  it('a list’s thresholds are checked by the next process if a process died before checking them', async () => {
    const clock = createMovableClock(start);
    const world = await create(store, clock);
    const list = await world.list();
    await world.places.change(list.id, { name: 'Hall', settings: { ...list.settings, capacity: 1_000 } });
    await at(world, clock)(people(3), 'in');
    await world.fold();
    expect((await toldBy(store)).told).toEqual([]);
    // The capacity is set in the row, as if it had been 10 when the scans were folded.
    const stored = JSON.stringify({ ...list.settings, capacity });
    await store.db.updateTable('place_lists').set({ settings: stored, claimed_by: 'dead', claimed_until: 1 }).execute();
    await world.fold();
    expect((await toldBy(store)).told).toEqual(['30% at 3']);
  });

  it.each([
    ['an alert once 3 people are 60% of a smaller capacity', { capacity: 5 }, ['60% at 3']],
    ['no alert once the list has no capacity', { capacity: undefined }, []],
    ['no alert below its only threshold, 90%', { capacity: 5, percents: [90] }, []],
  ] as const)('a list with 3 people inside whose settings change posts %s', async (_, change, told) => {
    const clock = createMovableClock(start);
    const world = await create(store, clock);
    const { id, settings: before } = await world.list();
    const to = (now: { capacity?: number | undefined; percents?: readonly number[] }) =>
      world.places.change(id, {
        name: 'Hall',
        settings: {
          ...before,
          capacity: now.capacity,
          alerts: { ...before.alerts!, percents: [...(now.percents ?? percents)] },
        },
      });
    await to({ capacity: 100 });
    await at(world, clock)(people(3), 'in');
    await world.fold();
    await to(change);
    await world.fold();
    expect((await toldBy(store)).told).toEqual(told);
  });

  it('the next day’s beginning ends a list’s crossed thresholds and empties its board, though nobody scans', async () => {
    const clock = createMovableClock(start);
    const world = await create(store, clock);
    const { id, settings: before } = await world.list();
    await world.places.change(id, { name: 'Hall', settings: { ...before, hour: 5 } });
    await at(world, clock)(people(3), 'in');
    await world.places.showBoard(id, 'C0HALL', 'U1');
    await world.fold();
    expect((await toldBy(store)).open).toEqual([30]);
    const board = await store.db
      .selectFrom('outbox')
      .select('seq')
      .where('kind', '=', 'board')
      .executeTakeFirstOrThrow();
    const revision = async () =>
      (await store.db.selectFrom('message_updates').select('revision').where('post_seq', '=', board.seq).execute())[0]
        ?.revision ?? 0;
    const revisionBefore = await revision();
    clock.advance(12 * 60 * minute);
    await world.fold();
    const incident = await store.db.selectFrom('incidents').selectAll().executeTakeFirstOrThrow();
    expect(incident).toMatchObject({ end_reason: 'reset', ended_at: clock.now() });
    expect(await revision()).toBeGreaterThan(revisionBefore);
    expect(await world.places.figures(await world.list())).toMatchObject({ inside: 0, counting: false });
  });

  wideIt(
    'a crossed threshold is posted once while it is exceeded, however often another threshold is crossed',
    async () => {
      const clock = createMovableClock(start);
      const world = await create(store, clock);
      const scan = at(world, clock);
      await scan(people(3), 'in');
      await world.fold();
      for (let n = 0; n < 31; n += 1) {
        for (const way of ['in', 'out'] as const) {
          clock.advance(minute);
          await scan(['P7', 'P8', 'P9'], way);
          await world.fold();
        }
      }
      const { told, open } = await toldBy(store);
      expect(told.filter((each) => each.startsWith('30%'))).toEqual(['30% at 3']);
      expect(open).toEqual([30]);
      expect(await world.places.crossed(await world.list())).toMatchObject([{ percent: 30, inside: 3 }]);
    },
  );

  it('a list that is edited posts no double admission of before, and the next one', async () => {
    const clock = createMovableClock(start);
    const world = await create(store, clock);
    await world.fold();
    const list = await world.list();
    const doubles = { minutes, since: 0 };
    const rules = { ...list.settings, alerts: { channel: 'C0ALERTS', percents: [], doubles } };
    const none = { ...rules, in: [{ kind: 'from' as const, what: 'device' as const, ids: ['g9'] }] };
    await world.places.change(list.id, { name: 'Hall', settings: none });
    await world.fold();
    const double = async (value: string, n: number) => {
      for (const gate of ['g1', 'g2']) {
        clock.advance(1_000);
        const [id, now] = [`${value}${n}${gate}`, clock.now()];
        await world.receive({ id, value, way: 'in', gate, isOfAccount: false, scannedAt: now, arrivedAt: now });
      }
    };
    for (let n = 0; n < 40; n += 1) await double(`P${n}`, n);
    await world.fold();
    clock.advance(minute);
    const settingsNow = { ...rules, zone: 'Europe/Berlin' };
    expect(await world.places.preview(owner, settingsNow, { list: await world.list() })).toMatchObject({ doubles: 40 });
    await world.places.change(list.id, { name: 'Hall', settings: settingsNow });
    await world.fold();
    expect((await toldBy(store)).doubles).toEqual([]);
    await double('P50', 50);
    await world.fold();
    expect((await toldBy(store)).doubles.map((told) => told.split(' ')[0])).toEqual(['P50']);
  });

  it('a posted double admission is corrected once by a late out scan, and is not posted again', async () => {
    const clock = createMovableClock(start);
    const world = await create(store, clock);
    clock.advance(10 * minute);
    const scan = async (id: string, way: 'in' | 'out', gate: string, ago: number, isOfAccount = false) => {
      const [arrivedAt, scannedAt] = [clock.now(), start + 10 * minute - ago];
      const made = { id, value: 'X', way, gate, isOfAccount, scannedAt, arrivedAt };
      await (isOfAccount ? world.record(made) : world.receive(made));
      await world.fold();
      return made;
    };
    const shown = async () => {
      const rows = await store.db
        .selectFrom('outbox')
        .leftJoin('message_updates', 'message_updates.post_seq', 'outbox.seq')
        .select(['outbox.detail', 'outbox.expires_at', 'message_updates.revision'])
        .where('outbox.kind', '=', 'double')
        .execute();
      return rows.map(({ detail, expires_at, revision }) => {
        const undone = JSON.parse(detail ?? '{}').undone;
        // The post of a double admission that was none expires, so that it is not sent any more.
        expect(expires_at === null).toBe(undone === undefined);
        return { undone, edits: revision ?? 0 };
      });
    };
    await scan('1', 'in', 'g1', 3 * minute);
    await scan('2', 'in', 'g2', minute);
    expect(await shown()).toEqual([{ undone: undefined, edits: 0 }]);
    // The channel did not take the post: the list's creator got a notice by direct message.
    const { key } = await store.db.selectFrom('outbox').select('key').executeTakeFirstOrThrow();
    const notice = { key: `${key}.undelivered`, queue: { ...owner, channel: 'D-U1' }, kind: 'notice' as const };
    const source = { kind: 'list' as const, id: (await world.list()).id };
    const posts = [{ ...notice, source, at: clock.now(), detail: '{"what":"alert_undelivered"}' }];
    await store.db.transaction().execute((trx) => enqueue(trx, { posts }));
    clock.advance(5 * minute);
    const out = await scan('3', 'out', 'g3', 2 * minute, true);
    const corrected = { at: out.scannedAt, gate: 'g3', user: 'a3', arrivedAt: clock.now() };
    expect(await shown()).toEqual([{ undone: corrected, edits: 1 }]);
    await scan('4', 'out', 'g1', 0);
    expect(await shown()).toEqual([{ undone: corrected, edits: 1 }]);
    // The account no longer has the *out* scan: the barcode came in twice after all.
    await world.remove(out);
    await world.fold();
    expect(await shown()).toEqual([{ undone: undefined, edits: 2 }]);
    await world.places.reset((await world.list()).id);
    await scan('5', 'in', 'g1', -6 * minute);
    await scan('6', 'in', 'g1', -7 * minute);
    expect(await shown()).toEqual([{ undone: undefined, edits: 2 }]);
  });

  it('a posted double admission is marked as gone when the account deletes one of its scans', async () => {
    const clock = createMovableClock(start);
    const world = await create(store, clock);
    const scan = { value: 'X', way: 'in' as const, isOfAccount: true, arrivedAt: clock.now() };
    const later = { ...scan, id: '2', gate: 'g2', scannedAt: start + 60_000 };
    await world.record({ ...scan, id: '1', gate: 'g1', scannedAt: start });
    await world.record(later);
    await world.fold();
    await world.remove(later);
    await world.fold();
    await world.record({ ...later, id: '3', scannedAt: start + 120_000 });
    await world.fold();
    const details = (await store.db.selectFrom('outbox').select('detail').orderBy('seq').execute()).map(({ detail }) =>
      JSON.parse(detail ?? '{}'),
    );
    expect(details.map(({ undone }) => undone)).toEqual(['gone', undefined]);
  });

  it('forgetting a barcode deletes the posts about its double admissions', async () => {
    const clock = createMovableClock(start);
    const world = await create(store, clock);
    const arrivedAt = clock.now();
    for (const [n, gate] of ['g1', 'g2'].entries()) {
      const scan = { id: `${n}`, value: 'X', way: 'in' as const, isOfAccount: false, gate, arrivedAt };
      await world.receive({ ...scan, scannedAt: arrivedAt + n * 1_000 });
    }
    await world.fold();
    expect((await toldBy(store)).doubles).toHaveLength(1);
    await world.places.forget(owner, 'X');
    expect((await toldBy(store)).doubles).toEqual([]);
  });
});
