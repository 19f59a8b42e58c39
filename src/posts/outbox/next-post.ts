/**
 * A channel's next post, found by the lowest open post of each source in each lane of its queue. A row of `queue_heads`
 * holds the number of that post or a lower one, never a higher one. So rows are read in order until no later row can
 * lead to an earlier post, and no query reads a held source's backlog.
 */
import { type ExpressionBuilder, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { equal } from '../../database/equal.js';
import type { OutboxTable, Schema, StoredPostKind } from '../../database/schema.js';
import { kindOfRow, lanes } from '../kinds.js';
import type { ChannelQueueKey } from './channel-queues.js';
import { isHeld } from './held-sources.js';
import type { PostSource, PostsOf } from './post.js';

type Db = Kysely<Schema> | Transaction<Schema>;

const headsPerRead = 8;

/**
 * The heads of a queue in order, without held sources. `headSeq`: the number in the row; `firstSeq`: the number of the
 * source's first open post, null if it has none.
 */
function headsIn(db: Db, queue: ChannelQueueKey) {
  const { installation, team, channel } = queue;
  return db
    .selectFrom('queue_heads')
    .select((eb) => [
      'queue_heads.source',
      'queue_heads.source_id',
      'queue_heads.lane',
      'queue_heads.seq as headSeq',
      openPostsOf(eb, queue)
        .select(({ fn }) => fn.min('outbox.seq').as('seq'))
        .as('firstSeq'),
    ])
    .where(
      equal({ 'queue_heads.installation': installation, 'queue_heads.team': team, 'queue_heads.channel': channel }),
    )
    .where((eb) => eb.not(isHeld('queue_heads')))
    .orderBy('queue_heads.lane')
    .orderBy('queue_heads.seq');
}

/** The open posts of a head's source in its lane of the queue. */
function openPostsOf(eb: ExpressionBuilder<Schema, 'queue_heads'>, { installation, team, channel }: ChannelQueueKey) {
  return eb
    .selectFrom('outbox')
    .where(equal({ 'outbox.installation': installation, 'outbox.team': team, 'outbox.channel': channel }))
    .whereRef('outbox.source', '=', 'queue_heads.source')
    .whereRef('outbox.source_id', '=', 'queue_heads.source_id')
    .whereRef('outbox.lane', '=', 'queue_heads.lane')
    .where('outbox.finished_at', 'is', null);
}

/** The sources with open posts among the first `limit` heads of a lane, in the order of the heads. */
export async function sourcesIn(db: Db, queue: ChannelQueueKey, lane: number, limit: number): Promise<PostSource[]> {
  const rows = await headsIn(db, queue).where('queue_heads.lane', '=', lane).limit(limit).execute();
  return rows.filter(({ firstSeq }) => firstSeq !== null).map(({ source, source_id: id }) => ({ kind: source, id }));
}

/** The queue's first open post of a source that is not held. */
export async function headOf(db: Db, queue: ChannelQueueKey): Promise<Selectable<OutboxTable> | undefined> {
  let earliest: number | undefined;
  for (const lane of lanes) {
    for (let lastSeq = -1; ; ) {
      const inLane = headsIn(db, queue).where('queue_heads.lane', '=', lane);
      const rows = await inLane.where('queue_heads.seq', '>', lastSeq).limit(headsPerRead).execute();
      for (const { firstSeq } of rows) {
        earliest = firstSeq === null ? earliest : Math.min(firstSeq, earliest ?? firstSeq);
      }
      const last = rows.at(-1);
      if (!last || rows.length < headsPerRead || (earliest !== undefined && last.headSeq >= earliest)) {
        break;
      }
      lastSeq = last.headSeq;
    }
    if (earliest !== undefined) {
      break;
    }
  }
  return earliest === undefined
    ? undefined
    : await db.selectFrom('outbox').selectAll().where('seq', '=', earliest).executeTakeFirst();
}

/**
 * Moves the first heads before `seq`, or of the queue, on to their source's first open post, and deletes those without
 * one. Call it with the queue locked: an insert of a post waits, and then adds the missing head.
 */
export async function tidyHeads(trx: Transaction<Schema>, queue: ChannelQueueKey, seq?: number): Promise<void> {
  const { installation, team, channel } = queue;
  const rows = await headsIn(trx, queue)
    .$if(seq !== undefined, (query) => query.where('queue_heads.seq', '<', seq as number))
    .limit(tidiedAtOnce)
    .execute();
  for (const { source, source_id, lane, headSeq, firstSeq } of rows) {
    if (firstSeq === headSeq) {
      continue;
    }
    const key = { installation, team, channel, source, source_id, lane };
    await (firstSeq === null
      ? trx.deleteFrom('queue_heads').where(equal(key)).execute()
      : trx.updateTable('queue_heads').set({ seq: firstSeq }).where(equal(key)).execute());
  }
}

const tidiedAtOnce = 64;

/** Whether no source, held or not, has an open post in the queue; deletes idle heads. Call it with the queue locked. */
export async function isEmpty(trx: Transaction<Schema>, queue: ChannelQueueKey): Promise<boolean> {
  const { installation, team, channel } = queue;
  await trx
    .deleteFrom('queue_heads')
    .where(equal({ installation, team, channel }))
    .where((eb) => eb.not(eb.exists(openPostsOf(eb, queue).select('outbox.seq'))))
    .execute();
  const head = await trx
    .selectFrom('queue_heads')
    .select('seq')
    .where(equal({ installation, team, channel }))
    .limit(1)
    .executeTakeFirst();
  return head === undefined;
}

/** Adds the head of a post that became open again. Call it with the queue locked. */
export async function addHead(
  trx: Transaction<Schema>,
  { installation, team, channel }: ChannelQueueKey,
  post: { readonly source: PostSource; readonly kind: StoredPostKind; readonly seq: number },
): Promise<void> {
  const { source, kind, seq } = post;
  await trx
    .insertInto('queue_heads')
    .values({
      installation,
      team,
      channel,
      source: source.kind,
      source_id: source.id,
      lane: kindOfRow({ kind }).lane,
      seq,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['source', 'source_id', 'installation', 'team', 'channel', 'lane'])
        .doUpdateSet({ seq })
        .where('queue_heads.seq', '>', seq),
    )
    .execute();
}

/** Rebuilds a source's heads after many posts moved, became open or ended. Call it with their queues locked. */
export async function rebuildHeads(trx: Transaction<Schema>, { owner, source }: PostsOf): Promise<void> {
  const sourceKeys = { source: source.kind, source_id: source.id };
  await trx.deleteFrom('queue_heads').where(equal(sourceKeys)).execute();
  await trx
    .insertInto('queue_heads')
    .columns(['installation', 'team', 'channel', 'source', 'source_id', 'lane', 'seq'])
    .expression((eb) =>
      eb
        .selectFrom('outbox')
        .select(['installation', 'team', 'channel', 'source', 'source_id', 'lane', sql<number>`min(seq)`.as('seq')])
        .where(equal({ installation: owner.installation, team: owner.team }))
        .where((post) => post.and(sourceKeys))
        .where('finished_at', 'is', null)
        .groupBy(['installation', 'team', 'channel', 'source', 'source_id', 'lane']),
    )
    .execute();
}
