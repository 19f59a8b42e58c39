/**
 * Store of watches and mutes, by owner. They are shown to the person who made them and in their channel. Expired rows
 * do not count; see expired.ts.
 */
import type { ExpressionBuilder, Kysely, Selectable } from 'kysely';
import { countKey } from '../counters/counters.js';
import { present } from '../database/present.js';
import type { MutesTable, Schema, WatchesTable } from '../database/schema.js';
import { ScandeskError } from '../errors.js';
import type { Owner } from '../ownership.js';

export interface Watch {
  readonly id: string;
  readonly value: string;
  /** The channel in which the mention is posted. */
  readonly channel: string;
  /** The person whom the watch mentions. */
  readonly who: string;
  readonly madeAt: number;
  readonly until: number;
  /** The lent thing that the person waits for: the watch ends once the thing is back, and scans do not count. */
  readonly loan?: WatchedLoan;
}

export interface WatchedLoan {
  readonly list: string;
  readonly key: string;
  readonly barcode: string;
  readonly outAt: number;
}

export interface Mute {
  readonly id: string;
  readonly channel: string;
  readonly what: Muted;
  readonly who: string;
  readonly madeAt: number;
  /** The latest end of the mute. */
  readonly until: number;
  /** The number of further posts after which the mute ends. */
  readonly posts?: number;
  /** The incident with which the mute ends. */
  readonly incidentId?: string;
}

export type Muted =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'relay'; readonly relayId: string }
  | { readonly kind: 'rule'; readonly relayId: string; readonly ruleId: string };

/** The person and the channel of a request: a private channel's data is shown nowhere else. */
export interface Viewer {
  readonly who: string;
  readonly channel: string | undefined;
}

/** The number of the owner's watches and mutes of a barcode; undefined: of all barcodes. */
export async function countOfBarcodes(db: Kysely<Schema>, owner: Owner, value?: string): Promise<number> {
  const counts = ofBarcodes(owner, value).map(({ table, where }) =>
    db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll().as('n'))
      .where(where)
      .executeTakeFirst(),
  );
  return (await Promise.all(counts)).reduce((sum, row) => sum + Number(row?.n ?? 0), 0);
}

/** Deletes the watches and mutes of a barcode, or of all; returns how many there were. */
export async function eraseBarcodes(db: Kysely<Schema>, owner: Owner, value?: string): Promise<number> {
  let erased = 0;
  for (const { table, where } of ofBarcodes(owner, value)) {
    const { numDeletedRows } = await db.deleteFrom(table).where(where).executeTakeFirstOrThrow();
    erased += Number(numDeletedRows);
  }
  return erased;
}

function ofBarcodes({ installation, team }: Owner, value: string | undefined) {
  const whose = { installation, team, ...(value === undefined ? {} : { value }) };
  return (['watches', 'mutes'] as const).map((table) => ({
    table,
    where: (eb: ExpressionBuilder<Schema, Table>) => eb.and([eb.and(whose), eb('value', 'is not', null)]),
  }));
}

/** Deletes watches of lent things: one whose thing is back, or those of deleted lists. */
export async function endLoanWatches(
  trx: Kysely<Schema>,
  column: 'id' | 'list_id',
  values: readonly string[],
): Promise<void> {
  await trx.deleteFrom('watches').where(column, 'in', values).execute();
}

/** Deletes the watches and mutes of an installation, or of one of its teams. */
export async function eraseWatchesAndMutes(
  trx: Kysely<Schema>,
  workspace: { readonly installation: string; readonly team?: string },
): Promise<void> {
  for (const table of ['watches', 'mutes'] as const) {
    await trx
      .deleteFrom(table)
      .where((eb: ExpressionBuilder<Schema, Table>) => eb.and(workspace))
      .execute();
  }
}

type Table = 'watches' | 'mutes';

export function createWatchAndMuteStore(db: Kysely<Schema>) {
  return {
    watches: createTimedRows(db, 'watches', toWatch, ({ id, value, channel, who, madeAt, until, loan }) => ({
      key: { value_key: `${loan ? `${loan.list} ` : ''}${countKey('value', { tid: value })}`, channel, who },
      end: { until },
      fields: {
        id,
        value,
        made_at: madeAt,
        ...(loan && { list_id: loan.list, place_key: loan.key, barcode: loan.barcode, out_at: loan.outAt }),
      },
    })),
    mutes: createTimedRows(db, 'mutes', toMute, ({ id, channel, what, who, madeAt, until, posts, incidentId }) => ({
      key: { what: what.kind, what_key: keyOf(what), channel },
      end: { until, remaining: posts ?? null, incident_id: incidentId ?? null, who },
      fields: {
        id,
        made_at: madeAt,
        value: what.kind === 'value' ? what.value : null,
        relay_id: what.kind === 'value' ? null : what.relayId,
        rule_id: what.kind === 'rule' ? what.ruleId : null,
      },
    })),
  };
}

