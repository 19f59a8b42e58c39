/** Needs `npm run build` first: the app is killed. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../src/clock.js';
import { silentLog } from '../../src/log.js';
import { createPlaces, type PlaceList, placeSettings } from '../../src/places/index.js';
import type { ShownMessage } from '../../src/sandbox/slack/api.js';
import { utcMoment } from '../../src/scans/received/received-scan-rows.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase } from '../helpers/databases.js';
import { byChance, type Chance } from '../helpers/faults/chance.js';
import { createDevices } from '../helpers/faults/devices.js';
import { allPosted } from '../helpers/faults/promises.js';
import { type FaultRoom, openRoom, type RoomRelay } from '../helpers/faults/room.js';
import { freePort } from '../helpers/free-port.js';
import { addJob } from '../helpers/jobs.js';
import { shareOf } from '../helpers/long-share.js';
import { createPerson } from '../helpers/person.js';
import { rowsInFile } from '../helpers/spreadsheets.js';
import {
  doubleMinutes,
  drawEvening,
  dueMinutes,
  type Evening,
  gates,
  type Lent,
  lentOf,
  type Pass,
  truthOf,
  uploadsOf,
} from '../places/evening.js';
import { read, shownTexts } from '../slack/block-kit/reading.js';
import { text } from '../slack/relays/relay-stage.js';
import { eventually, Person } from '../slack/test-app.js';

const people = shareOf(10_000);
const things = shareOf(500);
/** At the end more than 50% and less than 80% of the capacity are inside. */
const capacity = people * 1.3;
const kills = shareOf(30);
/** The fewest kills that must come while scans wait to be counted: with fewer, this test shows little. */
const leastInside = Math.floor(kills / 6);
const hour = 3_600_000;
const minute = 60_000;
/** How long counting may take: the claim of a killed process on a list ends after ten seconds. */
const countedWithinMs = 60_000;
const property = (to: string) => ({
  kind: 'property' as const,
  name: 'direction',
  how: 'equals' as const,
  to,
  exact: false,
});

onEachDatabase('an evening at twelve gates', (databases) => {
  it(
    `a list of ${people} people counts exactly in any order of scans, over ${kills} kills of the app`,
    () =>
      byChance(async (chance) => {
        const ports = [await freePort(), await freePort()];
        const room = await openRoom({
          ...{ appUrl: `http://127.0.0.1:${ports[0]}`, channels: 2, connected: true, slackTakesMs: 100 },
          more: [{ channel: 0, notable: 'invalid' }],
          ...(databases.kind === 'postgres' ? { databaseUrl: await databases.fresh() } : {}),
        });
        const store = await room.store();
        try {
          const now = systemClock.now();
          const list = await createList(room, store, new Date(now - 6 * hour).getUTCHours());
          expect(await placesOf(store).showBoard(list.id, room.relays[0]!.channel, 'U0ADA')).toBe('shown');
          const evening = { people, things, from: list.resetAt + minute, to: now - minute, now };
          const passes = drawEvening(chance.fork(), evening);
          const pendingKills = await playWithKills(room, store, { ports, passes, chance });
          expect(pendingKills).toBeGreaterThanOrEqual(leastInside);
          await expect.poll(() => waiting(store), { timeout: countedWithinMs, interval: 200 }).toBe(0);
          const truth = truthOf(passes, await momentsOf(store, passes));
          const lent = lentOf(passes, await momentsOf(store, passes), now);
          const { doubles, ...counts } = truth;
          expect(await counted(store, list)).toEqual(counts);
          await allPosted(room, 300_000);
          await expectDoubles(room, store, passes, doubles);
          await expectThresholds(room, store, truth);
          await expectBoard(room, truth);
          await expectReminders(room, store, lent);
          await expectShown(room, truth, chance);
          await expectReport(room, store, truth);
          const ada = personIn(room);
          const figures = await ada.command('/scandesk inside', room.relays[0]!.channel);
          await expectExport(ada, figures, room, truth);
          await expectRollCall(ada, figures, truth);
        } finally {
          await store.close();
          await room.close();
        }
      }),
    900_000,
  );
});

async function createList({ owner, relays }: FaultRoom, store: Store, fromHour: number): Promise<PlaceList> {
  const places = placesOf(store);
  const settings = { in: [property('in')], out: [property('out')], refused: false, zone: 'UTC', devices: {} };
  const alerts = {
    channel: relays[1]!.channel,
    percents: [50, 80, 100],
    doubles: { minutes: doubleMinutes, since: 0 },
  };
  await places.create(
    owner,
    { name: 'Main hall', settings: { ...settings, hour: fromHour, capacity, alerts } },
    'U0ADA',
  );
  const custody = {
    channel: relays[1]!.channel,
    due: { by: 'time', minutes: dueMinutes, services: {} },
    others: 'managers',
    // Nobody in Slack has a thing: a reminder before it is due, and a second one within the day, would be one too many.
    ...{ before: { minutes: dueMinutes / 2 }, daily: true },
  };
  const lent = { ...settings, in: [property('back')], out: [property('lend')], custody };
  await places.create(owner, { name: 'Radios', settings: placeSettings.parse(lent) }, 'U0ADA');
  return (await places.lists(owner)).find(({ name }) => name === 'Main hall')!;
}

