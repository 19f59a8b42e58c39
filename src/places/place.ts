/** The place of a barcode by its newest move and, for a lent thing, people's answers since it went out. */
import { type Kysely, type Selectable, sql } from 'kysely';
import { present } from '../database/present.js';
import type { LoansTable, PlacesTable, Schema } from '../database/schema.js';
import { scanKey } from '../scans/key.js';
import { isMarked } from '../scans/marks.js';
import type { PlaceList } from './list.js';
import { placeBarcode } from './moves.js';

export interface Place {
  readonly key: string;
  /** The barcode as an index key. */
  readonly barcode: string;
  readonly value: string;
  /** Whether the barcode is inside; for a lent thing, whether it is back. */
  readonly inside: boolean;
  /** When the barcode came in, or went out. */
  readonly at: number;
  readonly scanId: string;
  readonly gate: string;
  /** The account's id of the scan's user; empty where the scan names none, or where the list names another holder. */
  readonly user: string;
  /** Whether the newest scan was deleted for its age. */
  readonly pruned: boolean;
  /** The holder, or the person inside; undefined: the list takes the scan's user, or the scan does not say. */
  readonly holder?: string;
  /** The name of a lent thing, by the response to its scan. */
  readonly response?: string;
  readonly dueAt?: number;
  /** The answer that should be a due date and is none. */
  readonly dueText?: string;
  readonly extendedBy?: string;
  readonly denied?: { readonly by: string; readonly at: number };
  /** Set once a person said that the thing is back. */
  readonly back?: { readonly by: string; readonly at: number };
}

/** The places of barcodes that moved since the list's last reset: of one barcode, or of all that are inside, or out. */
export async function readPlaces(
  db: Kysely<Schema>,
  { id, run }: Pick<PlaceList, 'id' | 'run'>,
  query: { readonly value: string } | { readonly key: string; readonly barcode: string } | { readonly inside: boolean },
): Promise<readonly Place[]> {
  const name = 'value' in query ? { key: scanKey(query.value), barcode: placeBarcode(query.value) } : query;
  const match =
    'inside' in name
      ? ({ 'places.inside': name.inside ? 1 : 0 } as const)
      : { 'places.key': name.key, 'places.barcode': name.barcode };
  const rows = await db
    .selectFrom('places')
    .leftJoin('loans', (join) =>
      join
        .on('loans.list_id', '=', id)
        .onRef('loans.key', '=', 'places.key')
        .onRef('loans.barcode', '=', 'places.barcode')
        .on((eb) =>
          eb.or([
            eb('loans.extended_at', '>=', eb.ref('places.at')),
            eb('loans.denied_at', '>=', eb.ref('places.at')),
            eb('loans.back_at', '>=', eb.ref('places.at')),
          ]),
        ),
    )
    .selectAll('places')
    .select(['loans.due_at as extended_to', 'loans.extended_by', 'loans.extended_at', 'loans.denied_by'])
    .select(['loans.denied_at', 'loans.back_by', 'loans.back_at'])
    .where('places.run', '=', run)
    .where((eb) => eb.and(match))
    .execute();
  const byPlace = new Map<string, (typeof rows)[number][]>();
  for (const row of rows) {
    const name = `${row.key} ${row.barcode}`;
    byPlace.set(name, [...(byPlace.get(name) ?? []), row]);
  }
  return [...byPlace.values()]
    .map((some) => toPlace(some[0]!, some))
    .filter(({ inside }) => !('inside' in query) || inside === query.inside);
}

type Answers = {
  readonly [Column in
    | 'extended_by'
    | 'extended_at'
    | 'denied_by'
    | 'denied_at'
    | 'back_by'
    | 'back_at']: Selectable<LoansTable>[Column];
} & { readonly extended_to: number | null };

/** A place by its newest move and the newest answers since: an answer outlives scans that were made before it. */
function toPlace(row: PlacesTable, answers: readonly Answers[]): Place {
  const { key, barcode, value, inside, at, scan_id: scanId, gate, user_id: user, pruned } = row;
  const isOut = inside === 0;
  const newest = (kind: 'extended' | 'denied' | 'back') => {
    const said = answers.flatMap((answer) => {
      const [by, when] = [answer[`${kind}_by`], answer[`${kind}_at`]];
      return isOut && by !== null && when !== null && when >= at ? { by, at: when, until: answer.extended_to } : [];
    });
    return said.sort((one, other) => other.at - one.at)[0];
  };
  const named = (answer: ReturnType<typeof newest>) => answer && { by: answer.by, at: answer.at };
  const [extended, back] = [newest('extended'), named(newest('back'))];
  return {
    key,
    barcode,
    value,
    inside: !isOut || back !== undefined,
    at,
    scanId,
    gate,
    user,
    pruned: pruned === 1,
    ...present({
      holder: row.holder,
      response: row.response,
      dueAt: extended?.until ?? row.due_at,
      dueText: row.due_text,
      extendedBy: extended?.by,
      denied: named(newest('denied')),
      back,
    }),
  };
}

