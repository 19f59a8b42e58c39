/**
 * A channel's next post, by the lowest open post of each relay in each lane of its queue. A row of `queue_heads` holds
 * that number or a lower one, never a higher one; so rows are read in order until the next cannot come earlier, and
 * neither a paused relay's backlog nor relays without open posts are looked at.
 */
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { OutboxTable, PostKind, Schema } from '../../database/schema.js';
import { lanes, postKinds } from '../kinds.js';
import type { ChannelQueueKey } from './channel-queues.js';

type Db = Kysely<Schema> | Transaction<Schema>;

/** The first open post of one relay in a lane of a queue. */
export interface Head {
  readonly relayId: string;
  readonly seq: number;
}

const atOnce = 8;

/** Rows of active relays in order: `at` is what the row says, `first` the relay's first open post, if it has one. */
function headsIn(db: Db, { installation, team, channel }: ChannelQueueKey) {
  return db
    .selectFrom('queue_heads')
    .innerJoin('relays', 'relays.id', 'queue_heads.relay_id')
    .select((eb) => [
      'queue_heads.relay_id as relayId',
      'queue_heads.lane',
      'queue_heads.seq as at',
      eb
        .selectFrom('outbox')
        .select(({ fn }) => fn.min('outbox.seq').as('seq'))
        .where('outbox.installation', '=', installation)
        .where('outbox.team', '=', team)
        .whereRef('outbox.relay_id', '=', 'queue_heads.relay_id')
        .where('outbox.channel', '=', channel)
        .whereRef('outbox.lane', '=', 'queue_heads.lane')
        .where('outbox.finished_at', 'is', null)
        .as('first'),
    ])
    .where('queue_heads.installation', '=', installation)
    .where('queue_heads.team', '=', team)
    .where('queue_heads.channel', '=', channel)
    .where('relays.paused_at', 'is', null)
    .where('relays.removed_at', 'is', null)
    .orderBy('queue_heads.lane')
    .orderBy('queue_heads.seq');
}

/** The first open posts of at most `limit` active relays in a lane, in the order of their rows. */
export async function headsOf(db: Db, queue: ChannelQueueKey, lane: number, limit: number): Promise<readonly Head[]> {
  const rows = await headsIn(db, queue).where('queue_heads.lane', '=', lane).limit(limit).execute();
  return rows.flatMap(({ relayId, first }) => (first === null ? [] : [{ relayId, seq: first }]));
}

/** The queue's first open post of a relay that is not paused. */
export async function headOf(db: Db, queue: ChannelQueueKey): Promise<Selectable<OutboxTable> | undefined> {
  let least: number | undefined;
  for (const lane of lanes) {
    for (let after = -1; ; ) {
      const inLane = headsIn(db, queue).where('queue_heads.lane', '=', lane);
      const rows = await inLane.where('queue_heads.seq', '>', after).limit(atOnce).execute();
      for (const { first } of rows) {
        least = first === null ? least : Math.min(first, least ?? first);
      }
      const last = rows.at(-1);
      if (!last || rows.length < atOnce || (least !== undefined && last.at >= least)) {
        break;
      }
      after = last.at;
    }
    if (least !== undefined) {
      break;
    }
  }
  return least === undefined
    ? undefined
    : await db.selectFrom('outbox').selectAll().where('seq', '=', least).executeTakeFirst();
}

/**
 * Moves the rows on that lie before `seq`, or before everything. Call it with the queue locked: an insert of a post
 * into it waits, and then adds the row that is missing.
 */
export async function tidyHeads(trx: Transaction<Schema>, queue: ChannelQueueKey, seq?: number): Promise<void> {
  const { installation, team, channel } = queue;
  const rows = await headsIn(trx, queue)
    .$if(seq !== undefined, (query) => query.where('queue_heads.seq', '<', seq as number))
    .limit(tidiedAtOnce)
    .execute();
  for (const { relayId, lane, at, first } of rows) {
    if (first === at) {
      continue;
    }
    const key = { installation, team, channel, relay_id: relayId, lane };
    await (first === null
      ? trx
          .deleteFrom('queue_heads')
          .where((eb) => eb.and(key))
          .execute()
      : trx
          .updateTable('queue_heads')
          .set({ seq: first })
          .where((eb) => eb.and(key))
          .execute());
  }
}

const tidiedAtOnce = 64;

/** Whether no relay, paused or not, has an open post in it. Call it with the queue locked. */
export async function isEmpty(trx: Transaction<Schema>, queue: ChannelQueueKey): Promise<boolean> {
  const { installation, team, channel } = queue;
  await trx
    .deleteFrom('queue_heads')
    .where((eb) => eb.and({ installation, team, channel }))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('outbox')
            .select('outbox.seq')
            .where((post) => post.and({ 'outbox.installation': installation, 'outbox.team': team }))
            .whereRef('outbox.relay_id', '=', 'queue_heads.relay_id')
            .where('outbox.channel', '=', channel)
            .whereRef('outbox.lane', '=', 'queue_heads.lane')
            .where('outbox.finished_at', 'is', null),
        ),
      ),
    )
    .execute();
  const head = await trx
    .selectFrom('queue_heads')
    .select('seq')
    .where((eb) => eb.and({ installation, team, channel }))
    .limit(1)
    .executeTakeFirst();
  return head === undefined;
}

/** After a post became open again. Call it with the queue locked. */
export async function addHead(
  trx: Transaction<Schema>,
  { installation, team, channel }: ChannelQueueKey,
  post: { readonly relayId: string; readonly kind: PostKind; readonly seq: number },
): Promise<void> {
  const { relayId, kind, seq } = post;
  await trx
    .insertInto('queue_heads')
    .values({ installation, team, channel, relay_id: relayId, lane: postKinds[kind].lane, seq })
    .onConflict((conflict) =>
      conflict
        .columns(['relay_id', 'installation', 'team', 'channel', 'lane'])
        .doUpdateSet({ seq })
        .where('queue_heads.seq', '>', seq),
    )
    .execute();
}

/** After many posts of a relay became open again, or went to other channels. Call it with their queues locked. */
export async function rebuildHeads(
  trx: Transaction<Schema>,
  { owner, relayId }: { readonly owner: { installation: string; team: string }; readonly relayId: string },
): Promise<void> {
  await trx.deleteFrom('queue_heads').where('relay_id', '=', relayId).execute();
  await trx
    .insertInto('queue_heads')
    .columns(['installation', 'team', 'channel', 'relay_id', 'lane', 'seq'])
    .expression((eb) =>
      eb
        .selectFrom('outbox')
        .select(['installation', 'team', 'channel', 'relay_id', 'lane', sql<number>`min(seq)`.as('seq')])
        .where('installation', '=', owner.installation)
        .where('team', '=', owner.team)
        .where('relay_id', '=', relayId)
        .where('finished_at', 'is', null)
        .groupBy(['installation', 'team', 'channel', 'relay_id', 'lane']),
    )
    .execute();
}