/** Dependencies that do nothing: the test itself folds and posts nothing. */
const idle = { onPosts: () => undefined, open: () => Promise.reject(new Error('nobody is asked')) };

function placesOf(store: Store) {
  const relays = { validators: async () => [] };
  return createPlaces({
    store,
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    instanceId: 'test',
    relays,
    ...idle,
  });
}

/** @returns how many kills came while stored scans waited to be counted */
async function playWithKills(
  room: FaultRoom,
  store: Store,
  { ports, passes, chance }: { ports: readonly number[]; passes: readonly Pass[]; chance: Chance },
): Promise<number> {
  const relay = room.relays.at(-1)!;
  const instances = ports.map((port) => room.start(port));
  await Promise.all(instances.map(({ listening }) => listening));
  const devices = createDevices(chance.fork(), 30_000);
  const scanning = Promise.all(gates.map((gate) => upload({ devices, relay, ports, chance }, uploadsOf(passes, gate))));
  let ended = false;
  scanning
    .finally(() => {
      ended = true;
    })
    .catch(() => undefined);
  let pending = 0;
  for (let killed = 0; killed < kills; killed++) {
    const which = killed % ports.length;
    await wait(chance.between(200, 2_500));
    await instances[which]!.kill();
    pending += (await waiting(store)) > 0 ? 1 : 0;
    instances[which] = room.start(ports[which]!);
    if (ended || chance.percent(70)) await instances[which]!.listening;
  }
  await Promise.all(instances.map(({ listening }) => listening));
  await scanning;
  return pending;
}

async function upload(
  {
    devices,
    relay,
    ports,
    chance,
  }: {
    readonly devices: ReturnType<typeof createDevices>;
    readonly relay: RoomRelay;
    readonly ports: readonly number[];
    readonly chance: Chance;
  },
  uploads: readonly Pass[],
): Promise<void> {
  const own = chance.fork();
  await devices.scan(
    { relayId: relay.id, url: () => `http://127.0.0.1:${own.pick(ports)}${relay.path}` },
    {
      ...{ count: uploads.length, pauseMs: 0 },
      fields(n) {
        const { value, direction, gate, says } = uploads[n - 1]!;
        const scannedAt = new Date(says).toISOString().slice(0, 19).replace('T', ' ');
        return { tid: value, udid: gate, scanned_at_utc: scannedAt, status: '1', text: 'Welcome', direction };
      },
    },
  );
}

const waiting = async ({ db }: Store) => (await db.selectFrom('place_marks').select('id').execute()).length;

/** A clock that is more than five minutes ahead is not believed: the scan counts when it was received. */
async function momentsOf({ db }: Store, passes: readonly Pass[]): Promise<(pass: Pass) => number> {
  const rows = await db.selectFrom('received_scans').select(['tid', 'scanned_at_utc', 'received_at']).execute();
  const received = new Map(
    rows.map((row) => [`${row.tid} ${utcMoment(row.scanned_at_utc ?? undefined)}`, row.received_at]),
  );
  expect(rows, 'each answered scan is stored once').toHaveLength(passes.length);
  return ({ value, says }) => {
    const at = received.get(`${value} ${says}`) ?? Number.NaN;
    return says > at + 5 * minute ? at : says;
  };
}

async function counted(store: Store, list: PlaceList): Promise<Omit<Evening, 'doubles'>> {
  const { inside, ins, outs, outsAlone, insAgain, peak, gates: byGate } = await placesOf(store).figures(list);
  const rows = await store.db.selectFrom('places').selectAll().where('run', '=', list.run).execute();
  return {
    ...{ inside, ins, outs, outsAlone, insAgain, peak: peak?.inside ?? 0 },
    gates: Object.fromEntries(byGate.map(({ gate, ...figures }) => [gate, figures])),
    places: Object.fromEntries(
      rows.map((row) => [row.value, `${row.inside === 1 ? 'in' : 'out'} ${row.at} ${row.gate}`]),
    ),
  };
}