/** Whether a thing was brought back between two moments at which it was out: if so, these are two loans. */
export async function isBackBetween(
  db: Kysely<Schema>,
  { id, run }: Pick<PlaceList, 'id' | 'run'>,
  { key, barcode }: Pick<Place, 'key' | 'barcode'>,
  [one, other]: readonly [number, number],
): Promise<boolean> {
  const [from, to] = [Math.min(one, other), Math.max(one, other)];
  const { rows } = await sql`select 1 as found from place_moves where run = ${run} and key = ${key}
      and barcode = ${barcode} and entering = 1 and at > ${from} and at < ${to}
    union all select 1 from loans where list_id = ${id} and key = ${key} and barcode = ${barcode}
      and back_at >= ${from} and back_at < ${to} limit 1`.execute(db);
  return from < to && rows.length > 0;
}

/** What brought a thing back from a moment on: `at`, and whether a person `said` so (1) or it was a scan (0). */
export const loanEnds = (of: Readonly<Record<'list' | 'run' | 'key' | 'barcode' | 'outAt', unknown>>) =>
  sql`select m.at, 0 as said from place_moves as m where m.run = ${of.run} and m.key = ${of.key}
      and m.barcode = ${of.barcode} and m.entering = 1 and m.at >= ${of.outAt}
    union all select n.back_at, 1 from loans as n where n.list_id = ${of.list} and n.key = ${of.key}
      and n.barcode = ${of.barcode} and n.back_at >= ${of.outAt}`;

/** What brought a thing back first from a moment on: a scan, or a person who said so. */
export async function firstEnd(
  db: Kysely<Schema>,
  { id: list, run }: Pick<PlaceList, 'id' | 'run'>,
  { key, barcode, outAt }: Pick<Place, 'key' | 'barcode'> & { readonly outAt: number },
): Promise<'scan' | 'person'> {
  const ends = loanEnds({ list, run, key, barcode, outAt });
  const { rows } = await sql<{ said: number }>`${ends} order by 1, 2 limit 1`.execute(db);
  return rows[0]?.said === 1 ? 'person' : 'scan';
}

const answered = sql`n.list_id = l.id and n.key = p.key and n.barcode = p.barcode`;
/** When the thing is due, by its scan or by the newest extension since. */
export const dueTime = sql`coalesce((select n.due_at from loans as n where ${answered} and n.extended_at >= p.at
  order by n.extended_at desc limit 1), p.due_at)`;

/**
 * Places `p` of lists `l` that are out and due by a moment, and whose barcode has no mark. The join is a cross join,
 * which on SQLite begins with the due places: any other would read all places of the lists.
 */
const dueBy = (moment: number) => sql`places as p cross join place_lists as l
  where l.run = p.run and p.due_at <= ${moment} and p.inside = 0 and l.kind = 'custody' and l.fill_to is null
    and ${dueTime} <= ${moment}
    and not exists (select 1 from loans as n where ${answered} and n.back_at >= p.at)
    and not ${isMarked(sql.ref('l.id'), sql.ref('p.key'))}`;

const incidents = sql`select 1 from incidents as i where i.relay_id = l.id and i.rule_id = p.key
  and i.subject = 'barcode' and i.subject_id = p.barcode`;

/** Due places without an open incident. */
export const dueUnopened = (now: number) => sql`${dueBy(now)} and not exists (${incidents} and i.ended_at is null)`;

/** Due places without an open incident, and those whose holder is to be reminded again. */
export const dueNow = (now: number) => sql`${dueBy(now)}
    and not exists (${incidents} and i.ended_at is null and (i.remind_at is null or i.remind_at > ${now}))`;

/** Places of a list that are not due yet, of which nobody was reminded before the due time that they have now. */
export function soonNow({ id, run, settings }: PlaceList, now: number) {
  const { minutes = 0, since = 0 } = settings.custody?.before ?? {};
  const before = minutes * 60_000;
  return sql`${dueBy(now + before)} and l.id = ${id} and p.run = ${run}
    and ${dueTime} > ${Math.max(now, since + before)}
    and ${dueTime} - ${before} > coalesce((select max(n.extended_at) from loans as n where ${answered}
      and n.extended_at >= p.at), p.at)
    and not exists (${incidents} and i.began_at = ${dueTime} and i.last_at >= p.at)`;
}
