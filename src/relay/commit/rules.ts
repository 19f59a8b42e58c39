/** Rule data within a commit: watches, mutes, rule memories, open digests, a scan's posts. Pure. */
import type { RuleCount } from '../../counters/counters.js';
import type { DigestsTable, PostKind } from '../../database/schema.js';
import { createIncidentChanges } from '../../incidents/batch-changes.js';
import type { IncidentOpening } from '../../incidents/incident.js';
import { incidentReply } from '../../incidents/replies.js';
import type { BurstFigures, IncidentChanges } from '../../incidents/writes.js';
import type { Owner } from '../../ownership.js';
import type { ChannelQueueKey } from '../../posts/outbox/channel-queues.js';
import type { NewPost, NewPosts } from '../../posts/outbox/enqueue.js';
import type { PostOfScan } from '../../posts/outbox/scan-posts.js';
import { type MutedPosts, type MuteFact, mutesAfter, type WatchFact } from '../../watches/facts.js';
import type { RelayRecord } from '../record/records.js';

/** Facts about a scan, besides counts, that only the commit knows. Expired watches and mutes are left out. */
export interface RuleFacts {
  readonly watches: readonly WatchFact[];
  readonly mutes: readonly MuteFact[];
  memory(ruleId: string): string | undefined;
  /** The rule's open burst. */
  burst(ruleId: string): BurstFigures | undefined;
}

/** The facts that a relay's rules may need, so that no others are read. */
export interface RuleNeeds {
  /** Whether any rule has a memory. */
  readonly memories: boolean;
  /** Whether any rule waits for silences. */
  readonly silences?: boolean;
  /** Whether any rule makes digests. */
  readonly digests: boolean;
  /** The rules that have counters of their own. */
  readonly counts?: readonly RuleCount[];
}

/** A post from a scan. A scan's first post has the scan's id as key; further posts add a number. */
export interface DecidedPost {
  readonly channel: string;
  readonly rule?: string;
  readonly kind?: Extract<PostKind, 'scan' | 'burst' | 'silence' | 'workflow'>;
  /** The post's detail as JSON, stored with the post and read by `rules/detail.ts`. */
  readonly detail?: string;
  /** Set for a post that the digest of its rule and channel collects. `until` counts for the first post of a digest. */
  readonly collect?: { readonly until: number; readonly detail: string };
  /** Set for a reply under the thread parent with this key, which is created if there is none. */
  readonly threadParent?: { readonly key: string; readonly detail: string };
  /** The incident that the post opens. */
  readonly incident?: IncidentOpening;
}

/** The post of an alert. */
export type AlertPost = Pick<DecidedPost, 'channel' | 'detail'> & Required<Pick<DecidedPost, 'kind' | 'rule'>>;

export interface OpenDigest {
  readonly key: string;
  readonly relayId: string;
  readonly ruleId: string;
  readonly queue: ChannelQueueKey;
  readonly parentKey: string | undefined;
  readonly detail: string;
  readonly dueAt: number;
  /** Whether the digest has posts; a mention that waits for its time has none. */
  readonly collects: boolean;
}

/** What the rules know of the details of open digests. */
export interface DigestPort {
  /** The detail of an open digest that collects a post with this detail of its own digest. */
  join(open: Pick<OpenDigest, 'detail' | 'collects'>, added: string): string;
  /** The key of the post under which an open digest is a mention, if it has no posts. */
  under(open: string): string | undefined;
}

/** The value of `collects` in SQL. */
export const collectsText = 'exists (select 1 from outbox where outbox.digest_key = digests.key)';

/** The row of an open digest. `collects`: as the database has it. */
export function toDigest(row: DigestsTable & { readonly collects: unknown }): OpenDigest {
  return {
    key: row.key,
    relayId: row.relay_id,
    ruleId: row.rule_id,
    parentKey: row.parent_key ?? undefined,
    queue: { installation: row.installation, team: row.team, channel: row.channel },
    detail: row.detail,
    dueAt: row.due_at,
    collects: Boolean(row.collects),
  };
}

