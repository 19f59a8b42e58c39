/**
 * Pruning of old scans with their posts, and of old posts without a scan, in batches with pauses. A scan stays while
 * one of its posts is open, its alert goes on, or a recent digest or thread parent includes it. No counter is deleted.
 */
import type { Transaction } from 'kysely';
import type { Clock } from '../../clock.js';
import { keepValuesKnown } from '../../counters/keep-values-known.js';
import { giveBackFreePages } from '../../database/free-pages.js';
import { createPace } from '../../database/pace.js';
import type { Schema, StoredPostKind } from '../../database/schema.js';
import { liveAlerts, pruneIncidents } from '../../incidents/incident-rows.js';
import { kindsWhere } from '../../posts/kinds.js';
import { pruneQueues } from '../../posts/retention/idle-queues.js';
import {
  deletePosts,
  neededByPosts,
  oldKeysWithoutScan,
  type PostPlace,
  postsOfScans,
  postsWithoutScan,
} from '../../posts/retention/old-posts.js';
import { deleteReceived, receivedBefore } from '../../scans/received/removal.js';
import type { Store } from '../../workspaces/types.js';
import { lockRelays } from '../record/lock.js';

type Trx = Transaction<Schema>;

export interface Dropped {
  readonly scans: number;
  readonly posts: number;
}

/** The kinds of posts without a scan, in order: an alarm is pruned after the digest or thread parent that covers it. */
const kindsWithoutScan = [
  kindsWhere(({ kept }) => kept === 'count'),
  kindsWhere(({ kept }) => kept !== 'count' && kept !== 'scan'),
];

const firstPlace: PostPlace = { at: 0, seq: 0 };

/** How much one step deleted, and where the next one goes on; undefined at the end. */
interface Step<Place> extends Dropped {
  readonly next: Place | undefined;
}

/** Deletes scans and posts older than `before` and frees the space; `stopping` ends it after the current batch. */
export function createPrune(store: Pick<Store, 'db' | 'kind'>, clock: Clock) {
  const { db, kind } = store;
  return async (before: number, stopping: AbortSignal): Promise<Dropped> => {
    const pace = createPace(store, clock, stopping);
    const totals = { scans: 0, posts: 0 };
    const addStep = <Place>({ scans, posts, next }: Step<Place>): Place | undefined => {
      totals.scans += scans;
      totals.posts += posts;
      return next;
    };
    // The mark comes first: a summary of earlier scans must not claim more than will be left.
    await db.updateTable('scans_pruned').set({ before }).where('before', '<', before).execute();
    for (const kinds of kindsWithoutScan) {
      await pace.walk(firstPlace, async (trx, after, limit) =>
        addStep(await prunePosts(trx, { kinds, after, before }, limit)),
      );
    }
    await pace.walk('', async (trx, after, limit) => addStep(await pruneScans(trx, { after, limit, before })));
    await pruneQueues(db, before);
    await pruneIncidents(db, before);
    if (kind === 'sqlite') {
      await giveBackFreePages(pace);
    }
    return totals;
  };
}

async function prunePosts(
  trx: Trx,
  range: { readonly kinds: readonly StoredPostKind[]; readonly after: PostPlace; readonly before: number },
  limit: number,
): Promise<Step<PostPlace>> {
  const posts = await postsWithoutScan(trx, range, limit);
  const prunedKeys = await oldKeysWithoutScan(trx, posts, range.before, liveAlerts);
  await deletePosts(trx, prunedKeys);
  const last = posts.length < limit ? undefined : posts.at(-1);
  return { scans: 0, posts: prunedKeys.length, next: last && { at: last.finished_at ?? 0, seq: last.seq } };
}

/** Prunes scans. Ids sort by time, but the time of receipt counts: a scan with an id from a fast clock goes later. */
async function pruneScans(
  trx: Trx,
  { after, limit, before }: { readonly after: string; readonly limit: number; readonly before: number },
): Promise<Step<string>> {
  const scans = await receivedBefore(trx, before, { after, limit });
  const relays = await lockRelays(trx, [...new Set(scans.map((scan) => scan.relay_id))]);
  const nextPlace = scans.length < limit ? undefined : scans.at(-1)?.id;
  const posts = await postsOfScans(
    trx,
    scans.map(({ id }) => id),
  );
  const neededIds = await neededByPosts(trx, posts, before, liveAlerts);
  const prunedScans = scans.filter(({ id, received_at }) => received_at < before && !neededIds.has(id));
  await keepValuesKnown(trx, prunedScans, relays);
  const ids = new Set(prunedScans.map(({ id }) => id));
  const unneeded = posts.filter(({ scan_id }) => ids.has(scan_id ?? '')).map(({ key }) => key);
  await deletePosts(trx, unneeded);
  await deleteReceived(trx, [...ids]);
  return { scans: prunedScans.length, posts: unneeded.length, next: nextPlace };
}
