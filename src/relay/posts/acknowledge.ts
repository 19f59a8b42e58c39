/** People's actions on a post: find it with its scan, acknowledge it, hand over or resolve its incident. */
import type { Clock } from '../../clock.js';
import { codeOf } from '../../errors.js';
import { type Incident, messageKeyOf } from '../../incidents/incident.js';
import { createIncidentStore } from '../../incidents/incident-rows.js';
import { createResponses } from '../../incidents/responses.js';
import type { Mirror } from '../../mirror/index.js';
import type { Owner } from '../../ownership.js';
import { createScanStore } from '../../scans/received/received-scan-rows.js';
import type { Store } from '../../workspaces/types.js';
import { createRelaysById } from '../record/by-id.js';
import { lockRecord } from '../record/lock.js';
import { type ReceivedScan, type Relay, toReceivedScan, toRelay } from '../record/relay.js';
import { readDetail } from '../rules/detail.js';
import { createPostContent } from './post-content.js';
import type { Acknowledgement, Post, RuleName } from './post-types.js';

export interface DeliveredPost {
  readonly key: string;
  readonly channel: string;
  readonly relay: Relay;
  readonly rules: readonly RuleName[];
  /** The scan that the post is about, if it is a single one. */
  readonly scan?: ReceivedScan;
  readonly acknowledged?: Acknowledgement;
  /** The incident; undefined for a post that is no alert, and for alerts that an older version posted. */
  readonly incident?: Incident;
}

/** The outcome of a change. `incident`: after the change; undefined: the post announced no incident. */
export interface IncidentChange {
  /** False: the post announced no incident, or the incident was over or resolved already, or is that person's. */
  readonly done: boolean;
  readonly incident?: Incident;
}

export function createPostActions(deps: {
  store: Pick<Store, 'db'>;
  clock: Clock;
  onPosts: () => void;
  mirror?: Pick<Mirror, 'scansCopy'>;
}) {
  const { clock, onPosts } = deps;
  const responses = createResponses(deps.store, lockRecord);
  const relays = createRelaysById(deps.store.db);
  const scans = createScanStore(deps.store.db);
  const incidents = createIncidentStore(deps.store.db);
  const contents = createPostContent(deps);

  const respond = async (
    owner: Owner,
    key: string,
    change: () => Promise<boolean>,
  ): Promise<IncidentChange | undefined> => {
    const incidentBefore = await incidents.find(owner, key);
    if (!incidentBefore) {
      return (await responses.find(owner, key)) && { done: false };
    }
    const done = await change();
    if (done) {
      onPosts();
    }
    return { done, incident: (await incidents.find(owner, key)) ?? incidentBefore };
  };

  return {
    /** The post, without a scan that cannot be read; undefined: no such post in the workspace, or no relay any more. */
    async find(owner: Owner, key: string): Promise<DeliveredPost | undefined> {
      const post = await responses.find(owner, key);
      const relay = post && (await relays.find(post.source.id));
      if (!post || !relay) {
        return undefined;
      }
      const incident = await incidents.find(owner, key);
      const scan = post.scanId === '' ? undefined : await scans.find(post.scanId).catch(ignoreUnreadable);
      // An alert that was posted again may be in another channel.
      const shownPost = incident && (await responses.find(owner, messageKeyOf(incident)));
      return {
        key,
        channel: (shownPost ?? post).channel,
        relay: toRelay(relay),
        rules: readDetail(post.detail).rules,
        scan: scan && toReceivedScan(scan),
        acknowledged: post.acknowledged,
        incident,
      };
    },

    /** Everything that a post can show; undefined: no such post, none that can be read, or a workflow's start. */
    async content(owner: Owner, key: string): Promise<Post | undefined> {
      const post = await responses.find(owner, key);
      const content = post && (await contents.of(post, post.threadTs));
      return content === 'over' || content?.kind === 'workflow' ? undefined : content;
    },

    /**
     * Acknowledges a post. The first one counts (for an alert: the first since it was last posted); everybody sees it,
     * and the same person may change its note later. Undefined: no such post.
     */
    async acknowledge(
      owner: Owner,
      key: string,
      userId: string,
      note?: string,
    ): Promise<(Acknowledgement & { readonly first: boolean }) | undefined> {
      const found = await responses.acknowledge(owner, key, { who: userId, at: clock.now(), note });
      if (found?.first || (found?.by === userId && note !== undefined)) {
        onPosts();
      }
      return found;
    },

    /** Hands an incident over to a person, whom its thread mentions, and acknowledges it. Undefined: no such post. */
    handOver: (owner: Owner, key: string, change: { readonly who: string; readonly to: string }) =>
      respond(owner, key, () => responses.handOver(owner, key, { ...change, at: clock.now() })),

    resolve: (owner: Owner, key: string, change: { readonly who: string; readonly reason: string }) =>
      respond(owner, key, () => responses.resolve(owner, key, { ...change, at: clock.now() })),
  };
}

export type PostActions = ReturnType<typeof createPostActions>;

function ignoreUnreadable(error: unknown): undefined {
  if (codeOf(error) !== 'store.record_broken') {
    throw error;
  }
  return undefined;
}
