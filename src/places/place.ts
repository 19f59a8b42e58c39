/** The place of a barcode by its newest move and, for a lent thing, people's answers since it went out. */
import { type Kysely, sql } from 'kysely';
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
        .onRef('loans.out_at', '=', 'places.at'),
    )
    .selectAll('places')
    .select(['loans.due_at as extended_to', 'loans.extended_by', 'loans.denied_by', 'loans.denied_at'])
    .select(['loans.back_by', 'loans.back_at'])
    .where('places.run', '=', run)
    .where((eb) => eb.and(match))
    .execute();
  return rows.map(toPlace).filter(({ inside }) => !('inside' in query) || inside === query.inside);
}

type Answers = { [Column in 'extended_by' | 'denied_by' | 'denied_at' | 'back_by' | 'back_at']: LoansTable[Column] };

function toPlace(row: PlacesTable & Answers & { readonly extended_to: number | null }): Place {
  const { key, barcode, value, inside, at, scan_id: scanId, gate, user_id: user, pruned } = row;
  const isOut = inside === 0;
  const said = (by: string | null, when: number | null) => (isOut && by !== null ? { by, at: when ?? 0 } : null);
  const back = said(row.back_by, row.back_at);
  return {
    ...{ key, barcode, value, inside: !isOut || back !== null, at, scanId, gate, user, pruned: pruned === 1 },
    ...present({
      ...{ holder: row.holder, dueAt: row.extended_to ?? row.due_at, dueText: row.due_text },
      ...{ extendedBy: row.extended_by, denied: said(row.denied_by, row.denied_at), back },
    }),
  };
}

/**
 * Places `p` of lists `l` that are out and due, whose barcode has no mark, and whose incident is not open. The join is
 * a cross join, which on SQLite begins with the due places: any other would read all places of the lists.
 */
export const dueNow = (now: number) => sql`places as p cross join place_lists as l
  left join loans as n on n.list_id = l.id and n.key = p.key and n.barcode = p.barcode and n.out_at = p.at
  where l.run = p.run and p.due_at <= ${now} and p.inside = 0 and l.kind = 'custody' and l.fill_to is null
    and n.back_at is null and coalesce(n.due_at, p.due_at) <= ${now}
    and not exists (select 1 from incidents as i where i.relay_id = l.id and i.rule_id = p.key
      and i.subject = 'barcode' and i.subject_id = p.barcode and i.ended_at is null)
    and not ${isMarked(sql.ref('l.id'), sql.ref('p.key'))}`;
