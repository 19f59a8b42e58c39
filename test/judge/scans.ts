/** Scans in lists and counts: searches and their pages, shared ones, files, Home, daily reports. */
import { parse } from 'csv-parse/sync';
import { savedSearches } from '../../src/search/index.js';
import { searchShared } from '../../src/slack/scans/actions.js';
import { resultsMessage } from '../../src/slack/scans/results-message.js';
import { firstPage, pageAfter } from '../../src/slack/scans/run-search.js';
import { madeOf, shareOf } from './cards.js';
import { texts } from './history.js';
import {
  type Counts,
  countIn,
  dateIn,
  dayAround,
  judgeCounts,
  judgeResults,
  judgeScans,
  type Known,
  type Result,
  type Wanted,
  wantedScans,
} from './scan-law.js';
import { type CopyAnswer, type DatabaseTruth, folded, minuteMs, readable, timeText } from './truth.js';
import type { JudgedRelay, World } from './world.js';

/** Results of a search that were shown, and can be shared later. */
export interface ShownSearch {
  readonly search: string;
  readonly shown: string;
  readonly askedAt: number;
  readonly connection: number;
}

const dayMs = 24 * 60 * minuteMs;

type Copy = { readonly at: number; readonly fullAt?: number | undefined; readonly since: number } | undefined;

/** The copy that an answer states; without `fullAt`, it is free of deleted scans as of `at`. */
function copyOf(copy: Copy): CopyAnswer | undefined {
  return copy && { ...copy, fullAt: copy.fullAt ?? copy.at };
}

const today = (world: World): NonNullable<Wanted['day']> => {
  const now = world.clock.now();
  return { date: dateIn(world.zone, now), zone: world.zone, before: now + dayMs };
};

export const search = (world: World, text: string) =>
  searchScans(world, `${JSON.stringify(text)}`, { barcode: { match: 'is', text } }, { text });

export const searchToday = (world: World) => searchScans(world, 'today', { when: 'today' }, { day: today(world) });

/** `/scans`, page by page. */
export async function searchScans(world: World, what: string, query: object, wanted: Wanted): Promise<void> {
  const context = world.app.contextOf(world.owner, { person: { zone: world.zone } }) as never;
  const first = await world.answered(firstPage(context, query as never));
  const { search: id = '' } = first;
  const scans = [...first.answer.scans];
  for (let { next } = first.answer; next; ) {
    const page = await world.answered(pageAfter(context, id, next));
    scans.push(...page.answer.scans);
    next = page.answer.next;
  }
  const { totals, askedAt, copy } = first.answer;
  const made = scans.map(madeOf);
  world.note(`${what} is searched for: ${made.length} scans`);
  world.answers.push(`found ${made.length}`);
  const list = wantedScans(world.truth, wanted, { askedAt, copy: copyOf(copy) });
  const counts: Counts = { valid: totals.valid, invalid: totals.invalid, other: totals.other };
  const said = scans.map(({ status, ...scan }) => ({
    made: madeOf(scan),
    result: status === 'valid' || status === 'invalid' ? status : ('other' as const),
  }));
  const wrong = [
    ...judgeScans(list, made),
    ...judgeResults(world.truth, said),
    ...(countIn(counts) === made.length ? [] : [`counts ${countIn(counts)} scans and lists ${made.length}`]),
  ];
  world.verdict(wrong, await world.undisturbed(), copy === undefined, `search of ${what} without a copy`);
  const shown = contentOf(resultsMessage({ ...first, chart: false, search: undefined }));
  world.searches.push({ search: id, shown, askedAt, connection: world.connection });
}

/** *Share here*: the first page is shared as it was shown; a page of the account before is not shared. */
export async function shareSearch(world: World, text: string): Promise<void> {
  const kept = world.searches[texts.indexOf(text as (typeof texts)[number]) % Math.max(1, world.searches.length)];
  if (!kept || world.clock.now() - kept.askedAt >= dayMs - minuteMs) {
    return;
  }
  const shared = await shareOf(world, searchShared, { search: kept.search });
  const isOther = kept.connection !== world.connection;
  const right = isOther ? shared === undefined : shared?.every((one) => contentOf(one) === kept.shown);
  world.note(`a search of ${timeText(kept.askedAt)} is shared: ${shared === undefined ? 'refused' : shared.length}`);
  world.answers.push(shared === undefined ? 'shared refused' : `shared ${shared.length}`);
  world.verdict(right ? [] : [`shares other results than “${kept.shown}”`], true, false, 'shared search');
}

