/**
 * A channel's next post: the lowest `seq` of each active relay, one index look-up each. A paused relay's backlog is
 * never scanned.
 */
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { OutboxTable, Schema } from '../../../database/schema.js';
import type { ChannelQueueKey } from './channel-queues.js';

/** The first open post of one relay in a queue. */
export interface Head {
  readonly relayId: string;
  readonly seq: number;
}

/** One index look-up for each relay. */
function headsIn(db: Kysely<Schema> | Transaction<Schema>, { installation, team, channel }: ChannelQueueKey) {
  return db
    .selectFrom('relays')
    .select((eb) => [
      'relays.id as relayId',
      eb
        .selectFrom('outbox')
        .select(({ fn }) => fn.min('outbox.seq').as('seq'))
        .where('outbox.installation', '=', installation)
        .where('outbox.team', '=', team)
        .where('outbox.channel', '=', channel)
        .where('outbox.finished_at', 'is', null)
        .whereRef('outbox.relay_id', '=', 'relays.id')
        .as('seq'),
    ])
    .where('relays.installation', '=', installation)
    .where('relays.team', '=', team)
    .where('relays.paused_at', 'is', null)
    .where('relays.removed_at', 'is', null);
}

export async function headsOf(
  db: Kysely<Schema> | Transaction<Schema>,
  lane: ChannelQueueKey,
): Promise<readonly Head[]> {
  const rows = await headsIn(db, lane).execute();
  return rows.flatMap(({ relayId, seq }) => (seq === null ? [] : [{ relayId, seq }]));
}

/** The queue's first open post of a relay that is not paused. */
export async function headOf(
  db: Kysely<Schema> | Transaction<Schema>,
  lane: ChannelQueueKey,
): Promise<Selectable<OutboxTable> | undefined> {
  return await db
    .selectFrom('outbox')
    .selectAll()
    .where('seq', '=', (eb) => eb.selectFrom(headsIn(db, lane).as('heads')).select(({ fn }) => fn.min('seq').as('seq')))
    .executeTakeFirst();
}
