/**
 * Lent things: who has what until when equals the naive fold of what is stored, and each reminder goes out exactly once,
 * whatever order scans come in, with two instances and a clock that moves.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemRandom } from '../../src/clock.js';
import { dateIn } from '../../src/places/detail.js';
import { createPlacesMaker, type OverduePost, type PlaceSettings, placeSettings } from '../../src/places/index.js';
import { readOverduePost } from '../../src/places/lent/overdue-post.js';
import { placeBarcode } from '../../src/places/moves.js';
import { toPost } from '../../src/posts/outbox/post.js';
import { scanKey } from '../../src/scans/key.js';
import { eraseBarcodes } from '../../src/watches/watch-and-mute-rows.js';
import { createWatches } from '../../src/watches/watches.js';
import { keepMembers, linkMember } from '../../src/workspaces/members.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { effort } from '../helpers/effort.js';
import { setPosts } from '../helpers/outbox.js';
import { owner } from '../helpers/relay.js';
import { createMovableClock } from '../judge/clock.js';
import { createWorld, forget, leftSlack, movesNaively, settings, tables, type World, type WorldScan } from './world.js';

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
  | { readonly do: 'due'; readonly minutes: number }
  | { readonly do: 'forget'; readonly value: string }
  | { readonly do: 'back' | 'extend' | 'not_mine'; readonly which: number }
  | { readonly do: 'remind' | 'watch'; readonly value: string }
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
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('due' as const), minutes: fc.constantFrom(10, 20, 25, 90, 5_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), value }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('remind' as const, 'watch' as const), value }) },
);

interface Thing {
  readonly value: string;
  readonly user: string;
  readonly at: number;
  readonly dueAt: number | undefined;
  /** When the thing went out or was last extended. */
  readonly from: number;
}

/** A person's answer about a thing, at its moment. */
interface Said {
  readonly value: string;
  readonly at: number;
  readonly until?: number;
}

function outNaively(
  scans: readonly WorldScan[],
  due: PlaceSettings['custody'],
  said: readonly Said[],
): readonly Thing[] {
  const last = new Map(movesNaively(scans, 0).map((move) => [move.value, move]));
  return [...last.values()].flatMap(({ value, way, at, user = '', answer }) => {
    const since = said.filter((one) => one.value === value && one.at >= at);
    const { until, at: extendedAt } = since.findLast((one) => one.until !== undefined) ?? {};
    const folded = due?.due?.by === 'time' ? at + due.due.minutes * minute : answer && dateIn(answer, 'UTC');
    const isBack = since.some((one) => one.until === undefined);
    return way === 'out' && !isBack
      ? [{ value, user, at, dueAt: until ?? (folded || undefined), from: extendedAt ?? at }]
      : [];
  });
}

/** A loan that was overdue: from a scan out until the thing is back, whatever scans out are between. */
interface Told {
  readonly value: string;
  /** The newest scan out when the loan was overdue last. */
  readonly at: number;
  readonly user: string;
  /** When somebody was last reminded, or the list found the loan to be overdue when it counted anew. */
  readonly remindedAt: number;
  readonly messages: number;
  readonly escalateAt: number | undefined;
  readonly isEscalated: boolean;
  readonly isOpen: boolean;
  /** The due time when somebody was reminded last. */
  readonly beganAt: number;
  /** When the holder is reminded again. */
  readonly remindAt: number | undefined;
}

/** Somebody who waits for a thing that went out at a moment. */
interface Waiting {
  readonly value: string;
  readonly outAt: number;
}

interface Reminders {
  /** Minutes before a thing is due. */
  readonly before: number | undefined;
  readonly daily: boolean;
}

const hour = 60 * minute;
const nextDaily = (remindedAt: number, now: number) => remindedAt + day * (1 + Math.floor((now - remindedAt) / day));

/** Whether a thing was brought back between two moments: if not, it is one loan. */
function isBackBetween(scans: readonly WorldScan[], said: readonly Said[], value: string, one: number, other: number) {
  const [from, to] = [Math.min(one, other), Math.max(one, other)];
  const ins = movesNaively(scans, 0).filter((move) => move.way === 'in');
  return (
    from < to &&
    (ins.some((move) => move.value === value && move.at > from && move.at < to) ||
      said.some((each) => each.value === value && each.until === undefined && each.at >= from && each.at < to))
  );
}

async function emptied(store: Store): Promise<void> {
  await keepMembers({ store }, owner, new Set());
  for (const table of tables) {
    await store.db.deleteFrom(table).execute();
  }
}

async function postsIn({ db }: Store) {
  const posts = db.selectFrom('outbox').select(['key', 'channel', 'detail']).where('kind', '=', 'overdue');
  const rows = await posts.orderBy('seq').execute();
  return rows.map(({ key, channel, detail }) => ({ key, channel, ...JSON.parse(detail ?? '{}') }));
}

/** What each message says of its loan since it was sent or last revised, by its post's key. */
type Shown = Map<string, { readonly revision: number; readonly says: string }>;