/** The stored rule data at the time of the commit. */
export interface StoredRules {
  watches(owner: Owner, tid: string, at: number): readonly WatchFact[];
  mutes(owner: Owner, relayId: string, tid: string, at: number): readonly MuteFact[];
  memory(relayId: string, ruleId: string): string | undefined;
  /** The rule's open burst. */
  burst(relayId: string, ruleId: string): BurstFigures | undefined;
  digest(relayId: string, ruleId: string, channel: string): OpenDigest | undefined;
  /** The posts of a stored scan. */
  postsOf(scanId: string): readonly PostOfScan[];
}

export interface RulePlan extends NewPosts {
  readonly opened: readonly OpenDigest[];
  /** Stored open digests whose details have changed. */
  readonly joined: readonly Pick<OpenDigest, 'key' | 'detail'>[];
  /** Keys of the digests that the commit closes. */
  readonly closed: readonly string[];
  /** Stored scans whose posts must show the additions of a second submit. */
  readonly completed: readonly { readonly id: string; readonly at: number }[];
  readonly memories: readonly { readonly relayId: string; readonly ruleId: string; readonly memory: string }[];
  readonly muted: readonly MutedPosts[];
  readonly incidents: IncidentChanges;
}

/** Collects the posts of a batch's scans; each scan meets the mutes, memories and digests as earlier ones left them. */
const simpleDigests: DigestPort = { join: ({ detail }) => detail, under: () => undefined };

