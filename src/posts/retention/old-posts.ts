/**
 * Posts old enough to prune, and the scans that posts still need. The scans of a digest or thread parent are counted
 * again when its message is updated, so it is pruned before them.
 */
import { type Expression, type ExpressionBuilder, type Selectable, type SqlBool, sql, type Transaction } from 'kysely';
import { kindOf } from '../../database/bulk.js';
import { chunksOf } from '../../database/chunks.js';
import { freeRows } from '../../database/claims/claim.js';
import type { MessageUpdatesTable, OutboxTable, Schema, StoredPostKind } from '../../database/schema.js';
import { kindOfRow } from '../kinds.js';
import type { LiveAlerts } from './live-alerts.js';

type Trx = Transaction<Schema>;

interface PostRow
  extends Pick<
      Selectable<OutboxTable>,
      'seq' | 'key' | 'scan_id' | 'kind' | 'finished_at' | 'digest_key' | 'parent_key'
    >,
    Pick<{ [Column in keyof MessageUpdatesTable]: MessageUpdatesTable[Column] | null }, 'due_at' | 'updated_at'> {}

export interface StoredPost extends PostRow {
  /** Whether the post is in a final state, and no transaction has its row locked. */
  readonly finished: boolean;
}

/** The most keys in one statement. */
const keysAtOnce = 500;

type Conditions = (eb: ExpressionBuilder<Schema, 'outbox'>) => Expression<SqlBool>;

/**
 * Reads posts in the order of acceptance; with a limit, in the order in which they were finished. A finished post whose
 * row is locked counts as unfinished.
 */
async function readPosts(trx: Trx, conditions: Conditions, limit?: number): Promise<StoredPost[]> {
  const selection = () =>
    trx
      .selectFrom('outbox')
      .where(conditions)
      .$if(limit !== undefined, (query) => query.orderBy('outbox.finished_at').limit(limit as number))
      .orderBy('outbox.seq');
  let freeKeys: ReadonlySet<string> | undefined;
  if (kindOf(trx) === 'postgres') {
    const finished = selection().select('key').where('finished_at', 'is not', null);
    freeKeys = new Set((await freeRows(trx, finished).execute()).map(keyOf));
  }
  const rows = await selection()
    .leftJoin('message_updates', 'message_updates.post_seq', 'outbox.seq')
    .select(['outbox.seq', 'outbox.key', 'outbox.scan_id', 'outbox.kind', 'outbox.finished_at'])
    .select(['outbox.digest_key', 'outbox.parent_key', 'message_updates.due_at', 'message_updates.updated_at'])
    .execute();
  return rows.map(
    (row): StoredPost => ({ ...row, finished: row.finished_at !== null && freeKeys?.has(row.key) !== false }),
  );
}

export async function postsOfScans(trx: Trx, scanIds: readonly string[]): Promise<StoredPost[]> {
  const posts: StoredPost[] = [];
  for (const chunk of chunksOf(scanIds, keysAtOnce)) {
    posts.push(...(await readPosts(trx, (eb) => eb('outbox.scan_id', 'in', chunk))));
  }
  return posts;
}

/** The place of a finished post in the order of pruning: the time when it was finished, and its number. */
export interface PostPlace {
  readonly at: number;
  readonly seq: number;
}

/**
 * Finished posts that are about no single scan, of the given kinds, behind a place. They come in the order of their
 * index: by number, all posts of scans would be read as well.
 */
export function postsWithoutScan(
  trx: Trx,
  {
    kinds,
    after,
    before,
  }: { readonly kinds: readonly StoredPostKind[]; readonly after: PostPlace; readonly before: number },
  limit: number,
): Promise<StoredPost[]> {
  const which: Conditions = (eb) =>
    eb.and([
      eb('outbox.scan_id', 'is', null),
      eb('outbox.kind', 'in', kinds),
      sql<boolean>`(outbox.finished_at, outbox.seq) > (${after.at}, ${after.seq})`,
      eb('outbox.finished_at', '<', before),
    ]);
  return readPosts(trx, which, limit);
}

/** The keys of the posts that may be deleted: old, about no single scan, and needed by no alert, reply or parent. */
export async function oldKeysWithoutScan(
  trx: Trx,
  posts: readonly StoredPost[],
  oldAt: number,
  alerts: LiveAlerts,
): Promise<readonly string[]> {
  const liveKeys = await alerts.posts(trx);
  const oldPosts = posts.filter((post) => post.scan_id === null && isOld(post, oldAt) && !liveKeys.has(post.key));
  const counts = oldPosts.filter((post) => kindOfRow(post).kept === 'count').map(keyOf);
  // A thread parent stays while one of its replies is still to be sent.
  const awaited = new Set<string | null>();
  for (const keys of chunksOf(counts, keysAtOnce)) {
    const open = trx.selectFrom('outbox').select('parent_key').distinct().where('finished_at', 'is', null);
    for (const row of await open.where('parent_key', 'in', keys).execute()) {
      awaited.add(row.parent_key);
    }
  }
  const deletable = new Set(counts.filter((key) => !awaited.has(key)));
  const alarms = oldPosts.filter((post) => kindOfRow(post).kept !== 'count');
  const covers = await stillCovered(trx, alarms);
  for (const post of alarms) {
    if (coveredBy(post).every((key) => deletable.has(key) || !covers.has(key))) {
      deletable.add(post.key);
    }
  }
  return [...deletable];
}

/** Ids of scans that their posts still need: open, to be updated, of an alert that goes on, or in a digest or thread parent that stays. */
export async function neededByPosts(
  trx: Trx,
  posts: readonly StoredPost[],
  now: number,
  alerts: LiveAlerts,
): Promise<ReadonlySet<string>> {
  const ofScans = posts.filter(({ scan_id }) => scan_id !== null);
  const covers = await stillCovered(trx, ofScans);
  const live = ofScans.some(({ kind }) => kind === 'burst') ? await alerts.posts(trx) : new Set();
  const needed = ofScans.filter(
    (post) =>
      !post.finished ||
      isToBeUpdated(post, now) ||
      live.has(post.key) ||
      coveredBy(post).some((key) => covers.has(key)),
  );
  return new Set(needed.map(({ scan_id }) => scan_id ?? ''));
}

export async function deletePosts(trx: Trx, keys: readonly string[]): Promise<void> {
  for (const chunk of chunksOf(keys, keysAtOnce)) {
    await trx.deleteFrom('outbox').where('key', 'in', chunk).execute();
  }
}

/** The keys of digests, open ones too, and thread parents that still include these posts. */
async function stillCovered(trx: Trx, posts: readonly StoredPost[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const keys of chunksOf([...new Set(posts.flatMap(coveredBy))], keysAtOnce)) {
    const sent = trx.selectFrom('outbox').select('key').where('key', 'in', keys);
    const open = trx.selectFrom('digests').select('key').where('key', 'in', keys);
    for (const { key } of await sent.unionAll(open).execute()) {
      found.add(key);
    }
  }
  return found;
}

function coveredBy({ digest_key, parent_key }: StoredPost): string[] {
  return [digest_key, parent_key].filter((key) => key !== null);
}

function isOld(post: StoredPost, at: number): boolean {
  return post.finished && (post.finished_at ?? at) < at && (post.updated_at ?? 0) < at && !isToBeUpdated(post, at);
}

/** An update that was due before `at` will not happen: the relay is paused, or there is no token. */
function isToBeUpdated({ due_at }: StoredPost, at: number): boolean {
  return due_at !== null && due_at >= at;
}

function keyOf({ key }: { readonly key: string }): string {
  return key;
}