/** All that a message says, but who shares it. */
function contentOf(message: { readonly blocks: readonly unknown[] }): string {
  const texts = message.blocks.map((block) => JSON.stringify(block));
  return texts.filter((block) => !block.includes('Shared by') && !block.includes('"actions"')).join('\n');
}

const csvResults: Readonly<Record<string, Result>> = { Valid: 'valid', 'Not valid': 'invalid' };

/** The file of all scans. */
export async function exportScans(world: World): Promise<void> {
  const now = world.clock.now();
  const what = { kind: 'scans', query: {}, zone: world.zone, from: now - 80 * dayMs, to: now + 1 } as const;
  const { rows, record } = await fileOf(world, what);
  const { asOf = now, fullAt, since, source } = record.position;
  const known: Known = { askedAt: record.createdAt, copy: { at: asOf, fullAt: fullAt ?? asOf, since: since ?? 0 } };
  const said = rows.map((row) => ({
    made: Date.parse(row['Scan time (UTC)'] ?? ''),
    result: csvResults[row.Result ?? ''] ?? ('other' as const),
  }));
  world.note(`all scans are exported from the ${source}: ${rows.length}`);
  world.answers.push(`exported ${rows.length}`);
  const list = wantedScans(world.truth, {}, known);
  const wrong = [
    ...judgeScans(
      list,
      said.map(({ made }) => made),
    ),
    ...judgeResults(world.truth, said),
  ];
  world.verdict(record.outcome === 'done' ? wrong : [], await world.undisturbed(), record.outcome !== 'done', 'export');
}

/** The file of a database's values: each that it held, with what the account's answers lose marked. */
export async function exportValues(world: World, text: string): Promise<void> {
  const database = world.databases[texts.indexOf(text as (typeof texts)[number]) % 3] as DatabaseTruth;
  if (database.removedAt !== undefined) {
    return;
  }
  const what = { kind: 'values', database: { id: database.id, name: 'D' } } as const;
  const { rows, record } = await fileOf(world, what);
  const { asOf = world.clock.now() } = record.position;
  world.note(`the values of ${world.nameOf(database)} are exported: ${rows.map(({ Barcode }) => Barcode)}`);
  world.answers.push(`exported ${rows.length}`);
  const keyOf = (one: string) => (database.ignoresCase ? folded(readable(one)) : readable(one));
  const keys = new Set([...texts, ...rows.map(({ Barcode = '' }) => Barcode)].map(keyOf));
  const wrong = [...keys].flatMap((key) => {
    // What answers lose can be read by a pass only.
    const states = texts
      .filter((one) => keyOf(one) === key)
      .map((one) => database.since(one, asOf, one === readable(one)));
    const own = rows.filter(({ Barcode = '' }) => keyOf(Barcode) === key);
    const most = states.filter((held) => held.has(true) || held.has(false)).length;
    const least = states.some((held) => !held.has(undefined)) ? 1 : 0;
    const isSaid = own.every(({ Valid }) => states.some((held) => held.has(Valid === 'Yes')));
    return own.length >= least && own.length <= most && isSaid
      ? []
      : [`exports ${own.length} of ${least} to ${most} of ${JSON.stringify(key)}: ${own.map(({ Valid }) => Valid)}`];
  });
  world.verdict(record.outcome === 'done' ? wrong : [], await world.undisturbed(), record.outcome !== 'done', 'export');
}

