/** The deletion of received scans that are pruned, forgotten or erased, and the queries for their ids. */
import { type Kysely, sql, type Transaction } from 'kysely';
import { leastId } from '../../database/ids.js';
import type { Schema } from '../../database/schema.js';
import { scanKey } from '../key.js';

/** A scan that is about to be deleted. */
export interface LeavingScan {
  readonly id: string;
  readonly relay_id: string;
  readonly tid: string;
  readonly valid: number;
  readonly received_at: number;
  readonly made_at: number | null;
}

interface Page {
  /** The id after which the page begins. */
  readonly after?: string;
  readonly limit: number;
}

function leavingScans(db: Kysely<Schema>) {
  return db.selectFrom('received_scans').select(['id', 'relay_id', 'tid', 'valid', 'received_at', 'made_at']);
}

function leavingById(db: Kysely<Schema>, { after = '', limit }: Page) {
  return leavingScans(db).where('id', '>', after).orderBy('id').limit(limit);
}

/**
 * Scans received before `before`, by their id, which begins with the time: a scan with an id from a fast clock comes
 * later than it was received.
 */
export async function receivedBefore(db: Kysely<Schema>, before: number, page: Page): Promise<readonly LeavingScan[]> {
  return await leavingById(db, page).where('id', '<', leastId(before)).execute();
}

/** Scans of an owner with an id from before a time, in no order. `owner`: the owner's number. */
export async function receivedOfOwner(
  db: Kysely<Schema>,
  owner: number,
  before: number,
  limit: number,
): Promise<readonly LeavingScan[]> {
  return await leavingScans(db).where('owner', '=', owner).where('id', '<', leastId(before)).limit(limit).execute();
}

/** The scans of a barcode in exactly this spelling. `owner`: the owner's number. */
export async function receivedOfBarcode(
  db: Kysely<Schema>,
  owner: number,
  barcode: string,
  page: Page,
): Promise<readonly LeavingScan[]> {
  return await leavingById(db, page).where(isOf(owner, barcode)).execute();
}

/** A subquery of the ids of a barcode's scans. */
export function receivedIds(db: Kysely<Schema>, owner: number, barcode: string) {
  return db.selectFrom('received_scans').select('id').where(isOf(owner, barcode));
}

export async function countReceivedOf(db: Kysely<Schema>, owner: number, barcode: string): Promise<number> {
  const row = await db
    .selectFrom('received_scans')
    .select((eb) => eb.fn.countAll().as('scans'))
    .where(isOf(owner, barcode))
    .executeTakeFirst();
  return Number(row?.scans ?? 0);
}

/** The number of the owner's scans, counted up to `most`. */
export async function countReceivedUpTo(db: Kysely<Schema>, owner: number, most: number): Promise<number> {
  const row = await db
    .selectFrom(db.selectFrom('received_scans').select('id').where('owner', '=', owner).limit(most).as('part'))
    .select((eb) => eb.fn.countAll().as('scans'))
    .executeTakeFirst();
  return Number(row?.scans ?? 0);
}

export async function deleteReceived(trx: Transaction<Schema>, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) {
    await trx.deleteFrom('received_scans').where('id', 'in', ids).execute();
  }
}

function isOf(owner: number, barcode: string) {
  return sql<boolean>`received_scans.owner = ${owner} and received_scans.key = ${scanKey(barcode)}
    and received_scans.tid = ${barcode}`;
}