/** Each double admission is posted once. One that a late *out* undid says so, or is not posted if still unsent. */
async function expectDoubles(room: FaultRoom, { db }: Store, passes: readonly Pass[], doubles: readonly string[]) {
  const rows = await db.selectFrom('outbox').select(['detail', 'state']).where('kind', '=', 'double').execute();
  const found = rows.map(({ detail, state }) => {
    const { value, earlier, later } = JSON.parse(detail ?? '{}');
    return { name: `${value} ${earlier.at} ${later.at}`, value, earlier: earlier.at, later: later.at, state };
  });
  const unsent = found.filter(({ state }) => state === 'missed').map(({ name }) => name);
  expect(doubles.filter((name) => unsent.includes(name))).toEqual([]);
  const told = found.filter(({ state }) => state !== 'missed');
  const names = told.map(({ name }) => name);
  expect(new Set(names).size, 'none is told twice').toBe(names.length);
  expect(names).toEqual(expect.arrayContaining([...doubles]));
  let undone = 0;
  for (const { name, value, earlier, later } of told.filter((one) => !doubles.includes(one.name))) {
    const between = passes.filter((pass) => pass.value === value && pass.says > earlier && pass.says < later);
    expect(between, `${name} was told`).not.toEqual([]);
    undone += between.some(({ direction }) => direction === 'out') ? 1 : 0;
  }
  const shown = async (words: string) =>
    (await room.messages(room.relays[1]!.channel)).filter(({ blocks }) => read(blocks).includes(words)).length;
  await expect.poll(() => shown('did not come in twice'), { timeout: 120_000 }).toBe(undone);
  expect(await shown(' came in twice')).toBe(names.length - undone);
}

/** The open thresholds are those that are reached now; each has one message, with its present state. */
async function expectThresholds(room: FaultRoom, { db }: Store, { inside }: Evening): Promise<void> {
  const rows = await db.selectFrom('incidents').selectAll().where('kind', '=', 'threshold').execute();
  const open = rows.filter(({ ended_at }) => ended_at === null).map(({ subject_id }) => subject_id);
  expect(open.sort()).toEqual(inside >= capacity / 2 ? ['50'] : []);
  const messages = await room.messages(room.relays[1]!.channel);
  const shown = messages.filter(({ blocks }) => /Main hall: (below )?\d+% of/.test(read(blocks)));
  expect(shown).toHaveLength(rows.length);
}

/** No holder is a Slack member here, so the channel gets the reminders: one for each loan that was known as overdue. */
async function expectReminders(room: FaultRoom, { db }: Store, { out, overdue, mayBeOverdue }: Lent): Promise<void> {
  const rows = await db.selectFrom('outbox').select('detail').where('kind', '=', 'overdue').execute();
  const names = rows.map(({ detail }) => {
    const { value, at } = JSON.parse(detail ?? '{}');
    return `${value} ${at}`;
  });
  expect(new Set(names).size, 'none is reminded of twice').toBe(names.length);
  expect(names).toEqual(expect.arrayContaining([...overdue]));
  expect(names.filter((name) => !mayBeOverdue.has(name))).toEqual([]);
  const reminding = await db.selectFrom('incidents').select('began_at').where('end_reason', '=', 'soon').execute();
  expect(reminding.filter(({ began_at: dueAt }) => dueAt <= systemClock.now())).toEqual([]);
  const open = await db
    .selectFrom('incidents')
    .select(['subject_id', 'last_at'])
    .where('kind', '=', 'overdue')
    .where('ended_at', 'is', null)
    .execute();
  expect(open).toHaveLength(overdue.length);
  const shown = async (words: string) =>
    (await room.messages(room.relays[1]!.channel)).filter(({ blocks }) => read(blocks).includes(words)).length;
  await expect.poll(() => shown(' is due back'), { timeout: 300_000 }).toBe(overdue.length);
  expect(await shown(' was due back')).toBe(names.length - overdue.length);
  const person = createPerson(room.slack.url, 'U0ADA');
  const { channel } = room.relays[0]!;
  await person.say(channel, '/scandesk out');
  const answer = await person.waitForMessage(channel, ({ blocks }) => read(blocks).includes(' things out'));
  expect(read(answer.blocks)).toContain(`${out} things out · ${overdue.length} overdue`);
}

async function expectBoard(room: FaultRoom, { inside, ins, outs }: Evening): Promise<void> {
  const boards = async () => {
    const messages = await room.messages(room.relays[0]!.channel);
    return messages.map(({ blocks }) => read(blocks)).filter((text) => text.includes('This message updates itself'));
  };
  const figures = `Main hall · ${inside.toLocaleString('en-US')} inside`;
  await expect.poll(boards, { timeout: 60_000 }).toEqual([expect.stringContaining(figures)]);
  expect((await boards())[0]).toContain(`${ins.toLocaleString('en-US')} in, ${outs.toLocaleString('en-US')} out`);
}