async function expectShown({ db }: Store, shown: Shown, truthOf: (post: OverduePost) => string): Promise<void> {
  const rows = await db
    .selectFrom('outbox')
    .leftJoin('message_updates', 'message_updates.post_seq', 'outbox.seq')
    .selectAll('outbox')
    .select('message_updates.revision')
    .where('outbox.kind', '=', 'overdue')
    .execute();
  for (const { revision: changes, ...row } of rows) {
    const post = await readOverduePost(db, toPost(row));
    const { over, place } = post;
    const [before, revision] = [shown.get(row.key), changes ?? 0];
    if (before?.revision !== revision) {
      const until = `${place?.dueAt}`;
      const says = {
        scan: 'moved',
        person: 'back',
        extended: `extended to ${until}`,
        rule: `edited to ${until}`,
        gone: 'gone',
        soon: 'soon',
      };
      shown.set(row.key, { revision, says: over ? says[over] : 'due' });
    }
    const truth = truthOf(post);
    const says = shown.get(row.key)?.says;
    // A message that was deleted with its thing does not come back.
    expect(says === 'gone' ? truth : says).toBe(truth);
  }
}

async function play(store: Store, steps: readonly Step[], due: typeof byTime | typeof byAnswer, reminders: Reminders) {
  const { before, daily } = reminders;
  const custodyMore = { daily, ...(before === undefined ? {} : { before: { minutes: before, since: 0 } }) };
  await emptied(store);
  const clock = createMovableClock(start);
  const world = await createWorld(store, clock);
  await linkMember({ store }, owner, '1', { id: 'U0MARA', name: 'Mara' });
  await world.places.create(owner, { name: 'Tools', settings: lent(due, custodyMore) }, 'U1');
  const watches = createWatches({ store, clock, random: systemRandom });
  let waiting: Waiting[] = [];
  let returns = 0;
  /** Since when the list reminds before a thing is due, as it counts now. */
  let since = start;
  let scans: WorldScan[] = [];
  let said: Said[] = [];
  let told: Told[] = [];
  /** When the list began to count anew; what it then finds to be overdue is not posted. */
  let quietTo: number | undefined = start;
  const messages: Shown = new Map();
  let posts = 0;
  const tell = (now: number, out: readonly Thing[]) => {
    const isSame = (one: Told, { value, at }: Thing) =>
      one.value === value && !isBackBetween(scans, said, value, one.at, at);
    const isOverdue = ({ dueAt = now + 1 }: Thing) => dueAt <= now;
    const isAnew = (one: Told, thing: Thing) => thing.at > one.at && (thing.dueAt ?? 0) > one.remindedAt;
    told = told.map((one) => {
      const goesOn = out.some((thing) => isSame(one, thing) && isOverdue(thing) && !isAnew(one, thing));
      return { ...one, isOpen: one.isOpen && goesOn };
    });
    for (const thing of out.filter(isOverdue)) {
      const { value, at, user, dueAt = 0 } = thing;
      const isOpen = told.some((one) => one.value === value && one.isOpen);
      const known = told.findLast((one) => isSame(one, thing));
      const escalateAt = user === '1' ? now + day : undefined;
      const isOthers = known !== undefined && known.messages > 0 && known.user !== user;
      if (known?.isOpen && (known.remindAt ?? now + 1) <= now) {
        posts += 1;
        const again = { ...known, at, user, remindedAt: now, messages: known.messages + 1, beganAt: dueAt };
        const remindAt = daily ? now + day : undefined;
        const escalation = isOthers ? { isEscalated: false, escalateAt } : {};
        told = [...told.filter((one) => one !== known), { ...again, ...escalation, remindAt }];
      }
      if (isOpen) continue;
      const isSilent = known === undefined && quietTo !== undefined && dueAt <= quietTo;
      const isReminded = !isSilent && (known === undefined || isOthers || dueAt > known.remindedAt);
      posts += isReminded ? 1 : 0;
      told = told.filter((one) => one !== known);
      told.push({
        ...{ value, at, isOpen: true, user: isReminded ? user : (known?.user ?? user), beganAt: dueAt },
        remindAt:
          daily && (isReminded || (known?.messages ?? 0) > 0)
            ? nextDaily(isReminded || !known ? now : known.remindedAt, now)
            : undefined,
        remindedAt: isReminded || !known ? now : known.remindedAt,
        messages: (known?.messages ?? 0) + (isReminded ? 1 : 0),
        isEscalated: isReminded ? false : (known?.isEscalated ?? false),
        escalateAt: isSilent || (!isReminded && known?.isEscalated) ? undefined : escalateAt,
      });
    }
    for (const thing of out.filter((each) => before !== undefined && each.dueAt !== undefined && each.dueAt > now)) {
      const { value, at, user, dueAt = 0, from } = thing;
      const remindedAt = dueAt - (before ?? 0) * minute;
      const isTime = remindedAt <= now && remindedAt > since && remindedAt > from;
      if (!isTime || told.some((one) => one.value === value && one.beganAt === dueAt && one.at >= at)) continue;
      const known = told.findLast((one) => isSame(one, thing));
      const isOthers = known !== undefined && known.messages > 0 && known.user !== user;
      const isReminded = user === '1' && (known === undefined || isOthers || dueAt !== known.beganAt);
      posts += isReminded ? 1 : 0;
      told = told.filter((one) => one !== known);
      told.push({
        ...{ value, at, isOpen: false, beganAt: dueAt, remindAt: undefined, escalateAt: undefined },
        user: isReminded ? user : (known?.user ?? user),
        remindedAt: isReminded || !known ? now : known.remindedAt,
        messages: (known?.messages ?? 0) + (isReminded ? 1 : 0),
        isEscalated: isReminded ? false : (known?.isEscalated ?? false),
      });
    }
    told = told.map((one) => {
      const isLate = one.isOpen && one.escalateAt !== undefined && one.escalateAt <= now;
      posts += isLate ? 1 : 0;
      return isLate ? { ...one, escalateAt: undefined, isEscalated: true } : one;
    });
    quietTo = undefined;
  };
  const fold = async () => {
    await world.fold();
    // An instance that found a barcode marked while the other folded it looks again after a second.
    clock.advance(1_000);
    await world.fold();
    const list = await world.list();
    const out = outNaively(scans, list.settings.custody, said);
    const found = await world.places.bySide(list, false);
    const asThing = ({
      value,
      user,
      at,
      dueAt,
    }: Pick<Thing, 'value' | 'user' | 'at'> & { dueAt?: number | undefined }) =>
      JSON.stringify([value, user, at, dueAt]);
    expect(found.map(asThing).sort()).toEqual(out.map(asThing).sort());
    tell(clock.now(), out);
    const stillWaits = ({ value, outAt }: Waiting) => {
      const moves = movesNaively(scans, 0).filter((move) => move.value === value);
      const isBack =
        moves.at(-1)?.way === 'in' ||
        moves.some((move) => move.way === 'in' && move.at >= outAt) ||
        said.some((one) => one.value === value && one.until === undefined && one.at >= outAt);
      return moves.length === 0 || !isBack;
    };
    returns += waiting.length;
    waiting = waiting.filter(stillWaits);
    returns -= waiting.length;
    const notices = await store.db.selectFrom('outbox').select('key').where('kind', '=', 'notice').execute();
    expect(notices).toHaveLength(returns);
    const incidents = await store.db.selectFrom('incidents').selectAll().execute();
    const shown = incidents.map((row) => `${row.subject_id.slice(1)} ${!row.ended_at}`);
    expect(shown.sort()).toEqual(told.map(({ value, isOpen }) => `${value} ${isOpen}`).sort());
    expect(await postsIn(store)).toHaveLength(posts);
    await expectShown(store, messages, ({ incident, value, at, user, dueAt }) => {
      const row = incidents.find(({ post_key: key }) => key === incident)!;
      const thing = out.find((one) => one.value === value);
      const wasOut = Number(row.last_at);
      if (!thing || isBackBetween(scans, said, value, wasOut, thing.at)) {
        const isEnd = (one: { value: string; at: number }) => one.value === value && one.at >= wasOut;
        const back = said.find((one) => one.until === undefined && isEnd(one));
        const scanned = movesNaively(scans, 0).find((move) => move.way === 'in' && isEnd(move));
        return back && back.at < (scanned?.at ?? Number.POSITIVE_INFINITY) ? 'back' : 'moved';
      }
      if (thing.at !== at && thing.user !== user) return 'moved';
      if (row.ended_at === null) return 'due';
      if (thing.dueAt === Number(row.began_at) && thing.dueAt === dueAt) return 'soon';
      if (said.some((one) => one.value === value && one.until !== undefined && one.at >= thing.at)) {
        return `extended to ${thing.dueAt}`;
      }
      return thing.at > wasOut ? 'moved' : `edited to ${thing.dueAt}`;
    });
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
      case 'restart':
      case 'due': {
        await fold();
        const { id, settings: before } = await world.list();
        const custody = {
          ...before.custody!,
          ...(step.do === 'due' && due.by === 'time' ? { due: { ...due, ...step } } : {}),
        };
        const edited = step.do === 'due' ? { custody: placeSettings.shape.custody.parse(custody) } : {};
        await world.places.change(id, { name: 'Tools', settings: { ...before, refused: !before.refused, ...edited } });
        quietTo = clock.now();
        since = clock.now();
        break;
      }
      case 'forget':
        await forget(store, world, step.value);
        await eraseBarcodes(store.db, owner, step.value);
        waiting = waiting.filter((one) => one.value !== step.value);
        returns = (await store.db.selectFrom('outbox').select('key').where('kind', '=', 'notice').execute()).length;
        scans = scans.filter((scan) => scan.value !== step.value);
        said = said.filter((one) => one.value !== step.value);
        told = told.filter((one) => one.value !== step.value);
        expect((await postsIn(store)).filter(({ value }) => value === step.value)).toEqual([]);
        posts = (await postsIn(store)).length;
        break;
      case 'remind': {
        await fold();
        const now = clock.now();
        const name = { key: scanKey(step.value), barcode: placeBarcode(step.value) };
        const isFree = ({ value, isOpen, remindedAt, messages, remindAt = now + 1 }: Told) =>
          value === step.value && isOpen && (remindedAt <= now - hour || messages === 0) && remindAt > now;
        expect(await world.places.remindNow(await world.list(), [name])).toBe(told.filter(isFree).length);
        told = told.map((one) => (isFree(one) ? { ...one, remindAt: now } : one));
        break;
      }
      case 'watch': {
        await fold();
        const [place] = (await world.places.bySide(await world.list(), false)).filter(
          (each) => each.value === step.value,
        );
        if (place) {
          const { key, barcode, at: outAt, value } = place;
          const loan = { list: (await world.list()).id, key, barcode, outAt };
          await watches.watch(owner, { value, channel: '', who: 'U3', forMs: 365 * day, loan });
          if (!waiting.some((one) => one.value === value)) waiting.push({ value, outAt });
        }
        break;
      }
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
  said: Said[],
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
    said.push({ value: loan.place.value, at: now, ...(step.do === 'back' ? {} : { until }) });
  }
  const after = (await postsIn(store)).length;
  expect(after - before).toBeLessThanOrEqual(step.do === 'not_mine' && loan?.isCurrent ? 1 : 0);
  return after - before;
}

