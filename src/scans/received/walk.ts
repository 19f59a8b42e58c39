/**
 * An owner's received scans by the time they were made, newest first, in slices that never hold the event loop for long.
 * Those whose device named no time are walked apart, by when they came.
 */
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import { leastId } from '../../database/ids.js';
import type { ScansTable, Schema } from '../../database/schema.js';
import { inTurns } from '../../in-turns.js';
import type { Owner } from '../../ownership.js';
import { type ReceivedScanRecord, toReceived, toScan, utcMoment } from './table.js';

export interface ReceivedWalk {
  /** Milliseconds: scans made from then on, and before. */
  readonly from: number;
  readonly to: number;
  /** Only scans that can match: the barcode itself, or its beginning. */
  readonly barcode?: { readonly match: 'is' | 'starts' | 'contains'; readonly text: string };
}

const atOnce = 400;
/** More scans of one beginning than these are found faster by time. */
const mostByValue = 2_000;
/** What the index holds of a barcode. */
const indexedLength = 200;
const lastCharacter = '\u{10ffff}';

type Rows = SelectQueryBuilder<Schema, 'scans', object>;

/** As the index has it: what cannot be a time is none. */
const made = sql<
  string | null
>`(case when length(scanned_at_utc) = 19 and substr(scanned_at_utc, 5, 1) = '-' then scanned_at_utc end)`;

const everything = Number.NEGATIVE_INFINITY;

/** `reached`: every scan of the sequence made after that was read, in this slice or before. */
export interface ReceivedSlice {
  readonly reached: number;
  readonly scans: readonly ReceivedScanRecord[];
}

type Slices = AsyncGenerator<ReceivedSlice, void>;

/** Two sequences, each newest first: with a time of the device's, and without. */
export function walkReceivedScans(db: Kysely<Schema>, owner: Owner, walk: ReceivedWalk): readonly Slices[] {
  return [dated(db, owner, walk), undated(db, owner, walk)];
}

async function* dated(db: Kysely<Schema>, owner: Owner, walk: ReceivedWalk): Slices {
  const few = await byValue(db, owner, walk);
  if (few) {
    yield { reached: everything, scans: few };
    return;
  }
  const [from, to] = [utcText(walk.from), utcText(walk.to)];
  let before: { readonly made: string; readonly id: string } | undefined;
  for (;;) {
    const rows = await ofOwner(db, owner)
      .selectAll()
      .where(made, '>=', from)
      .$if(before === undefined, (query) => query.where(made, '<', to))
      .$if(before !== undefined, (query) =>
        query
          .where(made, '<=', before?.made ?? '')
          // No tuples: SQLite may take them for a reason to read all scans, and sort them.
          .where((eb) => eb.or([eb(made, '<', before?.made ?? ''), eb('id', '<', before?.id ?? '')])),
      )
      .orderBy(made, 'desc')
      .orderBy('id', 'desc')
      .limit(atOnce)
      .execute();
    const last = rows.length < atOnce ? undefined : rows.at(-1);
    const reached = last ? (utcMoment(last.scanned_at_utc ?? '') ?? last.received_at) : everything;
    yield { reached, scans: await toRecords(rows, walk) };
    if (!last) {
      return;
    }
    before = { made: last.scanned_at_utc ?? '', id: last.id };
  }
}

/** The ids sort by when they were received. */
async function* undated(db: Kysely<Schema>, owner: Owner, walk: ReceivedWalk): Slices {
  if (await byValue(db, owner, walk)) {
    return;
  }
  let before = leastId(Math.max(0, Math.min(walk.to, latest)));
  for (;;) {
    const rows = await ofOwner(db, owner)
      .selectAll()
      .where(made, 'is', null)
      .where('id', '>=', leastId(Math.max(0, walk.from)))
      .where('id', '<', before)
      .orderBy('id', 'desc')
      .limit(atOnce)
      .execute();
    const last = rows.length < atOnce ? undefined : rows.at(-1);
    yield { reached: last?.received_at ?? everything, scans: await toRecords(rows, walk) };
    if (!last) {
      return;
    }
    before = last.id;
  }
}

/** The first time that the contract's dates can spell, and the first that they and an id cannot. */
const earliest = Date.parse('0000-01-01T00:00:00Z');
const latest = Date.UTC(10_000, 0, 1);

/** Newest first; undefined: there are too many, or any barcode will do. */
async function byValue(
  db: Kysely<Schema>,
  owner: Owner,
  walk: ReceivedWalk,
): Promise<readonly ReceivedScanRecord[] | undefined> {
  const { barcode, from, to } = walk;
  if (!barcode || barcode.match === 'contains') {
    return undefined;
  }
  const text = barcode.text.slice(0, indexedLength);
  const start = sql<string>`substr(tid, 1, ${sql.lit(indexedLength)})`;
  const isIt =
    barcode.match === 'is'
      ? sql<boolean>`${start} = ${text}`
      : sql<boolean>`(${start} >= ${text} and ${start} < ${text + lastCharacter})`;
  const ids = await ofOwner(db, owner)
    .select('id')
    .where(isIt)
    .limit(mostByValue + 1)
    .execute();
  if (ids.length > mostByValue) {
    return undefined;
  }
  const found: ReceivedScanRecord[] = [];
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = ids.slice(at, at + atOnce).map(({ id }) => id);
    const rows = await db.selectFrom('scans').selectAll().where('id', 'in', some).execute();
    found.push(...(await toRecords(rows, walk)));
  }
  return found.filter((scan) => scan.at >= from && scan.at < to).sort((a, b) => b.at - a.at);
}

function ofOwner(db: Kysely<Schema>, { installation, team }: Owner): Rows {
  return db.selectFrom('scans').where('installation', '=', installation).where('team', '=', team);
}

function toRecords(
  rows: readonly Parameters<typeof toScan>[0][],
  { barcode }: ReceivedWalk,
): Promise<readonly ReceivedScanRecord[]> {
  const can = barcode ? rows.filter(({ tid }: Pick<ScansTable, 'tid'>) => tid.includes(barcode.text)) : rows;
  return inTurns(can, (row) => toReceived(toScan(row)));
}

/** As devices write it, up to the second; a bound between two seconds excludes the second it lies in. */
function utcText(at: number): string {
  if (at >= latest) {
    return '9999-12-31 24';
  }
  const time = new Date(Math.max(earliest, Math.ceil(at / 1000) * 1000));
  return time.toISOString().slice(0, 19).replace('T', ' ');
}
