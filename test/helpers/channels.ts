/**
 * An in-memory publisher for tests of delivery: what was posted stays in its channel and can be found again, whatever
 * outcome the test scripted for the call.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { EditOutcome, FindOutcome, NoticePost, PostOutcome, Publisher } from '../../src/posts/index.js';
import type { BlockedQueue } from '../../src/posts/outbox/blocked-queues.js';
import type { Post, Relay, RelayNotice, UndeliveredPosts } from '../../src/relay/index.js';
import { arm } from './faults/reached.js';

/** `accepted`: whether the message is in the channel, whatever the outcome says. `hang`: the call never resolves. */
export interface Script {
  readonly accepted: boolean;
  readonly says: PostOutcome | 'hang';
}

export interface Posted {
  readonly key: string;
  /** The barcode, or the kind of a post that is not about a single scan. */
  readonly tid: string;
  readonly channel: string;
  readonly at: number;
  /** The post as the publisher got it. */
  readonly post?: Post;
}

export interface Edited {
  readonly key: string;
  readonly ts: string;
  readonly post: Post;
}

export interface Channels extends Publisher<Post | NoticePost<RelayNotice>> {
  /** All posts in all channels, in order of arrival. */
  readonly posted: Posted[];
  /** Scripts the next posts into a channel, one after another; after that every post succeeds. */
  script(channel: string, ...scripts: Script[]): void;
  /** Scripts the next searches. */
  scriptFind(...outcomes: FindOutcome[]): void;
  /** All message updates, in order of arrival. */
  readonly edited: Edited[];
  /** Scripts the next updates. */
  scriptEdit(...outcomes: EditOutcome[]): void;
  readonly finds: { readonly key: string; readonly since: number }[];
  /** The relays of the notices that a relay is paused. */
  readonly told: Relay[];
  /** The notices about blocked channels. */
  readonly blocked: { readonly queue: BlockedQueue; readonly relays: readonly string[] }[];
  readonly undelivered: { readonly relay: string; readonly posts: readonly UndeliveredPosts[] }[];
  /** Escalations that were sent in private. */
  readonly escalated: Post[];
  /** Makes the next direct messages impossible to open. */
  failTelling(times: number): void;
  /** The highest number of posts in flight at once, per channel and overall. */
  readonly most: { inChannel: number; inAll: number };
  /** Called when a post arrives, before its outcome. */
  onPost: (post: Post) => Promise<void> | void;
  in(channel: string): string[];
}

export const accepted: Script = { accepted: true, says: { outcome: 'delivered', ts: '' } };

export function createChannels(options: { takesMs?: number } = {}): Channels {
  const { takesMs = 2 } = options;
  const scripts = new Map<string, Script[]>();
  const findScripts: FindOutcome[] = [];
  const editScripts: EditOutcome[] = [];
  const inFlight = new Map<string, number>();
  let telling = 0;
  const unreached = () => [
    ...[...scripts.values(), findScripts, editScripts].flat().map((one) => `nothing came to ${JSON.stringify(one)}`),
    ...(telling > 0 ? ['nobody was notified'] : []),
  ];
  const tsOf = (index: number) => `${index + 1}.000000`;

  const noted = (notice: RelayNotice): void => {
    switch (notice.what) {
      case 'relay_paused':
        channels.told.push(notice.relay);
        break;
      case 'blocked':
        channels.blocked.push({ queue: notice.queue, relays: notice.relays.map(({ id }) => id) });
        break;
      case 'undelivered':
        channels.undelivered.push({ relay: notice.relay.id, posts: notice.posts });
        break;
      case 'escalated':
        channels.escalated.push(notice.post);
    }
  };

  const channels: Channels = {
    posted: [],
    edited: [],
    finds: [],
    told: [],
    blocked: [],
    undelivered: [],
    escalated: [],
    most: { inChannel: 0, inAll: 0 },
    onPost: () => undefined,
    script(channel, ...next) {
      scripts.set(channel, [...(scripts.get(channel) ?? []), ...next]);
      arm(channels, unreached);
    },
    scriptEdit(...outcomes) {
      editScripts.push(...outcomes);
      arm(channels, unreached);
    },
    scriptFind(...outcomes) {
      findScripts.push(...outcomes);
      arm(channels, unreached);
    },
    failTelling(times) {
      telling = times;
      arm(channels, unreached);
    },
    in: (channel) => channels.posted.filter((posted) => posted.channel === channel).map(({ tid }) => tid),

    async post(post, signal) {
      const { channel } = post;
      if (post.kind === 'notice') {
        noted(post.notice);
        return { outcome: 'delivered', ts: tsOf(channels.posted.length - 1) };
      }
      inFlight.set(channel, (inFlight.get(channel) ?? 0) + 1);
      channels.most.inChannel = Math.max(channels.most.inChannel, inFlight.get(channel)!);
      channels.most.inAll = Math.max(
        channels.most.inAll,
        [...inFlight.values()].reduce((sum, n) => sum + n),
      );
      try {
        await channels.onPost(post);
        const { accepted: isIn, says } = scripts.get(channel)?.shift() ?? accepted;
        if (isIn) {
          channels.posted.push({ key: post.key, tid: tidOf(post), channel, at: Date.now(), post });
        }
        const ts = tsOf(channels.posted.length - 1);
        await wait(takesMs);
        if (says === 'hang') {
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          return await new Promise<never>(() => undefined);
        }
        return says.outcome === 'delivered' ? { outcome: 'delivered', ts } : says;
      } finally {
        inFlight.set(channel, inFlight.get(channel)! - 1);
      }
    },

    async find({ key, channel }, since) {
      channels.finds.push({ key, since });
      await wait(takesMs);
      const scripted = findScripts.shift();
      if (scripted) {
        return scripted;
      }
      const index = channels.posted.findIndex(
        (posted) => posted.key === key && posted.channel === channel && posted.at >= since - 1_000,
      );
      return index === -1 ? { outcome: 'absent' } : { outcome: 'found', ts: tsOf(index) };
    },

    async edit(post, ts) {
      if (post.kind === 'notice') {
        throw new Error('a notice is not changed');
      }
      await wait(takesMs);
      const scripted = editScripts.shift();
      if (scripted) {
        return scripted;
      }
      channels.edited.push({ key: post.key, ts, post });
      return { outcome: 'edited' };
    },

    async open(_owner, person) {
      if (telling-- > 0) {
        throw new Error('nobody there');
      }
      return `D${person}`;
    },

    admins: async () => [],
  };
  return channels;
}

/** The barcode, or the kind of a post that is not about a single scan. */
export function tidOf(post: Post): string {
  return ('scan' in post ? post.scan?.tid : undefined) ?? post.kind;
}
