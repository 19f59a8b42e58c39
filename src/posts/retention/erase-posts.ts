/**
 * The deletion of posts whose contents are erased, whatever their state: a worker that was sending one finds it gone.
 * Messages that are in a channel already stay there. The posts of alerts are kept, without the scan.
 */
import type { Transaction } from 'kysely';
import { chunksOf } from '../../database/chunks.js';
import type { PostState, Schema } from '../../database/schema.js';
import type { Owner } from '../../ownership.js';
import { kindOfRow, kindsWhere } from '../kinds.js';
import { type ChannelQueueKey, wakeQueues } from '../outbox/channel-queues.js';
import type { LiveAlerts } from './live-alerts.js';

type Trx = Transaction<Schema>;

/** The most posts in one statement. */
const postsPerSlice = 500;

const replies = kindsWhere(({ staysInThread }) => staysInThread);

/** The states of posts that may not have reached their channel. */
export const undelivered: readonly PostState[] = ['pending', 'sending', 'unconfirmed', 'dead'];

/**
 * Deletes the posts of these scans, and those of digests that are left empty. Returns how many posts were not delivered.
 * Call it with the relays locked.
 */
export async function erasePostsOf(
  trx: Trx,
  scanIds: readonly string[],
  now: number,
  alerts: LiveAlerts,
): Promise<number> {
  await wakeQueuesOf(trx, scanIds, now);
  let lostCount = 0;
  const digests = new Set<string>();
  for (const chunk of chunksOf(scanIds, postsPerSlice)) {
    // An alert keeps its post, which no longer names the scan.
    await trx
      .updateTable('outbox')
      .set({ scan_id: null })
      .where('scan_id', 'in', chunk)
      .where('key', 'in', alerts.keys)
      .execute();
    const deletedPosts = await trx
      .deleteFrom('outbox')
      .where('scan_id', 'in', chunk)
      .returning(['state', 'digest_key'])
      .execute();
    lostCount += deletedPosts.filter(({ state }) => undelivered.includes(state)).length;
    for (const { digest_key } of deletedPosts) {
      if (digest_key !== null) {
        digests.add(digest_key);
      }
    }
  }
  await eraseUncovering(trx, [...digests]);
  return lostCount;
}

/** Wakes the queues of the scans' open posts: a queue sleeps as long as its first post does. */
async function wakeQueuesOf(trx: Trx, scanIds: readonly string[], now: number): Promise<void> {
  const queues: ChannelQueueKey[] = [];
  for (const chunk of chunksOf(scanIds, postsPerSlice)) {
    const open = trx.selectFrom('outbox').select(['installation', 'team', 'channel']).where('finished_at', 'is', null);
    queues.push(...(await open.distinct().where('scan_id', 'in', chunk).execute()));
  }
  await wakeQueues(trx, queues, now);
}

/** Deletes the posts of digests that cover no post any more: they could not be posted. */
async function eraseUncovering(trx: Trx, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const covered = await trx
      .selectFrom('outbox')
      .select('seq')
      .where('digest_key', '=', key)
      .limit(1)
      .executeTakeFirst();
    if (!covered) {
      await trx.deleteFrom('outbox').where('key', '=', key).where('finished_at', 'is', null).execute();
    }
  }
}

/**
 * Deletes, among the next `limit` posts, the owner's finished ones without a scan that cover no other post and show no
 * board and no alert that goes on; with `none`, all of the owner's. Returns where to go on; undefined at the end.
 */
export async function eraseScanlessPosts(
  trx: Trx,
  { installation, team }: Owner,
  { after, limit, alerts }: { readonly after: number; readonly limit: number; readonly alerts: LiveAlerts | 'none' },
): Promise<number | undefined> {
  const isAll = alerts === 'none';
  const posts = await trx
    .selectFrom('outbox')
    .select(['seq', 'key', 'kind', 'installation', 'team', 'scan_id', 'finished_at'])
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();
  const liveKeys = isAll ? new Set() : await alerts.posts(trx, { installation, team });
  const keys = posts
    .filter(({ key }) => !liveKeys.has(key))
    .filter((post) => post.installation === installation && post.team === team)
    .filter((row) => isAll || (row.scan_id === null && row.finished_at !== null && kindOfRow(row).kept !== 'source'))
    .map(({ key }) => key);
  if (keys.length > 0 && isAll) {
    await trx.deleteFrom('outbox').where('key', 'in', keys).execute();
  } else if (keys.length > 0) {
    await trx
      .deleteFrom('outbox')
      .where('key', 'in', keys)
      .where('finished_at', 'is not', null)
      .where('key', 'not in', (eb) =>
        eb.selectFrom('outbox as part').select('part.digest_key').where('part.digest_key', 'in', keys).$castTo<{
          digest_key: string;
        }>(),
      )
      .where('key', 'not in', (eb) =>
        eb
          .selectFrom('outbox as reply')
          .select('reply.parent_key')
          .where('reply.parent_key', 'in', keys)
          // A reply of an incident is deleted with its alarm.
          .where('reply.kind', 'not in', replies)
          .$castTo<{ parent_key: string }>(),
      )
      .execute();
  }
  return posts.length < limit ? undefined : posts.at(-1)?.seq;
}