const number = (n: number) => n.toLocaleString('en-US');

/** Expects what people see of the list. */
async function expectShown(room: FaultRoom, truth: Evening, chance: Chance): Promise<void> {
  const [{ channel }] = room.relays as [RoomRelay];
  const person = createPerson(room.slack.url, 'U0ADA');
  const answer = async (command: string, part: string) => {
    await person.say(channel, command);
    return read((await person.waitForMessage(channel, ({ blocks }) => read(blocks).includes(part))).blocks);
  };
  const figures = await answer('/scandesk inside', 'Main hall');
  expect(figures).toContain(`Main hall · ${number(truth.inside)} inside`);
  expect(figures).toContain(`${number(truth.ins)} in, ${number(truth.outs)} out`);
  for (let n = 0; n < 3; n++) {
    const value = chance.pick(Object.keys(truth.places));
    const place = truth.places[value]!.startsWith('in') ? 'Main hall: inside since' : 'Main hall: left';
    // After so many starts the account may have no calls left this minute.
    await expect.poll(() => answer(`/barcode ${value}`, value), { timeout: 90_000, interval: 5_000 }).toContain(place);
  }
}

function personIn({ slack }: FaultRoom): Person {
  const ask = async <Answer>(path: string) => (await (await fetch(slack.url + path)).json()) as Answer;
  const headers = { 'content-type': 'application/json' };
  const post = async (path: string, body: unknown) =>
    (await fetch(slack.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  return new Person('U0ADA', ask, post);
}

/** Expects the daily report of the relay that received all scans. */
async function expectReport({ owner, relays, messages }: FaultRoom, store: Store, truth: Evening): Promise<void> {
  const dueAt = Math.floor(systemClock.now() / minute) * minute;
  const at = new Date(dueAt);
  const { channel } = relays[0]!;
  const time = { hour: at.getUTCHours(), minute: at.getUTCMinutes(), zone: 'Etc/UTC', day: 'today' };
  const state = { channel, subject: { relay: relays.at(-1)!.id }, ...time, createdBy: 'U0ADA', dueAt, missed: 0 };
  await addJob(store, { owner, kind: 'report', key: 'report1', state, createdAt: dueAt, dueAt });
  const { inside, ins, outs } = truth;
  const posted = async () => (await messages(channel)).map(({ blocks }) => read(blocks));
  const found = await eventually(
    async () => (await posted()).find((each) => /Main hall: [\d,]+ inside at/.test(each)),
    'the report',
    60_000,
  );
  expect(found).toContain(`Main hall: ${number(inside)} inside at`);
  expect(found).toContain(`${number(ins)} in, ${number(outs)} out`);
}

async function expectExport(ada: Person, figures: ShownMessage, { slack }: FaultRoom, truth: Evening): Promise<void> {
  await ada.clickMessage(figures, 'export.inside');
  await ada.submit(await ada.seesForm('export.form'));
  const sent = await eventually(
    async () => (await ada.directMessages()).find(({ files }) => files !== undefined),
    'the file',
    60_000,
  );
  const file = await (await fetch(`${slack.url}/sandbox/file/${sent.files?.[0]?.id}?as=U0ADA`)).arrayBuffer();
  const rows = (await rowsInFile(new Uint8Array(file))).slice(1);
  const column = (n: number) => rows.map((row) => Number(row[n]));
  const sum = (counts: readonly number[]) => counts.reduce((all, each) => all + each, 0);
  const { inside, ins, outs, peak } = truth;
  expect([sum(column(2)), sum(column(3)), column(4).at(-1), Math.max(...column(5))]).toEqual([ins, outs, inside, peak]);
}

/** Expects the roll call to list everybody inside, on all its pages. */
async function expectRollCall(ada: Person, figures: ShownMessage, truth: Evening): Promise<void> {
  await ada.clickMessage(figures, 'places.roll');
  const inside = Object.keys(truth.places).filter((value) => truth.places[value]!.startsWith('in'));
  let page = await ada.seesForm('places.roll');
  expect(text(page)).toContain(`Main hall · ${number(inside.length)} inside`);
  const listed: string[] = [];
  const add = () => listed.push(...shownTexts(page.view.blocks).flatMap((shown) => (shown.code ? [shown.text] : [])));
  for (add(); JSON.stringify(page.view.blocks).includes('places.roll.more'); add()) {
    const { hash } = page;
    await ada.click(page, 'places.roll.more');
    // The view shown while the page is read does not count.
    page = await eventually(async () => {
      const view = await ada.window();
      return view?.callback_id === 'places.roll' && view.hash !== hash ? view : undefined;
    }, 'the next page');
  }
  expect(listed.sort()).toEqual(inside.sort());
}
