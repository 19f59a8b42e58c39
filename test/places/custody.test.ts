/**
 * Lent things: who has what until when equals the naive fold of what is stored, and each reminder goes out exactly once,
 * whatever order scans come in, with two instances and a clock that moves.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dateIn } from '../../src/places/detail.js';
import type { PlaceSettings } from '../../src/places/index.js';
import { readOverduePost } from '../../src/places/lent/overdue-post.js';
import { toPost } from '../../src/posts/outbox/post.js';
import { linkMember } from '../../src/workspaces/members.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { setPosts } from '../helpers/outbox.js';
import { owner } from '../helpers/relay.js';
import { createMovableClock } from '../judge/clock.js';
import { createWorld, forget, movesNaively, settings, tables, type World, type WorldScan } from './world.js';

const start = Date.UTC(2026, 2, 1, 18);
const minute = 60_000;
const day = 24 * 60 * minute;

const byTime = { by: 'time', minutes: 20, services: {} } as const;
const byAnswer = { by: 'answer', question: 'q1' } as const;
const lent = (due: typeof byTime | typeof byAnswer | undefined, more: object = {}): PlaceSettings => ({
  ...settings,
  custody: { due, channel: 'C-TOOLS', others: 'managers', ...more },
});

type Step =
  | { readonly do: 'scan'; readonly scan: Omit<WorldScan, 'id' | 'arrivedAt' | 'scannedAt'>; readonly says: number }
  | { readonly do: 'edit' | 'delete'; readonly which: number; readonly way: WorldScan['way'] }
  | { readonly do: 'fold' | 'restart' }
  | { readonly do: 'forget'; readonly value: string }
  | { readonly do: 'back' | 'extend' | 'not_mine'; readonly which: number }
  | { readonly do: 'wait'; readonly minutes: number };

const value = fc.constantFrom('DRILL-1', 'drill-1', '007');
const way = fc.constantFrom('in' as const, 'out' as const, 'out' as const, 'neither' as const);
/** The due time in an answer, in minutes from its scan; or a text that is no date. */
const answer = fc.constantFrom(5, 15, 400, 'soon', '31.02.2026', undefined);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('scan' as const),
      says: fc.constantFrom(-90, -30, -4, -1, 0, 0, 30).map((minutes) => minutes * minute),
      scan: fc.record({
        ...{ value, way, isOfAccount: fc.boolean(), gate: fc.constant('g1'), user: fc.constantFrom('1', '2') },
        answer: answer as fc.Arbitrary<never>,
      }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('edit', 'delete'), which: fc.nat(20), way }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 9, 25, 1_500) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('fold' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('back', 'extend', 'not_mine'), which: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), value }) },
);

interface Thing {
  readonly value: string;
  readonly user: string;
  readonly at: number;
  readonly dueAt: number | undefined;
}
const nameOf = ({ value, at, dueAt }: Thing) => `${value} ${at} ${dueAt}`;

/** People's answers about lent things, by barcode and moment of its scan out. */
type Said = ReadonlyMap<string, { readonly back?: true; readonly until?: number }>;

function outNaively(scans: readonly WorldScan[], due: PlaceSettings['custody'], said: Said): readonly Thing[] {
  const last = new Map(movesNaively(scans, 0).map((move) => [move.value, move]));
  return [...last.values()].flatMap(({ value, way, at, user = '', answer }) => {
    const { back, until } = said.get(`${value} ${at}`) ?? {};
    const folded = due?.due?.by === 'time' ? at + 20 * minute : answer && dateIn(answer, 'UTC');
    return way === 'out' && !back ? [{ value, user, at, dueAt: until ?? (folded || undefined) }] : [];
  });
}

/** The reminder about one loan, which is sent once. */
interface Told {
  readonly escalateAt: number | undefined;
  readonly isEscalated: boolean;
  readonly isOpen: boolean;
}

async function emptied(store: Store): Promise<void> {
  for (const table of tables) {
    await store.db.deleteFrom(table).execute();
  }
}

async function postsIn({ db }: Store) {
  const rows = await db.selectFrom('outbox').select(['key', 'channel', 'detail']).orderBy('seq').execute();
  return rows.map(({ key, channel, detail }) => ({ key, channel, ...JSON.parse(detail ?? '{}') }));
}

/** What each message says of its loan since it was sent or last revised, by its post's key. */
type Shown = Map<string, { readonly revision: number; readonly says: string }>;

