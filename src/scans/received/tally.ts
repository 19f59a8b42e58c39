/** Counts of received scans by result and service, and the facts on scans that the outbox needs to merge a backlog. */
import type { Kysely, SelectQueryBuilder } from 'kysely';
import { present } from '../../database/present.js';
import type { Schema } from '../../database/schema.js';
import { scanKey } from '../key.js';

export interface ReceivedGroup {
  readonly valid: boolean;
  readonly finding?: string;
  readonly serviceId?: string;
  readonly count: number;
}

/** The number of scans, of those that a subquery names, by result code and service. */
export async function tallyReceived(
  db: Kysely<Schema>,
  ids: SelectQueryBuilder<Schema, keyof Schema, { scan_id: string }>,
): Promise<readonly ReceivedGroup[]> {
  const rows = await db
    .selectFrom('received_scans')
    .select((eb) => ['valid', 'finding', 'sid', eb.fn.countAll().as('count')])
    .where('id', 'in', ids)
    .groupBy(['valid', 'finding', 'sid'])
    .execute();
  return rows.map(({ valid, finding, sid, count }) => ({
    valid: valid === 1,
    ...present({ finding, serviceId: sid }),
    count: Number(count),
  }));
}

/** When scans were received, and by which user, by their ids. */
export async function factsOfReceived(db: Kysely<Schema>, ids: readonly string[]) {
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('received_scans')
          .select(['id', 'received_at as receivedAt', 'userid'])
          .where('id', 'in', ids)
          .execute();
  return new Map(rows.map(({ id, receivedAt, userid }) => [id, { receivedAt, ...present({ userId: userid }) }]));
}

/** How many scans of each value a relay received; `accepted`: only admitted ones. `owner`: the owner's number. */
export async function countValues(
  db: Kysely<Schema>,
  { owner, relayId }: { readonly owner: number; readonly relayId: string },
  values: readonly string[],
  { accepted = false }: { readonly accepted?: boolean } = {},
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('received_scans')
    .select((eb) => ['tid', eb.fn.countAll().as('seen')])
    .where('owner', '=', owner)
    .where('key', 'in', [...new Set(values.map(scanKey))])
    .where('tid', 'in', values)
    .where('relay_id', '=', relayId)
    .$if(accepted, (query) => query.where('valid', '=', 1))
    .groupBy('tid')
    .execute();
  return new Map(rows.map((row) => [row.tid, Number(row.seen)]));
}
