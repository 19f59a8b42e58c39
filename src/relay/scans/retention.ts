/**
 * Pruning of old scans with their posts, and of old posts without a scan, in batches with pauses. A scan stays while a
 * post of it is open or a recent digest or thread parent includes it. Counters always stay.
 */
import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../../clock.js';
import { giveBackFreePages } from '../../database/free-pages.js';
import { leastId } from '../../database/ids.js';
import { createPace, type Pace } from '../../database/pace.js';
import type { Schema } from '../../database/schema.js';
import { readJson } from '../../database/stored-json.js';
import type { StoreKind } from '../../database/types.js';
import type { Store } from '../../workspaces/types.js';
import { type Fold, type JudgingRelay, keepValuesKnown } from './backfill-counters.js';
import { countingShape } from './counters.js';
import { deletePosts, heldByPosts, type KeyRange, postsOfNoScan, readPosts } from './old-posts.js';

type Trx = Transaction<Schema>;

export interface Dropped {
  readonly scans: number;
  readonly posts: number;
}

export interface Retention {
  /** Deletes what is older than `before` and frees the space; `stop` ends it after the current batch. */
  prune(before: number, stop: AbortSignal): Promise<Dropped>;
}

/** Keys of thread parents and silences; all others begin with the id of a scan. */
const ofNoScan: readonly KeyRange[] = [
  { after: 'card.', before: 'card/' },
  { after: 'silence.', before: 'silence/' },
];

/** What one step deleted, and the key to go on from; undefined at the end. */
interface Step extends Dropped {
  readonly next: string | undefined;
}

/** @param fold how the account's databases compare values */
export function createRetention(store: Pick<Store, 'db' | 'kind'>, fold: Fold, clock: Clock): Retention {
  const { db, kind } = store;
  return {
    async prune(before, stop) {
      const pace = createPace(store, clock, stop);
      // First: whoever shows earlier scans must not claim more than will be left.
      await db.updateTable('scans_pruned').set({ before }).where('before', '<', before).execute();
      const parts: Dropped[] = [];
      for (const range of ofNoScan) {
        parts.push(
          await stepwise(pace, range.after, stop, (trx, after, limit) =>
            prunePosts(trx, kind, { ...range, after }, limit, before),
          ),
        );
      }
      parts.push(
        await stepwise(pace, '', stop, (trx, after, limit) => pruneScans(trx, kind, fold, { after, limit, before })),
      );
      await pruneLanes(db, before);
      if (kind === 'sqlite') {
        await giveBackFreePages(pace, stop);
      }
      const sum = (what: keyof Dropped) => parts.reduce((all, part) => all + part[what], 0);
      return { scans: sum('scans'), posts: sum('posts') };
    },
  };
}

async function stepwise(
  pace: Pace,
  after: string,
  stop: AbortSignal,
  step: (trx: Trx, after: string, limit: number) => Promise<Step>,
): Promise<Dropped> {
  const all = { scans: 0, posts: 0 };
  for (let from: string | undefined = after; from !== undefined && !stop.aborted; ) {
    const start: string = from;
    const { scans, posts, next } = await pace.slice((trx, limit) => step(trx, start, limit));
    all.scans += scans;
    all.posts += posts;
    from = next;
  }
  return all;
}

async function prunePosts(trx: Trx, kind: StoreKind, range: KeyRange, limit: number, before: number): Promise<Step> {
  const posts = await readPosts(trx, kind, range, limit);
  const going = await postsOfNoScan(trx, posts, before);
  await deletePosts(trx, going);
  return { scans: 0, posts: going.length, next: posts.length < limit ? undefined : posts.at(-1)?.key };
}

/** Ids sort by time, but the time of receipt counts: a scan with an id from a fast clock is pruned later. */
async function pruneScans(
  trx: Trx,
  kind: StoreKind,
  fold: Fold,
  { after, limit, before }: { readonly after: string; readonly limit: number; readonly before: number },
): Promise<Step> {
  const scans = await trx
    .selectFrom('scans')
    .select(['id', 'relay_id', 'installation', 'team', 'udid', 'tid', 'received_at'])
    .where('id', '>', after)
    .where('id', '<', leastId(before))
    .orderBy('id')
    .limit(limit)
    .execute();
  const relays = await lockRelays(trx, kind, [...new Set(scans.map((scan) => scan.relay_id))]);
  // A scan's posts, and the digests that begin with it, have its id as their keys, or that and a `.`, which is before `/`.
  const next = scans.length < limit ? undefined : `${scans.at(-1)?.id}/`;
  const posts = await readPosts(trx, kind, { after, before: next ?? leastId(before) });
  const alone = await postsOfNoScan(trx, posts, before);
  const held = await heldByPosts(trx, posts, before, new Set(alone));
  const going = scans.filter(({ id, received_at }) => received_at < before && !held.has(id));
  await keepValuesKnown(trx, going, relays, fold);
  const ids = new Set(going.map(({ id }) => id));
  const gone = [...alone, ...posts.filter(({ scan_id }) => ids.has(scan_id)).map(({ key }) => key)];
  await deletePosts(trx, gone);
  if (going.length > 0) {
    await trx
      .deleteFrom('scans')
      .where('id', 'in', [...ids])
      .execute();
  }
  return { scans: going.length, posts: gone.length, next };
}

/**
 * Locked as in a commit, so that no scan that is being deleted is counted or completed. Removed relays validate
 * nothing.
 */
async function lockRelays(
  trx: Trx,
  kind: StoreKind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, JudgingRelay>> {
  if (ids.length === 0) {
    return new Map();
  }
  const rows = await trx
    .selectFrom('relays')
    .select(['id', 'counting', 'settings'])
    .where('id', 'in', ids)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .$if(kind === 'postgres', (query) => query.forNoKeyUpdate())
    .execute();
  return new Map(
    rows.map(({ id, counting, settings }) => [id, { counting: readJson(countingShape, counting, 'relay'), settings }]),
  );
}

/** Queues without posts for this long, and none waiting; the next post creates them again. */
async function pruneLanes(db: Kysely<Schema>, before: number): Promise<void> {
  await db
    .deleteFrom('lanes')
    .where('next_at', 'is', null)
    .where('claimed_by', 'is', null)
    .where((eb) => eb(eb.fn.coalesce('last_sent_at', eb.lit(0)), '<', before))
    .execute();
}