interface RowParts {
  /** The columns that, with the owner, identify one row. */
  readonly key: object;
  readonly end: object;
  readonly fields: object;
}

function createTimedRows<Of extends Table, Stored extends { readonly madeAt: number }>(
  db: Kysely<Schema>,
  table: Of,
  fromRow: (row: Selectable<Schema[Of]>) => Stored,
  partsOf: (stored: Stored) => RowParts,
) {
  // The tables differ only in their keys and ends, so the type of one serves both.
  const name: Table = table;
  const toStored = (row: unknown) => fromRow(row as Selectable<Schema[Of]>);

  const hasRoom = async (owner: Owner, now: number, atMost: number): Promise<boolean> => {
    const row = await db
      .selectFrom(name)
      .select((eb) => eb.fn.countAll().as('n'))
      .where(ownedBy(owner))
      .where('until', '>', now)
      .executeTakeFirst();
    return Number(row?.n ?? 0) < atMost;
  };

  return {
    /**
     * Adds a row. Where a row with the same key exists (a person's watch of a barcode in a channel, a channel's mute of
     * something), only its end changes.
     * @throws ScandeskError `relay.too_many`
     */
    async add(owner: Owner, newRecord: Stored, atMost: number): Promise<Stored> {
      const { key, end, fields } = partsOf(newRecord);
      const ownedColumns = { installation: owner.installation, team: owner.team, ...key };
      const extended = await db
        .updateTable(name)
        .set(end)
        .where((eb: ExpressionBuilder<Schema, Table>) => eb.and(ownedColumns))
        .returningAll()
        .executeTakeFirst();
      if (extended) {
        return toStored(extended);
      }
      if (!(await hasRoom(owner, newRecord.madeAt, atMost))) {
        throw new ScandeskError('relay.too_many', `the workspace has reached its limit of ${name}`);
      }
      const row = await db
        .insertInto(name)
        .values({ ...ownedColumns, ...end, ...fields } as never)
        .onConflict((conflict) => conflict.columns(Object.keys(ownedColumns) as never).doUpdateSet(end))
        .returningAll()
        .executeTakeFirstOrThrow();
      return toStored(row);
    },

    /** The rows, newest first, without those expired by `now`. Without a viewer: all of the owner's. */
    async list(owner: Owner, now: number, viewer?: Viewer): Promise<readonly Stored[]> {
      const rows = await db
        .selectFrom(name)
        .selectAll()
        .where(ownedBy(owner))
        .$if(viewer !== undefined, (query) => query.where(shownTo(viewer as Viewer)))
        .where('until', '>', now)
        .orderBy('made_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map(toStored);
    },

    /** Deletes a row and returns it. Undefined: the viewer may end no row with the id. */
    async end(owner: Owner, by: Viewer, id: string): Promise<Stored | undefined> {
      const row = await db
        .deleteFrom(name)
        .where(ownedBy(owner))
        .where(shownTo(by))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      return row && toStored(row);
    },
  };
}

function ownedBy({ installation, team }: Owner) {
  return (eb: ExpressionBuilder<Schema, Table>) => eb.and({ installation, team });
}

function shownTo({ who, channel }: Viewer) {
  return (eb: ExpressionBuilder<Schema, Table>) =>
    eb.or([eb('who', '=', who), ...(channel === undefined ? [] : [eb('channel', '=', channel)])]);
}

function keyOf(muted: Muted): string {
  switch (muted.kind) {
    case 'value':
      return countKey('value', { tid: muted.value }) ?? '';
    case 'relay':
      return muted.relayId;
    case 'rule':
      return `${muted.relayId}:${muted.ruleId}`;
  }
}

function toWatch(row: Selectable<WatchesTable>): Watch {
  const { id, value, channel, who, made_at: madeAt, until, list_id: list } = row;
  const { place_key: key, barcode, out_at: outAt } = row;
  const loan = list === null ? {} : { loan: { list, key: key ?? '', barcode: barcode ?? '', outAt: outAt ?? 0 } };
  return { id, value, channel, who, madeAt, until, ...loan };
}

function toMute(row: Selectable<MutesTable>): Mute {
  const { id, channel, who, made_at: madeAt, until, remaining, incident_id: incidentId } = row;
  return {
    id,
    channel,
    what: mutedOf(row),
    who,
    madeAt,
    until,
    ...present({ posts: remaining, incidentId }),
  };
}

function mutedOf({ what, value, relay_id, rule_id }: Selectable<MutesTable>): Muted {
  const relayId = relay_id ?? '';
  return what === 'value'
    ? { kind: 'value', value: value ?? '' }
    : what === 'relay'
      ? { kind: 'relay', relayId }
      : { kind: 'rule', relayId, ruleId: rule_id ?? '' };
}
