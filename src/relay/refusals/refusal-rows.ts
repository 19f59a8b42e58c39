/**
 * Scans that relays refused, as counts by reason and sender; a refused scan's body is stored nowhere. The counts of a
 * relay begin anew once none was refused for a day.
 */
import type { Kysely } from 'kysely';
import type { Clock } from '../../clock.js';
import type { Purge } from '../../database/pace.js';
import type { RelayRefusalsTable, Schema } from '../../database/schema.js';

export interface RefusedReason {
  /** A `RelayErrorCode` of the intake, `relay.secret` or `relay.rate`; another version may have stored others. */
  readonly code: string;
  readonly scans: number;
  /** The senders' addresses; `othersSender` for those beyond a bound. */
  readonly senders: readonly string[];
  readonly firstAt: number;
  readonly lastAt: number;
}

export const othersSender = 'others';
/** The most senders that are told apart, for each relay and reason. */
const mostSenders = 20;
const dayMs = 24 * 3_600_000;

/** The number of refusals of one relay, for one reason, from one sender. */
export type RefusalCount = RelayRefusalsTable;

/** Adds counts to the stored ones; relays that do not exist, or were removed, are left out. */
export async function addRefusals(db: Kysely<Schema>, counts: readonly RefusalCount[], now: number): Promise<void> {
  const ids = [...new Set(counts.map(({ relay_id }) => relay_id))];
  const relays = await db
    .selectFrom('relays')
    .select('id')
    .where('id', 'in', ids)
    .where('removed_at', 'is', null)
    .execute();
  if (relays.length === 0) {
    return;
  }
  const known = new Set(relays.map(({ id }) => id));
  await db.transaction().execute(async (trx) => {
    await trx
      .deleteFrom('relay_refusals')
      .where('relay_id', 'in', [...known])
      .where('last_at', '<', now - dayMs)
      .execute();
    const stored = await trx
      .selectFrom('relay_refusals')
      .selectAll()
      .where('relay_id', 'in', [...known])
      .execute();
    const keyOf = ({ relay_id, code }: RefusalCount) => `${relay_id}\n${code}`;
    const senders = new Map<string, Set<string>>();
    for (const row of stored) {
      senders.set(keyOf(row), (senders.get(keyOf(row)) ?? new Set()).add(row.sender));
    }
    // All instances write the rows in one order, so that none waits for a row that another holds.
    for (const count of counts.filter(({ relay_id }) => known.has(relay_id)).toSorted(byKey)) {
      const apart = senders.get(keyOf(count)) ?? new Set();
      const sender = apart.has(count.sender) || apart.size < mostSenders ? count.sender : othersSender;
      senders.set(keyOf(count), apart.add(sender));
      await trx
        .insertInto('relay_refusals')
        .values({ ...count, sender })
        .onConflict((conflict) =>
          conflict.columns(['relay_id', 'code', 'sender']).doUpdateSet((eb) => ({
            scans: eb('relay_refusals.scans', '+', eb.ref('excluded.scans')),
            last_at: eb.ref('excluded.last_at'),
          })),
        )
        .execute();
    }
  });
}

function byKey(a: RefusalCount, b: RefusalCount): number {
  const [first, second] = [a, b].map(({ relay_id, code, sender }) => `${relay_id}\n${code}\n${sender}`);
  return first! < second! ? -1 : 1;
}

/** The refusals of relays by reason, the most frequent first. */
export async function readRefusals(
  db: Kysely<Schema>,
  relayIds: readonly string[],
): Promise<ReadonlyMap<string, readonly RefusedReason[]>> {
  const rows = await db
    .selectFrom('relay_refusals')
    .selectAll()
    .where('relay_id', 'in', relayIds)
    .orderBy('scans', 'desc')
    .execute();
  const byRelay = new Map<string, Map<string, RefusedReason>>();
  for (const { relay_id, code, sender, scans, first_at: firstAt, last_at: lastAt } of rows) {
    const reasons = byRelay.get(relay_id) ?? new Map<string, RefusedReason>();
    const reason = reasons.get(code) ?? { code, scans: 0, senders: [], firstAt, lastAt };
    reasons.set(code, {
      code,
      scans: reason.scans + scans,
      senders: [...reason.senders, sender],
      firstAt: Math.min(reason.firstAt, firstAt),
      lastAt: Math.max(reason.lastAt, lastAt),
    });
    byRelay.set(relay_id, reasons);
  }
  return new Map(
    [...byRelay].map(([id, reasons]) => [id, [...reasons.values()].sort((a, b) => b.scans - a.scans)] as const),
  );
}

/** Deletes counts to which nothing was added for a day. */
export function createRefusalPurge({ db }: { readonly db: Kysely<Schema> }, clock: Clock): Purge {
  return async () => {
    const before = clock.now() - dayMs;
    if (
      await db.selectFrom('relay_refusals').select('code').where('last_at', '<', before).limit(1).executeTakeFirst()
    ) {
      await db.deleteFrom('relay_refusals').where('last_at', '<', before).execute();
    }
  };
}
