/**
 * Pruning of old scans with their posts, and of old posts without a scan, in batches with pauses. A scan stays while a
 * post of it is open, its alert goes on, or a recent digest or thread parent includes it. Counters always stay.
 */
import type { Transaction } from 'kysely';
import type { Clock } from '../../clock.js';
import { keepValuesKnown } from '../../counters/keep-values-known.js';
import { giveBackFreePages } from '../../database/free-pages.js';
import { createPace, type Pace } from '../../database/pace.js';
import type { Schema, StoredPostKind } from '../../database/schema.js';
import type { StoreKind } from '../../database/types.js';
import { liveAlerts, pruneIncidents } from '../../incidents/table.js';
import { kindsWhere } from '../../posts/kinds.js';
import { pruneQueues } from '../../posts/retention/idle-queues.js';
import {
  deletePosts,
  neededByPosts,
  postsOfNoScan,
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

export interface Retention {
  /** Deletes what is older than `before` and frees the space; `stop` ends it after the current batch. */
  prune(before: number, stop: AbortSignal): Promise<Dropped>;
}

/** Posts of no scan: an alarm goes after the digest or thread parent that covers it. */
const ofNoScan = [
  kindsWhere(({ kept }) => kept === 'count'),
  kindsWhere(({ kept }) => kept !== 'count' && kept !== 'scan'),
];

/** What one step deleted, and what to go on from; undefined at the end. */
interface Step<Place> extends Dropped {
  readonly next: Place | undefined;
}

export function createRetention(store: Pick<Store, 'db' | 'kind'>, clock: Clock): Retention {
  const { db, kind } = store;
  return {
    async prune(before, stop) {
      const pace = createPace(store, clock, stop);
      // First: a summary of earlier scans must not claim more than will be left.
      await db.updateTable('scans_pruned').set({ before }).where('before', '<', before).execute();
      const parts: Dropped[] = [];
      for (const kinds of ofNoScan) {
        parts.push(
          await stepwise(pace, 0, stop, (trx, after, limit) => prunePosts(trx, kind, { kinds, after, before }, limit)),
        );
      }
      parts.push(
        await stepwise(pace, '', stop, (trx, after, limit) => pruneScans(trx, kind, { after, limit, before })),
      );
      await pruneQueues(db, before);
      await pruneIncidents(db, before);
      if (kind === 'sqlite') {
        await giveBackFreePages(pace, stop);
      }
      const sum = (what: keyof Dropped) => parts.reduce((all, part) => all + part[what], 0);
      return { scans: sum('scans'), posts: sum('posts') };
    },
  };
}

async function stepwise<Place>(
  pace: Pace,
  after: Place,
  stop: AbortSignal,
  step: (trx: Trx, after: Place, limit: number) => Promise<Step<Place>>,
): Promise<Dropped> {
  const all = { scans: 0, posts: 0 };
  for (let from: Place | undefined = after; from !== undefined && !stop.aborted; ) {
    const start: Place = from;
    const { scans, posts, next } = await pace.slice((trx, limit) => step(trx, start, limit));
    all.scans += scans;
    all.posts += posts;
    from = next;
  }
  return all;
}

async function prunePosts(
  trx: Trx,
  kind: StoreKind,
  range: { readonly kinds: readonly StoredPostKind[]; readonly after: number; readonly before: number },
  limit: number,
): Promise<Step<number>> {
  const posts = await postsWithoutScan(trx, kind, range, limit);
  const going = await postsOfNoScan(trx, posts, range.before, liveAlerts);
  await deletePosts(trx, going);
  return { scans: 0, posts: going.length, next: posts.length < limit ? undefined : posts.at(-1)?.seq };
}

/** Ids sort by time, but the time of receipt counts: a scan with an id from a fast clock is pruned later. */
async function pruneScans(
  trx: Trx,
  kind: StoreKind,
  { after, limit, before }: { readonly after: string; readonly limit: number; readonly before: number },
): Promise<Step<string>> {
  const scans = await receivedBefore(trx, before, { after, limit });
  const relays = await lockRelays(trx, kind, [...new Set(scans.map((scan) => scan.relay_id))]);
  const next = scans.length < limit ? undefined : scans.at(-1)?.id;
  const posts = await postsOfScans(
    trx,
    kind,
    scans.map(({ id }) => id),
  );
  const needed = await neededByPosts(trx, posts, before, liveAlerts);
  const going = scans.filter(({ id, received_at }) => received_at < before && !needed.has(id));
  await keepValuesKnown(trx, going, relays);
  const ids = new Set(going.map(({ id }) => id));
  const gone = posts.filter(({ scan_id }) => ids.has(scan_id ?? '')).map(({ key }) => key);
  await deletePosts(trx, gone);
  await deleteReceived(trx, [...ids]);
  return { scans: going.length, posts: gone.length, next };
}