/** Schedules that random runs found: the scan of an overdue thing is deleted while its list counts anew. */
const never: Reminders = { before: undefined, daily: false };
const found: [Step[], Reminders][] = [
  [
    [
      {
        do: 'scan',
        says: 30 * minute,
        scan: { value: 'DRILL-1', way: 'out', isOfAccount: false, gate: 'g1', user: '2', answer: 5 as never },
      },
      { do: 'wait', minutes: 1_500 },
      { do: 'fold' },
      {
        do: 'scan',
        says: -90 * minute,
        scan: { value: 'DRILL-1', way: 'out', isOfAccount: false, gate: 'g1', user: '1', answer: 5 as never },
      },
      { do: 'fold' },
    ],
    never,
  ],
  [
    [
      {
        do: 'scan',
        says: -minute,
        scan: { value: 'DRILL-1', way: 'out', isOfAccount: false, gate: 'g1', user: '1', answer: 5 as never },
      },
      { do: 'wait', minutes: 25 },
      { do: 'extend', which: 0 },
      {
        do: 'scan',
        says: -minute,
        scan: { value: 'DRILL-1', way: 'out', isOfAccount: false, gate: 'g1', user: '2', answer: 5 as never },
      },
      {
        do: 'scan',
        says: -90 * minute,
        scan: { value: 'DRILL-1', way: 'in', isOfAccount: false, gate: 'g1', user: '1', answer: 5 as never },
      },
    ],
    never,
  ],
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
    never,
  ],
  [
    [
      {
        do: 'scan',
        says: -minute,
        scan: { value: 'DRILL-1', way: 'out', isOfAccount: true, gate: 'g1', user: '1', answer: '2026-01-01 10:00' },
      },
      { do: 'wait', minutes: 1_500 },
      { do: 'back', which: 0 },
      { do: 'edit', which: 0, way: 'in' },
    ],
    never,
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

  const open = async (settingsNow: PlaceSettings | undefined) => {
    await emptied(store);
    const clock = createMovableClock(start);
    const world = await createWorld(store, clock);
    await linkMember({ store }, owner, '1', { id: 'U0MARA', name: 'Mara' });
    if (settingsNow) await world.places.create(owner, { name: 'Tools', settings: settingsNow }, 'U1');
    let id = 0;
    const lend = async (count: number, ago = 0, user = '1') => {
      for (let n = 0; n < count; n += 1) {
        id += 1;
        const scan = {
          id: String(id),
          value: `THING-${id}`,
          way: 'out' as const,
          gate: 'g1',
          user,
          isOfAccount: false,
        };
        await world.receive({ ...scan, scannedAt: clock.now() - ago, arrivedAt: clock.now() });
      }
    };
    const pass = async (ms: number) => {
      clock.advance(ms);
      await world.fold();
    };
    /** Edits the list, whose new settings have the others of before. */
    const edit = async (change: Partial<PlaceSettings>) => {
      const list = await world.list();
      await world.places.change(list.id, { name: 'Tools', settings: { ...list.settings, ...change } });
    };
    const told = async () => (await postsIn(store)).map(({ part, value: about }) => `${part} ${about}`);
    return { clock, world, lend, pass, edit, told };
  };
  const dueIn = (minutes: number, more: object = {}) => lent({ ...byTime, minutes } as never, more);

  it('a list that is turned on posts nothing of what was overdue then, and reminds of what becomes due later', async () => {
    const { world, lend, pass, told } = await open(undefined);
    await lend(120, 60 * minute);
    await lend(1);
    const preview = await world.places.preview(owner, lent(byTime));
    expect(preview).toMatchObject({ inside: 121, overdue: 120 });
    await world.places.create(owner, { name: 'Tools', settings: lent(byTime) }, 'U1');
    await pass(1_000);
    await pass(10 * minute);
    expect(await told()).toEqual([]);
    await pass(15 * minute);
    expect(await told()).toEqual(['due THING-121']);
    // A scan that is uploaded late, of a thing that was due before the list was turned on, is news to the list.
    await lend(1, 90 * minute);
    await pass(1_000);
    expect(await told()).toEqual(['due THING-121', 'due THING-122']);
  });

  it('a list whose due time is edited posts nothing of what is overdue by it, and reminds of each loan once', async () => {
    const { lend, pass, edit, told } = await open(dueIn(5_000));
    await lend(8);
    await pass(60 * minute);
    await edit(dueIn(20));
    await pass(1_000);
    await pass(minute);
    expect(await told()).toEqual([]);
    await lend(1);
    await pass(21 * minute);
    expect(await told()).toEqual(['due THING-9']);
    for (const minutes of [30, 5, 21]) {
      await edit(dueIn(minutes));
      await pass(1_000);
      await pass(2_000);
    }
    expect(await told()).toEqual(['due THING-9']);
  });

  it('a thing that became due in quiet hours is reminded of when they end, although its list was edited meanwhile', async () => {
    // It is 18:00; the quiet hours begin at 18:10.
    const { lend, pass, edit, told } = await open(dueIn(20, { quiet: { from: '18:10', to: '22:00' } }));
    await lend(1);
    await pass(60 * minute);
    await edit({ refused: true });
    await pass(1_000);
    await pass(60 * minute);
    expect(await told()).toEqual([]);
    await pass(3 * 60 * minute);
    expect(await told()).toEqual(['due THING-1']);
  });

  it('a loan that is extended and then due again has one first reminder, and another one then', async () => {
    const { clock, world, lend, pass, told } = await open(dueIn(20));
    await lend(1);
    await pass(25 * minute);
    const [reminder] = await postsIn(store);
    await world.places.changeLoan(owner, reminder!.key, { says: 'extend', by: 'U2', until: clock.now() + 60 * minute });
    await pass(1_000);
    // Its holder uploads a scan that was made before it was extended.
    const scan = { id: '9', value: 'THING-1', way: 'out' as const, gate: 'g1', user: '1', isOfAccount: false };
    await world.receive({ ...scan, scannedAt: clock.now() - 5 * minute, arrivedAt: clock.now() });
    await pass(30 * minute);
    expect((await world.places.bySide(await world.list(), false))[0]).toMatchObject({ extendedBy: 'U2' });
    expect(await told()).toEqual(['due THING-1']);
    await pass(35 * minute);
    expect(await told()).toEqual(['due THING-1', 'again THING-1']);
    await pass(day);
    expect(await told()).toEqual(['due THING-1', 'again THING-1', 'late THING-1']);
    expect(await store.db.selectFrom('incidents').select('ended_at').execute()).toEqual([{ ended_at: null }]);
  });

  it.each([
    ['given back by hand', { says: 'back', by: 'U2' } as const, []],
    ['extended', { says: 'extend', by: 'U2', until: start + 10 * day } as const, ['1 extended by U2']],
  ])('a thing that was %s stays so when a scan from before is uploaded later', async (_, change, expected) => {
    const { clock, world, lend, pass } = await open(dueIn(20));
    await lend(1);
    await pass(60 * minute);
    const [reminder] = await postsIn(store);
    await world.places.changeLoan(owner, reminder!.key, change);
    await pass(10 * minute);
    const scan = { value: 'THING-1', way: 'out' as const, gate: 'g1', user: '2', isOfAccount: false };
    const shown = async () =>
      (await world.places.bySide(await world.list(), false)).map(
        ({ user, extendedBy }) => `${user} extended by ${extendedBy}`,
      );
    // The thing was lent at 18:00, and a phone was offline at 17:30 and at 18:30; the answer was given at 19:00.
    await world.receive({ ...scan, id: '8', scannedAt: start - 30 * minute, arrivedAt: clock.now() });
    await pass(1_000);
    expect(await shown()).toEqual(expected);
    await world.receive({ ...scan, id: '9', scannedAt: start + 30 * minute, arrivedAt: clock.now(), user: '1' });
    await pass(1_000);
    expect(await shown()).toEqual(expected);
  });

  it('the channel hears of a thing that is overdue for a day although its list counts anew at that moment', async () => {
    const { clock, lend, pass, edit, told } = await open(dueIn(20));
    await lend(1);
    await pass(30 * minute);
    clock.advance(day);
    await edit({ refused: true });
    // Another process has claimed the list, and dies.
    const claimed = { claimed_by: 'third', claimed_until: clock.now() + 10_000 };
    await store.db.updateTable('place_lists').set(claimed).execute();
    await pass(0);
    await pass(11_000);
    await pass(2_000);
    expect(await told()).toEqual(['due THING-1', 'late THING-1']);
  });

  it('a holder whose list has quiet hours that never end, as an older version stored them, is reminded', async () => {
    const { lend, pass, told } = await open(dueIn(20, { quiet: { from: '08:00', to: '08:00' } }));
    await lend(1);
    await pass(30 * minute);
    expect(await told()).toEqual(['due THING-1']);
  });

  it('a thing that a clock set ahead found overdue is not once the clock is right, and its holder hears when it is', async () => {
    const { clock, lend, pass, told } = await open(dueIn(20, { daily: true }));
    await lend(1);
    await pass(400 * day);
    expect(await told()).toEqual(['due THING-1']);
    await pass(minute - 400 * day);
    const maker = createPlacesMaker({ store, clock, notices: undefined as never, onNotices: () => undefined });
    const row = await store.db.selectFrom('outbox').selectAll().executeTakeFirstOrThrow();
    expect(await maker.of({ ...toPost(row), state: 'delivered' }, undefined)).toMatchObject({ over: 'soon' });
    expect(await maker.of({ ...toPost(row), state: 'sending' }, undefined), 'a post that was never sent').toBe('over');
    await pass(day);
    expect(await told()).toEqual(['due THING-1', 'again THING-1']);
    await pass(day);
    expect((await told()).slice(2).sort()).toEqual(['again THING-1', 'late THING-1']);
  });

  it('a clock that was set ahead and back puts off no daily reminder of a thing that is overdue', async () => {
    const { lend, pass, told } = await open(dueIn(20, { daily: true }));
    await lend(1);
    await pass(30 * minute);
    await pass(400 * day);
    await pass(minute - 400 * day);
    const before = (await told()).length;
    await pass(day);
    expect((await told()).slice(before)).toEqual(['again THING-1']);
  });

  it('a list keeps who has it once its kind is changed, and who is inside once it is changed back', async () => {
    const { clock, world, lend, pass } = await open(settings);
    await lend(2, 60 * minute);
    await pass(1_000);
    const { id } = await world.list();
    expect(await world.places.showBoard(id, 'C0HALL', 'U1')).toBe('shown');
    const become = async (next: PlaceSettings) => {
      const preview = await world.places.preview(owner, next, { list: await world.list() });
      await world.places.change(id, { name: 'Hall', settings: next });
      expect((await world.places.figures(await world.list())).counting).toBe(true);
      await pass(1_000);
      return preview.inside;
    };
    expect(await become(dueIn(20, { daily: true }))).toBe(2);
    expect(await world.places.bySide(await world.list(), false)).toHaveLength(2);
    expect(await world.places.boards(await world.list())).toEqual([]);
    await world.receive({
      ...{ id: '9', value: 'GUEST', way: 'in', gate: 'g1', isOfAccount: false },
      ...{ scannedAt: clock.now() + 2_000, arrivedAt: clock.now() + 2_000 },
    });
    expect(await become(settings)).toBe(0);
    await pass(2_000);
    expect(await world.places.figures(await world.list())).toMatchObject({ inside: 1, counting: false });
  });

  it('the newest reminder of a loan has its buttons, and an older one says when its holder was reminded again', async () => {
    const { lend, pass } = await open(dueIn(20, { daily: true }));
    await lend(1);
    await pass(30 * minute);
    await pass(day + minute);
    const rows = await store.db.selectFrom('outbox').selectAll().orderBy('seq').execute();
    const found = await Promise.all(rows.map((row) => readOverduePost(store.db, toPost(row))));
    const again = start + 30 * minute + day + minute;
    expect(found.map(({ part, over, againAt }) => ({ part, over, againAt }))).toEqual([
      { part: 'due', over: undefined, againAt: again },
      { part: 'again', over: undefined, againAt: undefined },
      { part: 'late', over: undefined, againAt: undefined },
    ]);
  });

  it('the newer of two posts in a list’s channel about a loan has the buttons', async () => {
    const { clock, world, lend, pass } = await open(dueIn(20));
    await lend(1);
    await pass(30 * minute);
    await pass(day + minute);
    const [reminder] = await postsIn(store);
    await world.places.changeLoan(owner, reminder!.key, { says: 'extend', by: 'U2', until: clock.now() + 60 * minute });
    for (const later of [1_000, 65 * minute, day + minute]) {
      await pass(later);
    }
    const rows = await store.db.selectFrom('outbox').selectAll().orderBy('seq').execute();
    const found = await Promise.all(rows.map((row) => readOverduePost(store.db, toPost(row))));
    expect(found.map(({ part, againAt }) => `${part} ${againAt === undefined ? 'has' : 'had'} the buttons`)).toEqual([
      ...['due had the buttons', 'late had the buttons', 'again has the buttons', 'late has the buttons'],
    ]);
  });

  it('a reminder and a post in a list’s channel that waited for Slack wait for the end of quiet hours too', async () => {
    // It is 18:00; the quiet hours begin at 18:10.
    const { clock, lend, pass, told } = await open(dueIn(5, { quiet: { from: '18:10', to: '22:00' } }));
    await lend(1);
    await pass(6 * minute);
    const maker = createPlacesMaker({ store, clock, notices: undefined as never, onNotices: () => undefined });
    const send = async () => {
      const rows = await store.db.selectFrom('outbox').selectAll().orderBy('seq').execute();
      await maker.ready?.(toPost(rows.at(-1)!));
      return told();
    };
    expect(await send()).toEqual(['due THING-1']);
    await pass(10 * minute);
    expect(await send()).toEqual([]);
    await pass(4 * hour);
    expect(await told()).toEqual(['due THING-1']);
    await pass(day);
    expect(await told()).toEqual(['due THING-1', 'late THING-1']);
    await pass(20 * hour);
    expect(await send()).toEqual(['due THING-1']);
    await pass(4 * hour);
    expect(await send()).toEqual(['due THING-1', 'late THING-1']);
  });

  it('erasing all data takes what is lent, what people said of it, and the reminders', async () => {
    const { world, lend, pass } = await open(dueIn(20));
    await lend(2);
    await pass(30 * minute);
    const [reminder] = await postsIn(store);
    await world.places.changeLoan(owner, reminder!.key, { says: 'back', by: 'U2' });
    await store.db.deleteFrom('received_scans').execute();
    await world.places.erase(owner, new AbortController().signal);
    await pass(1_000);
    for (const table of ['loans', 'incidents', 'places', 'place_moves'] as const) {
      expect(await store.db.selectFrom(table).selectAll().execute(), table).toEqual([]);
    }
    expect(await postsIn(store)).toEqual([]);
  });

  it('a holder is reminded once before a thing is due, and again when it is due', async () => {
    const { pass, lend, told } = await open(dueIn(90, { before: { minutes: 60 } }));
    await lend(1);
    await pass(29 * minute);
    expect(await told()).toEqual([]);
    await pass(2 * minute);
    await pass(minute);
    expect(await told()).toEqual(['soon THING-1']);
    await pass(60 * minute);
    expect(await told()).toEqual(['soon THING-1', 'again THING-1']);
  });

  it('a reminder before a thing is due answers as one after it, follows an extension, and ends with the return', async () => {
    const { clock, world, pass, lend, told } = await open(dueIn(90, { before: { minutes: 60 } }));
    await lend(2);
    await pass(31 * minute);
    const [first, second] = await postsIn(store);
    const until = clock.now() + 120 * minute;
    await world.places.changeLoan(owner, first!.key, { says: 'extend', by: 'U2', until });
    await world.places.changeLoan(owner, second!.key, { says: 'back', by: 'U2' });
    await pass(1_000);
    const shown = async () => {
      const rows = await store.db.selectFrom('outbox').selectAll().orderBy('seq').execute();
      return Promise.all(rows.map(async (row) => (await readOverduePost(store.db, toPost(row))).over));
    };
    expect(await shown()).toEqual(['extended', 'person']);
    await pass(62 * minute);
    expect(await told()).toEqual(['soon THING-1', 'soon THING-2', 'soon THING-1']);
    expect(await shown()).toEqual(['extended', 'person', 'soon']);
    await pass(60 * minute);
    expect((await told()).slice(3)).toEqual(['again THING-1']);
    expect(await shown()).toEqual([undefined, 'person', undefined, undefined]);
  });

  it('a list that begins to remind before things are due, or once a day, posts nothing of the time before', async () => {
    const { pass, lend, edit, told } = await open(dueIn(90));
    await lend(3);
    await pass(60 * minute);
    await edit(dueIn(90, { before: { minutes: 60 }, daily: true }));
    await pass(minute);
    expect(await told()).toEqual([]);
    await pass(30 * minute);
    expect(await told()).toEqual(['due THING-1', 'due THING-2', 'due THING-3']);
  });

  it('a holder is reminded once a day while a thing is overdue, in the hours of the list, after any outage once', async () => {
    const { pass, lend, edit, told } = await open(dueIn(20, { quiet: { from: '18:30', to: '19:30' } }));
    await lend(1);
    await pass(25 * minute);
    await pass(2 * day);
    expect(await told()).toEqual(['due THING-1', 'late THING-1']);
    await edit(dueIn(20, { daily: true, quiet: { from: '18:00', to: '19:30' } }));
    await pass(minute);
    expect(await told()).toHaveLength(2);
    await pass(day);
    expect(await told()).toHaveLength(2);
    await pass(2 * 60 * minute);
    expect((await told()).slice(2)).toEqual(['again THING-1']);
    await pass(5 * day);
    await pass(minute);
    expect((await told()).slice(2)).toEqual(['again THING-1', 'again THING-1']);
    await edit(dueIn(20, { daily: false }));
    await pass(5 * day);
    expect(await told()).toHaveLength(4);
  });

  it('what a list found overdue when it was turned on is reminded of daily only once somebody asks for a reminder', async () => {
    const { world, lend, pass, told } = await open(undefined);
    await lend(2, 60 * minute);
    await world.places.create(owner, { name: 'Tools', settings: dueIn(20, { daily: true }) }, 'U1');
    await pass(1_000);
    await pass(3 * day);
    expect(await told()).toEqual([]);
    const list = await world.list();
    const [thing] = await world.places.bySide(list, false);
    expect([await world.places.remindNow(list, [thing!]), await world.places.remindNow(list, [thing!])]).toEqual([
      1, 0,
    ]);
    await pass(1_000);
    const about = thing!.value;
    expect(await told()).toEqual([`due ${about}`]);
    expect(await world.places.remindNow(list, [thing!])).toBe(0);
    await pass(day);
    expect((await told()).slice(1).sort()).toEqual([`again ${about}`]);
  });

  it('who waits for a thing hears once that it is back, by a late scan too, and nothing once its list is deleted', async () => {
    const { clock, world, lend, pass } = await open(dueIn(20));
    const watches = createWatches({ store, clock, random: systemRandom });
    await lend(2);
    await pass(10 * minute);
    const list = await world.list();
    for (const { key, barcode, at: outAt, value } of await world.places.bySide(list, false)) {
      const loan = { list: list.id, key, barcode, outAt };
      for (const who of ['U3', 'U4']) {
        await watches.watch(owner, { value, channel: '', who, forMs: day, loan });
        await watches.watch(owner, { value, channel: '', who, forMs: day, loan });
      }
    }
    // By the time that its return is uploaded, the thing is out again.
    const scan = { value: 'THING-1', gate: 'g1', user: '1', isOfAccount: false, arrivedAt: clock.now() };
    await world.receive({ ...scan, id: '91', way: 'out', scannedAt: clock.now() });
    await world.receive({ ...scan, id: '90', way: 'in', scannedAt: clock.now() - minute });
    await pass(1_000);
    await pass(minute);
    const rows = await store.db.selectFrom('outbox').selectAll().where('kind', '=', 'notice').orderBy('key').execute();
    expect(rows.map(({ channel }) => channel).sort()).toEqual(['D-U3', 'D-U4']);
    const outAt = Math.floor(scan.arrivedAt / 1_000) * 1_000;
    expect(JSON.parse(rows[0]!.detail!)).toMatchObject({ value: 'THING-1', list: 'Tools', at: outAt - minute, outAt });
    await world.places.remove(list.id);
    expect(await store.db.selectFrom('watches').selectAll().execute()).toEqual([]);
  });

  it('who left Slack gets no message about a thing that is back, waits no longer, and others hear', async () => {
    const { clock, world, lend, pass } = await open(dueIn(20));
    const watches = createWatches({ store, clock, random: systemRandom });
    await lend(1);
    await pass(minute);
    const list = await world.list();
    const [{ key, barcode, at: outAt, value } = {} as never] = await world.places.bySide(list, false);
    for (const who of [leftSlack, 'U4']) {
      await watches.watch(owner, { value, channel: '', who, forMs: day, loan: { list: list.id, key, barcode, outAt } });
    }
    const scan = { id: '9', value, gate: 'g1', isOfAccount: false, scannedAt: clock.now(), arrivedAt: clock.now() };
    await world.receive({ ...scan, way: 'in' });
    await pass(1_000);
    const rows = await store.db.selectFrom('outbox').select('channel').where('kind', '=', 'notice').execute();
    expect(rows).toEqual([{ channel: 'D-U4' }]);
    expect(await store.db.selectFrom('watches').selectAll().execute()).toEqual([]);
  });

  it('a thing that is scanned out by somebody else has a reminder for each of both, and the first one says so', async () => {
    const { clock, world, lend, pass } = await open(dueIn(20));
    await linkMember({ store }, owner, '2', { id: 'U0NOA', name: 'Noa' });
    await lend(1);
    await pass(25 * minute);
    const scan = { id: '9', value: 'THING-1', way: 'out' as const, gate: 'g1', user: '2', isOfAccount: false };
    await world.receive({ ...scan, scannedAt: clock.now(), arrivedAt: clock.now() });
    await pass(1_000);
    await pass(25 * minute);
    const rows = await store.db.selectFrom('outbox').selectAll().orderBy('seq').execute();
    const says = await Promise.all(
      rows.map(async (row) => `${row.channel} ${(await readOverduePost(store.db, toPost(row))).over}`),
    );
    expect(says).toEqual(['D-U0MARA scan', 'D-U0NOA undefined']);
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
      const reminders = fc.record({ before: fc.constantFrom(undefined, 10, 60), daily: fc.boolean() });
      const schedule = fc.array(step, { minLength: 1, maxLength: 30 });
      await fc.assert(
        fc.asyncProperty(schedule, reminders, (steps, chosen) => play(store, steps, due, chosen)),
        { numRuns: effort({ short: 30, long: 1_000 }), examples: found },
      );
    },
    effort({ short: 300_000, long: 9_000_000 }),
  );
});