export function createPostPlanner(storedRules: StoredRules, digests: DigestPort = simpleDigests) {
  const posts: NewPost[] = [];
  const parents = new Map<string, NewPost>();
  const openedDigests = new Map<string, OpenDigest>();
  const joinedDigests = new Map<string, OpenDigest>();
  const closedDigests = new Map<string, string>();
  const completed = new Map<string, { id: string; at: number }>();
  const memories = new Map<string, { relayId: string; ruleId: string; memory: string }>();
  const mutedCounts = new Map<string, number>();
  const incidents = createIncidentChanges(storedRules.burst);

  const digestOf = (relayId: string, ruleId: string, channel: string): OpenDigest | undefined => {
    const opened = openedDigests.get(nameOf(relayId, ruleId, channel));
    if (opened) {
      return opened;
    }
    const found = storedRules.digest(relayId, ruleId, channel);
    return found && !closedDigests.has(found.key) ? (joinedDigests.get(found.key) ?? found) : undefined;
  };

  /** An overdue digest is posted before the posts that come after it. */
  const close = (digest: OpenDigest, at: number): void => {
    posts.push(digestPost(digest, at, digests.under(digest.detail)));
    if (!openedDigests.delete(nameOf(digest.relayId, digest.ruleId, digest.queue.channel))) {
      closedDigests.set(digest.key, digest.key);
    }
  };

  const place = (post: NewPost, collect: DecidedPost['collect']): void => {
    const { ruleId = '', queue } = post;
    const relayId = post.source.id;
    let openDigest = ruleId === '' ? undefined : digestOf(relayId, ruleId, queue.channel);
    if (openDigest && openDigest.dueAt <= post.at) {
      close(openDigest, post.at);
      openDigest = undefined;
    }
    if (!collect) {
      posts.push(post);
      return;
    }
    const name = nameOf(relayId, ruleId, queue.channel);
    if (openDigest) {
      // Whom the post's rules mention is heard whether the digest was open before or not.
      const detail = digests.join(openDigest, collect.detail);
      if (detail !== openDigest.detail || !openDigest.collects) {
        const isNew = openedDigests.has(name);
        (isNew ? openedDigests : joinedDigests).set(isNew ? name : openDigest.key, {
          ...openDigest,
          detail,
          collects: true,
        });
      }
    } else {
      openDigest = {
        key: `${post.key}.d`,
        relayId,
        ruleId,
        queue,
        parentKey: post.parentKey,
        detail: collect.detail,
        dueAt: collect.until,
        collects: true,
      };
      openedDigests.set(name, openDigest);
    }
    posts.push({ ...post, digestKey: openDigest.key });
  };

  return {
    facts: (
      relay: RelayRecord,
      { tid, receivedAt }: { readonly tid: string; readonly receivedAt: number },
    ): RuleFacts => ({
      watches: storedRules.watches(relay.owner, tid, receivedAt),
      mutes: mutesAfter(storedRules.mutes(relay.owner, relay.id, tid, receivedAt), mutedCounts),
      memory: (ruleId) => memories.get(`${relay.id}:${ruleId}`)?.memory ?? storedRules.memory(relay.id, ruleId),
      burst: (ruleId) => incidents.burst(relay.id, ruleId),
    }),

    /** Adds the posts of a scan. `n`: how many there are already. */
    add(
      relay: RelayRecord,
      { key, scanId, at }: { key: string; scanId: string; at: number },
      decidedPosts: readonly DecidedPost[],
      n: number,
    ): void {
      for (const [index, decidedPost] of decidedPosts.entries()) {
        const { channel, rule, kind = 'scan', detail, collect, threadParent, incident } = decidedPost;
        const number = n + index;
        const queue = { ...relay.owner, channel };
        const postBase = { queue, source: { kind: 'relay' as const, id: relay.id }, at, ruleId: rule };
        if (threadParent) {
          parents.set(threadParent.key, { ...postBase, kind: 'card', ...threadParent });
        }
        // The key of a post that comes later is not that of another post of the scan.
        const postKey = incident?.held ? `${key}.later${number}` : number === 0 ? key : `${key}.${number}`;
        const post = { ...postBase, key: postKey, scanId, kind, detail };
        if (!incident?.held) {
          place({ ...post, parentKey: threadParent?.key }, collect);
        }
        if (incident) {
          const named = { postKey, relayId: relay.id, ruleId: rule ?? '' };
          incidents.open({ ...named, owner: relay.owner, openedAt: at }, incident);
          if (!incident.held && incident.shows.length > 0) {
            const thread = { ...named, queue, reposts: 0 };
            posts.push(incidentReply(thread, { part: 'opened', scans: incident.shows }, at));
          }
        }
      }
    },

    remember(relayId: string, changed: Readonly<Record<string, string>>): void {
      for (const [ruleId, memory] of Object.entries(changed)) {
        memories.set(`${relayId}:${ruleId}`, { relayId, ruleId, memory });
      }
    },

    mute(counted: readonly MutedPosts[]): void {
      for (const { id, posts: count } of counted) {
        mutedCounts.set(id, (mutedCounts.get(id) ?? 0) + count);
      }
    },
    /** Applies a scan's change of open bursts; called before the scan's posts are added. */
    burst: incidents.change,
    /** Records a scan of a relay that waits for silences. */
    arrive: incidents.arrive,

    complete(id: string, at: number): void {
      completed.set(id, { id, at });
    },

    postsOf: (scanId: string): readonly PostOfScan[] => [
      ...storedRules.postsOf(scanId),
      ...posts
        .filter((post) => post.scanId === scanId)
        .map(({ queue, kind, ruleId, detail, digestKey }) => ({
          channel: queue.channel,
          kind,
          rule: ruleId,
          detail,
          digested: digestKey !== undefined,
        })),
    ],

    get plan(): RulePlan {
      return {
        posts,
        parents: [...parents.values()],
        opened: [...openedDigests.values()],
        joined: [...joinedDigests.values()].filter(({ key }) => !closedDigests.has(key)),
        closed: [...closedDigests.keys()],
        completed: [...completed.values()],
        memories: [...memories.values()],
        muted: [...mutedCounts].map(([id, count]) => ({ id, posts: count })),
        incidents: incidents.changes,
      };
    },
  };
}

/** The post that an open digest becomes. @param under see `DigestPort` */
export function digestPost(
  { key, queue, relayId, ruleId, detail, parentKey, collects }: OpenDigest,
  at: number,
  under: string | undefined,
): NewPost {
  const post = { key, queue, source: { kind: 'relay' as const, id: relayId }, at, ruleId, detail };
  return collects || under === undefined
    ? { ...post, kind: 'digest', parentKey }
    : { ...post, kind: 'mention', parentKey: under };
}

function nameOf(relayId: string, ruleId: string, channel: string): string {
  return `${relayId}:${channel}:${ruleId}`;
}
