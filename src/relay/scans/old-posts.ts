/**
 * Posts old enough to prune, and the scans that posts still need. A digest or thread parent is recounted when its
 * message is updated, so it is pruned before its scans.
 */
import type { Selectable, Transaction } from 'kysely';
import type { OutboxTable, Schema } from '../../database/schema.js';
import type { StoreKind } from '../../database/types.js';

type Trx = Transaction<Schema>;

type PostRow = Pick<
  Selectable<OutboxTable>,
  'key' | 'scan_id' | 'kind' | 'finished_at' | 'edit_at' | 'edited_at' | 'folded_into' | 'card_key'
>;

/** Keys after one and before the other. */
export interface KeyRange {
  readonly after: string;
  readonly before: string;
}

export interface StoredPost extends PostRow {
  /** Delivered, dead or digested, with no current claim. */
  readonly finished: boolean;
}

const columns = ['key', 'scan_id', 'kind', 'finished_at', 'edit_at', 'edited_at', 'folded_into', 'card_key'] as const;
/** Parameters of one statement. */
const keysAtOnce = 500;

/** In key order. Skips rows that are locked. */
export async function readPosts(trx: Trx, kind: StoreKind, { after, before }: KeyRange, limit?: number) {
  const within = () =>
    trx
      .selectFrom('outbox')
      .where('key', '>', after)
      .where('key', '<', before)
      .orderBy('key')
      .$if(limit !== undefined, (query) => query.limit(limit as number));
  let free: ReadonlySet<string> | undefined;
  if (kind === 'postgres') {
    const finished = within().select('key').where('finished_at', 'is not', null);
    free = new Set((await finished.forUpdate().skipLocked().execute()).map(keyOf));
  }
  const rows = await within().select(columns).execute();
  return rows.map(
    (row): StoredPost => ({ ...row, finished: row.finished_at !== null && free?.has(row.key) !== false }),
  );
}

/** Keys of old posts without a single scan. */
export async function postsOfNoScan(trx: Trx, posts: readonly StoredPost[], at: number): Promise<readonly string[]> {
  const old = posts.filter((post) => post.scan_id === '' && isOld(post, at));
  const cards = old.filter(({ kind }) => kind === 'card').map(keyOf);
  // A thread parent stays while a reply is still to be sent.
  const awaited = await inPortions(cards, async (keys) => {
    const rows = await trx
      .selectFrom('outbox')
      .select('card_key')
      .distinct()
      .where('card_key', 'in', keys)
      .where('finished_at', 'is', null)
      .execute();
    return rows.map((row) => row.card_key ?? '');
  });
  const counting = old.filter(({ kind, key }) => kind === 'digest' || (kind === 'card' && !awaited.has(key)));
  const going = new Set(counting.map(keyOf));
  const alarms = old.filter(({ kind }) => kind === 'silence');
  const there = await stillTold(trx, alarms);
  for (const post of alarms) {
    if (toldBy(post).every((key) => going.has(key) || !there.has(key))) {
      going.add(post.key);
    }
  }
  return [...going];
}

/** Ids of scans that their posts still need: open, to be updated, or in a digest or thread parent that stays. */
export async function heldByPosts(
  trx: Trx,
  posts: readonly StoredPost[],
  at: number,
  going: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const of = posts.filter(({ scan_id }) => scan_id !== '');
  const there = await stillTold(trx, of);
  const held = of.filter(
    (post) =>
      !post.finished || isToBeChanged(post, at) || toldBy(post).some((key) => there.has(key) && !going.has(key)),
  );
  return new Set(held.map(({ scan_id }) => scan_id));
}

export async function deletePosts(trx: Trx, keys: readonly string[]): Promise<void> {
  await inPortions(keys, async (some) => {
    await trx.deleteFrom('outbox').where('key', 'in', some).execute();
    return [];
  });
}

/** Digests, open ones too, and thread parents that still include these posts. */
async function stillTold(trx: Trx, posts: readonly StoredPost[]): Promise<ReadonlySet<string>> {
  return await inPortions([...new Set(posts.flatMap(toldBy))], async (keys) => {
    const sent = trx.selectFrom('outbox').select('key').where('key', 'in', keys);
    const open = trx.selectFrom('digests').select('key').where('key', 'in', keys);
    return (await sent.unionAll(open).execute()).map(keyOf);
  });
}

function toldBy({ folded_into, card_key }: StoredPost): string[] {
  return [folded_into, card_key].filter((key) => key !== null);
}

function isOld(post: StoredPost, at: number): boolean {
  return post.finished && (post.finished_at ?? at) < at && (post.edited_at ?? 0) < at && !isToBeChanged(post, at);
}

/** An older update will not happen: the relay is paused, or there is no token. */
function isToBeChanged({ edit_at }: StoredPost, at: number): boolean {
  return edit_at !== null && edit_at >= at;
}

function keyOf({ key }: { readonly key: string }): string {
  return key;
}

async function inPortions(
  keys: readonly string[],
  read: (some: readonly string[]) => Promise<readonly string[]>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let from = 0; from < keys.length; from += keysAtOnce) {
    for (const key of await read(keys.slice(from, from + keysAtOnce))) {
      found.add(key);
    }
  }
  return found;
}