async function expectShown({ db }: Store, shown: Shown, out: readonly Thing[], said: Said): Promise<void> {
  const rows = await db
    .selectFrom('outbox')
    .leftJoin('message_updates', 'message_updates.post_seq', 'outbox.seq')
    .selectAll('outbox')
    .select('message_updates.revision')
    .execute();
  for (const { revision: changes, ...row } of rows) {
    const { value, at, dueAt, over, place } = await readOverduePost(db, toPost(row));
    const [before, revision] = [shown.get(row.key), changes ?? 0];
    if (before?.revision !== revision) {
      const says = { scan: 'moved', person: 'back', extended: `extended to ${place?.dueAt}`, gone: 'gone' };
      shown.set(row.key, { revision, says: over ? says[over] : 'due' });
    }
    const loan = out.find((one) => one.value === value && one.at === at);
    const ended = said.get(`${value} ${at}`)?.back ? 'back' : 'moved';
    const truth = !loan ? ended : loan.dueAt === dueAt ? 'due' : `extended to ${loan.dueAt}`;
    const says = shown.get(row.key)?.says;
    // A message that was deleted with its thing does not come back.
    expect(says === 'gone' ? truth : says).toBe(truth);
  }
}

async function play(store: Store, steps: readonly Step[], due: typeof byTime | typeof byAnswer) {
  await emptied(store);
  const clock = createMovableClock(start);
  const world = await createWorld(store, clock);
  await linkMember({ store }, owner, '1', { id: 'U0MARA', name: 'Mara' });
  await world.places.create(owner, { name: 'Tools', settings: lent(due) }, 'U1');
  let scans: WorldScan[] = [];
  const said = new Map<string, { back?: true; until?: number }>();
  const told = new Map<string, Told>();
  const messages: Shown = new Map();
  let posts = 0;
  const fold = async () => {
    await world.fold();
    // An instance that found a barcode marked while the other folded it looks again after a second.
    clock.advance(1_000);
    await world.fold();
    const list = await world.list();
    const now = clock.now();
    const out = outNaively(scans, list.settings.custody, said);
    const found = await world.places.bySide(list, false);
    const asThing = ({ value, user, at, dueAt }: Omit<Thing, 'dueAt'> & { dueAt?: number | undefined }) =>
      JSON.stringify([value, user, at, dueAt]);
    expect(found.map(asThing).sort()).toEqual(out.map(asThing).sort());
    const overdue = new Map(out.filter(({ dueAt = now + 1 }) => dueAt <= now).map((one) => [nameOf(one), one]));
    for (const [name, one] of told) {
      told.set(name, { ...one, isOpen: one.isOpen && overdue.has(name) });
    }
    for (const [name, { user }] of overdue) {
      const before = told.get(name);
      if (!before?.isOpen) {
        posts += before ? 0 : 1;
        const escalateAt = user === '1' && !before?.isEscalated ? now + day : undefined;
        told.set(name, { isEscalated: before?.isEscalated ?? false, escalateAt, isOpen: true });
      }
    }
    for (const [name, one] of told) {
      if (one.isOpen && one.escalateAt !== undefined && one.escalateAt <= now) {
        told.set(name, { ...one, escalateAt: undefined, isEscalated: true });
        posts += 1;
      }
    }
    const incidents = await store.db.selectFrom('incidents').selectAll().execute();
    const shown = incidents.map((row) => `${row.subject_id.slice(1)} ${row.last_at} ${row.began_at} ${!row.ended_at}`);
    expect(shown.sort()).toEqual([...told].map(([name, { isOpen }]) => `${name} ${isOpen}`).sort());
    expect(await postsIn(store)).toHaveLength(posts);
    await expectShown(store, messages, out, said);
  };
  for (const [n, step] of steps.entries()) {
    const ofAccount = scans.filter((scan) => scan.isOfAccount);
    switch (step.do) {
      case 'scan': {
        const now = clock.now();
        const scannedAt = now + step.says + (step.scan.isOfAccount ? 30_000 : 0);
        const { answer: given, ...rest } = step.scan as typeof step.scan & { answer?: number | string };
        const answer =
          typeof given === 'number'
            ? new Date(scannedAt + given * minute).toISOString().slice(0, 16).replace('T', ' ')
            : given;
        const scan = { ...rest, answer, id: String(1_000 + ((n * 37) % 500)), arrivedAt: now, scannedAt };
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
      case 'restart': {
        const { id, settings: before } = await world.list();
        await world.places.change(id, { name: 'Tools', settings: { ...before, refused: !before.refused } });
        break;
      }
      case 'forget':
        await forget(store, world, step.value);
        scans = scans.filter((scan) => scan.value !== step.value);
        for (const name of [...said.keys(), ...told.keys()].filter((one) => one.startsWith(`${step.value} `))) {
          said.delete(name);
          told.delete(name);
        }
        expect((await postsIn(store)).filter(({ value }) => value === step.value)).toEqual([]);
        posts = (await postsIn(store)).length;
        break;
      default: {
        await fold();
        posts += await press(store, world, step, clock.now(), said);
        await fold();
      }
    }
  }
  await fold();
}

/** Presses a button of a reminder. @returns how many posts it caused */
async function press(
  store: Store,
  world: World,
  step: Extract<Step, { do: 'back' | 'extend' | 'not_mine' }>,
  now: number,
  said: Map<string, { back?: true; until?: number }>,
): Promise<number> {
  const keys = (await postsIn(store)).filter(({ part }) => part !== 'denied').map(({ incident }) => incident);
  const key = [...new Set(keys)].sort()[step.which % Math.max(1, new Set(keys).size)];
  if (key === undefined) {
    return 0;
  }
  const until = now + 30 * minute;
  const change = step.do === 'extend' ? { says: step.do, by: 'U2', until } : { says: step.do, by: 'U2' };
  const before = (await postsIn(store)).length;
  const loan = await world.places.changeLoan(owner, key, change);
  if (loan?.isCurrent && step.do !== 'not_mine') {
    const name = `${loan.place.value} ${loan.place.at}`;
    said.set(name, { ...said.get(name), ...(step.do === 'back' ? { back: true } : { until }) });
  }
  const after = (await postsIn(store)).length;
  expect(after - before).toBeLessThanOrEqual(step.do === 'not_mine' && loan?.isCurrent ? 1 : 0);
  return after - before;
}

/** Schedules that random runs found: the scan of an overdue thing is deleted while its list counts anew. */
const found: [Step[]][] = [
  [
    [
      {
        do: 'scan',
        says: -5_400_000,
        scan: { value: 'DRILL-1', way: 'out', isOfAccount: true, gate: 'g1', user: '1', answer: '2026-01-01 10:00' },
      },
      { do: 'fold' },
      { do: 'restart' },
      { do: 'delete', which: 0, way: 'in' },
    ],
  ],
];

onEachDatabase('what is lent', (databases) => {
  let store: Store;
  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
  });
  afterAll(() => store.close());

  it('an overdue thing is posted in the list’s channel after a day, even if its holder was reminded', async () => {
    await emptied(store);
    const clock = createMovableClock(start);
    const world = await createWorld(store, clock);
    await linkMember({ store }, owner, '1', { id: 'U0MARA', name: 'Mara' });
    await world.places.create(owner, { name: 'Tools', settings: lent(byTime) }, 'U1');
    const scan = { id: '1', value: 'DRILL-1', way: 'out' as const, gate: 'g1', user: '1', isOfAccount: false };
    await world.receive({ ...scan, scannedAt: start, arrivedAt: start });
    for (const later of [30 * minute, day + minute, day]) {
      clock.advance(later);
      await world.fold();
    }
    const posted = (await postsIn(store)).map(({ channel, part }) => `${part} in ${channel}`);
    expect(posted).toEqual(['due in D-U0MARA', 'late in C-TOOLS']);
  });

  it('the message about an extended loan says again that it is extended once its return scan is deleted', async () => {
    await emptied(store);
    const clock = createMovableClock(start);
    const world = await createWorld(store, clock);
    await linkMember({ store }, owner, '1', { id: 'U0MARA', name: 'Mara' });
    await world.places.create(owner, { name: 'Tools', settings: lent(byTime) }, 'U1');
    const scan = { value: 'DRILL-1', gate: 'g1', user: '1', isOfAccount: true };
    const scanned = (id: string, way: WorldScan['way']) => {
      const at = clock.now();
      return { ...scan, id, way, scannedAt: at, arrivedAt: at };
    };
    const says = async () => {
      await world.fold();
      clock.advance(2_000);
      await world.fold();
      const row = await store.db.selectFrom('outbox').selectAll().executeTakeFirstOrThrow();
      const { revision } = await store.db.selectFrom('message_updates').select('revision').executeTakeFirstOrThrow();
      return { over: (await readOverduePost(store.db, toPost(row))).over, revision };
    };
    await world.record(scanned('1', 'out'));
    clock.advance(30 * minute);
    await world.fold();
    const [reminder] = await postsIn(store);
    await setPosts(store, { state: 'delivered', ts: '1.0', finished_at: clock.now() }).execute();
    await world.places.changeLoan(owner, reminder!.key, { says: 'extend', by: 'U2', until: clock.now() + day });
    expect(await says()).toMatchObject({ over: 'extended' });
    const back = scanned('2', 'in');
    await world.record(back);
    const returned = await says();
    expect(returned).toMatchObject({ over: 'scan' });
    await world.remove(back);
    const again = await says();
    expect(again).toMatchObject({ over: 'extended' });
    expect(again.revision).toBeGreaterThan(returned.revision);
  });

  it.each([['a time after it went out', byTime] as const, ['an answer', byAnswer] as const])(
    'a thing that is due by %s is with the holder of its newest scan, and each reminder is sent once',
    async (_, due) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => play(store, steps, due)),
        { numRuns: Number(process.env.CUSTODY_RUNS ?? 25), examples: found },
      );
    },
    300_000,
  );
});