/** The rows of an export's file, by column, once its outcome was posted. */
async function fileOf(world: World, what: object) {
  const { shelf } = world;
  const { exports } = world.app;
  const request = { owner: world.owner, who: 'U1', channel: 'C1', mode: 'exact', expected: undefined, what };
  const asked = await world.answered(exports.request(request as never));
  if (asked === 'too_many') {
    throw new Error('too many exports');
  }
  const told = () => shelf.told.find(({ id }) => id === asked.id);
  // Between its steps an export sleeps.
  for (; !told(); await world.still()) {
    world.clock.advance(!world.hasCallsToday() ? 30 * minuteMs : world.isDown() ? 1_000 : 20);
  }
  const record = told()!;
  const file = shelf.shared.get(record.id)?.toString('utf8') ?? '';
  const rows = parse(file, { columns: true, bom: true }) as readonly Readonly<Record<string, string>>[];
  return { rows, record };
}

/** Home's figures of today. */
export async function home(world: World): Promise<void> {
  const now = world.clock.now();
  const { from } = dayAround(world.zone, now);
  const { hours, askedAt, copy } = await world.answered(world.app.countScans(world.owner, from));
  const counts: Record<Result, number> = { valid: 0, invalid: 0, used: 0, other: 0 };
  for (const { results } of hours) {
    counts.valid += results.valid;
    counts.invalid += results.invalid;
    counts.used += results.used;
    counts.other += results.unchecked;
  }
  const list = wantedScans(
    world.truth,
    { day: { ...today(world), before: askedAt + 1 } },
    { askedAt, copy: copyOf(copy) },
  );
  judgeFigures(world, 'Home', list, counts, copy === undefined, true);
}

/** A daily report of a relay, on the day so far or the day before. */
export async function relayReport(world: World, text: string): Promise<void> {
  const relay = world.relays[0] as JudgedRelay;
  if (relay.removed) {
    return;
  }
  await report(world, text, { relay: relay.id }, { relay });
}

export async function searchReport(world: World, text: string): Promise<void> {
  const { store } = world.app;
  const name = `report ${world.answers.length} ${world.clock.now()}`;
  const query = { barcode: { match: 'is', text } } as const;
  const deps = { store, clock: world.clock, random: { bytes: (size: number) => Buffer.alloc(size, name) } };
  const saved = await savedSearches.save(deps as never, world.owner, { name, query, savedBy: 'U1' });
  if ('saved' in saved) {
    await report(world, text, { search: saved.saved.id }, { text });
    await savedSearches.remove({ store }, world.owner, saved.saved.id);
  }
}

async function report(world: World, text: string, subject: object, wanted: Wanted): Promise<void> {
  const [now, zone] = [world.clock.now(), world.zone];
  const day = texts.indexOf(text as (typeof texts)[number]) % 2 === 0 ? 'today' : 'yesterday';
  const asked = { ...{ id: 'r', owner: world.owner, createdBy: 'U1', createdAt: 0, missed: 0 }, subject, day, zone };
  const schedule = { channel: 'C1', hour: 0, minute: 0, dueAt: now };
  const copy = 'relay' in subject ? undefined : await world.app.mirror.scansCopy(world.owner);
  const content = await world.answered(world.app.countReport({ ...asked, ...schedule } as never, now));
  if ('missing' in content) {
    throw new Error(`a report without its ${content.missing}`);
  }
  const at = day === 'today' ? now : dayAround(zone, now).from - 1;
  const { totals } = content.figures;
  const list = wantedScans(
    world.truth,
    { ...wanted, day: { date: dateIn(zone, at), zone, before: now } },
    { askedAt: now, copy: copyOf(copy) },
  );
  const counts: Counts = { valid: totals.valid, invalid: totals.invalid, other: totals.other };
  judgeFigures(world, `report of ${day}`, list, counts, !('relay' in subject) && copy === undefined, false);
}

function judgeFigures(
  world: World,
  what: string,
  list: ReturnType<typeof wantedScans>,
  counts: Counts,
  unsure: boolean,
  isUsedApart: boolean,
): void {
  world.note(`${what}: ${JSON.stringify(counts)}`);
  world.answers.push(`counted ${countIn(counts)}`);
  world.verdict(judgeCounts(list, counts, isUsedApart), !unsure, unsure, what);
}
