/**
 * Mirrored scans by the time they were made, newest first, in slices that never hold the event loop for long. Few scans
 * with the same barcode or prefix are found by their index; of many, all are walked.
 */
import { type Kysely, sql } from 'kysely';
import type { RecordedScan } from '../../codereadr/types.js';
import { indexed } from '../../database/index-key.js';
import type { Schema } from '../../database/schema.js';
import { inTurns } from '../../in-turns.js';
import { readScan } from './record.js';

export interface ScanWalk {
  /** Milliseconds: scans made from then on, and before. */
  readonly from: number;
  readonly to: number;
  /** Only scans that can match: the barcode itself, or its beginning. */
  readonly barcode?: { readonly match: 'is' | 'starts' | 'contains'; readonly text: string };
}

export interface WalkedScan {
  readonly at: number;
  readonly scan: RecordedScan;
}

/** Rows read by one statement, which blocks the event loop on SQLite. */
const atOnce = 400;
/** More scans of one beginning than these are found faster by time. */
const mostByKey = 2_000;
const lastCharacter = '\u{10ffff}';

interface Row {
  readonly at: number;
  readonly scan_id: string;
  readonly record: string;
}

const everything = Number.NEGATIVE_INFINITY;

/** `reached`: every scan made after that was read, in this slice or before. */
export interface ScanSlice {
  readonly reached: number;
  readonly scans: readonly WalkedScan[];
}

export async function* walkMirroredScans(
  db: Kysely<Schema>,
  mirrorId: number,
  walk: ScanWalk,
): AsyncGenerator<ScanSlice, void> {
  const few = walk.barcode && walk.barcode.match !== 'contains' ? await byKey(db, mirrorId, walk) : undefined;
  if (few) {
    for (let from = 0; from < few.length; from += atOnce) {
      const some = few.slice(from, from + atOnce);
      const isLast = from + atOnce >= few.length;
      const scans = await toScans(await recordsOf(db, mirrorId, some));
      yield { reached: isLast ? everything : (some.at(-1)?.at ?? everything), scans };
    }
    return;
  }
  const part = walk.barcode && jsonText(walk.barcode.text);
  let before: { readonly at: number; readonly id: string } | undefined;
  for (;;) {
    const rows = await slice(db, mirrorId, walk, before);
    const last = rows.length < atOnce ? undefined : rows.at(-1);
    const can = part === undefined ? rows : rows.filter(({ record }) => record.includes(part));
    yield { reached: last?.at ?? everything, scans: await toScans(can) };
    if (!last) {
      return;
    }
    before = { at: last.at, id: last.scan_id };
  }
}

async function slice(
  db: Kysely<Schema>,
  mirrorId: number,
  { from, to }: ScanWalk,
  before: { readonly at: number; readonly id: string } | undefined,
): Promise<readonly Row[]> {
  return await db
    .selectFrom('mirrored_scans')
    .select(['at', 'scan_id', 'record'])
    .where('mirror_id', '=', mirrorId)
    .where('at', '>=', from)
    .$if(before === undefined, (query) => query.where('at', '<', to))
    .$if(before !== undefined, (query) =>
      query
        .where('at', '<=', before?.at ?? 0)
        // No tuples: SQLite may take them for a reason to read all scans, and sort them.
        .where((eb) => eb.or([eb('at', '<', before?.at ?? 0), eb('scan_id', '<', before?.id ?? '')])),
    )
    .orderBy('at', 'desc')
    .orderBy('scan_id', 'desc')
    .limit(atOnce)
    .execute();
}

/** Newest first; undefined: there are too many. Long barcodes are indexed by a hash: with a beginning, all of them. */
async function byKey(
  db: Kysely<Schema>,
  mirrorId: number,
  { from, to, barcode }: ScanWalk,
): Promise<readonly { at: number; scan_id: string }[] | undefined> {
  const text = barcode?.text ?? '';
  const key = sql.ref<string>('key');
  const isIt =
    barcode?.match === 'is'
      ? sql<boolean>`${key} = ${indexed(text)}`
      : sql<boolean>`(${key} >= ${`=${text}`} and ${key} < ${`=${text}${lastCharacter}`})`;
  const those = (where: typeof isIt) =>
    db
      .selectFrom('mirrored_scans')
      .where('mirror_id', '=', mirrorId)
      .where(where)
      .limit(mostByKey + 1);
  const find = async (where: typeof isIt) => {
    // Counted in the index alone: the ids are not in it, and reading 2,000 rows takes long.
    const isFew = (await those(where).select('at').execute()).length <= mostByKey;
    return isFew ? await those(where).select(['at', 'scan_id']).execute() : undefined;
  };
  const found = await find(isIt);
  const long = barcode?.match === 'is' ? [] : await find(sql<boolean>`(${key} >= '#' and ${key} < '$')`);
  if (!found || !long || found.length + long.length > mostByKey) {
    return undefined;
  }
  const rows = [...found, ...long];
  return rows.filter(({ at }) => at >= from && at < to).sort((a, b) => b.at - a.at || (a.scan_id < b.scan_id ? 1 : -1));
}

async function recordsOf(
  db: Kysely<Schema>,
  mirrorId: number,
  some: readonly { readonly scan_id: string }[],
): Promise<readonly Row[]> {
  const rows = await db
    .selectFrom('mirrored_scans')
    .select(['at', 'scan_id', 'record'])
    .where('mirror_id', '=', mirrorId)
    .where(
      'scan_id',
      'in',
      some.map(({ scan_id }) => scan_id),
    )
    .execute();
  const byId = new Map(rows.map((row) => [row.scan_id, row]));
  return some.flatMap(({ scan_id }) => byId.get(scan_id) ?? []);
}

/** The text as it stands in a stored record. */
function jsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function toScans(rows: readonly Row[]): Promise<readonly WalkedScan[]> {
  return inTurns(rows, ({ at, record }) => ({ at, scan: readScan(record) }));
}
