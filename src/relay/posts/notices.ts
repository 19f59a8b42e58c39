/**
 * Notices about relays: a paused relay, a blocked channel, a device with a wrong clock, an escalation that its channel
 * refused and, at most once a day, refused scans and posts that were not delivered. Notices belong to the workspace: they
 * go out even if the relay is paused.
 */
import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../../database/schema.js';
import { createEscalationNotices } from '../../incidents/escalation-notices.js';
import type { Owner } from '../../ownership.js';
import type { DueNotice, FindDueNotices, NoticePost, OutboxPost } from '../../posts/index.js';
import { type BlockedQueue, createBlockNotices } from '../../posts/outbox/blocked-queues.js';
import type { ChannelQueueKey } from '../../posts/outbox/channel-queues.js';
import type { DeviceClocks } from '../../scans/device-clocks.js';
import { createRelaysById } from '../record/by-id.js';
import { postsIn, type Relay, toRelay } from '../record/relay.js';
import { type RefusedReason, readRefusals } from '../refusals/refusal-rows.js';
import type { PostContent } from './post-content.js';
import type { Post } from './post-types.js';
import { createRefusalNotices } from './refusal-notices.js';
import { createUndeliveredNotices, type UndeliveredPosts, undeliveredPosts } from './undelivered-notices.js';

/** The stored subject of a notice. */
const aboutSchema = z.discriminatedUnion('what', [
  z.object({ what: z.literal('relay_paused'), relay: z.string() }),
  z.object({ what: z.literal('undelivered'), relay: z.string(), posts: z.array(undeliveredPosts) }),
  z.object({ what: z.literal('refusing'), relay: z.string() }),
  z.object({ what: z.literal('escalated'), post: z.string() }),
  z.object({ what: z.literal('blocked'), channel: z.string() }),
  z.object({ what: z.literal('wrong_clock'), relay: z.string(), device: z.string(), offset: z.number() }),
]);
type About = z.output<typeof aboutSchema>;

/** A notice with all that it shows. */
export type RelayNotice =
  | { readonly what: 'relay_paused'; readonly relay: Relay }
  | { readonly what: 'undelivered'; readonly relay: Relay; readonly posts: readonly UndeliveredPosts[] }
  | { readonly what: 'refusing'; readonly relay: Relay; readonly refused: readonly RefusedReason[] }
  | { readonly what: 'escalated'; readonly post: Post }
  | { readonly what: 'wrong_clock'; readonly relay: Relay; readonly device: string; readonly offsetMs: number }
  | { readonly what: 'blocked'; readonly queue: BlockedQueue; readonly relays: readonly Relay[] };

export function createRelayNotices(db: Kysely<Schema>, contents: PostContent, clocks?: Pick<DeviceClocks, 'wrong'>) {
  const relays = createRelaysById(db);
  const blocks = createBlockNotices(db);
  const undelivered = createUndeliveredNotices(db);
  const refusing = createRefusalNotices(db);
  const escalations = createEscalationNotices(db);

  const told = new Set<string>();

  const relayOf = async (id: string): Promise<Relay | undefined> => {
    const record = await relays.find(id);
    return record && toRelay(record);
  };

  const relaysIn = async (queue: ChannelQueueKey): Promise<readonly Relay[]> =>
    (await relays.ofOwner(queue)).map(toRelay).filter((relay) => postsIn(relay, queue.channel));

  const readNotice = async (owner: Owner, cause: About): Promise<RelayNotice | undefined> => {
    switch (cause.what) {
      case 'relay_paused': {
        const relay = await relayOf(cause.relay);
        return relay?.paused && { what: 'relay_paused', relay };
      }
      case 'undelivered': {
        const relay = await relayOf(cause.relay);
        return relay && { what: 'undelivered', relay, posts: cause.posts };
      }
      case 'refusing': {
        const relay = await relayOf(cause.relay);
        const refused = (await readRefusals(db, [cause.relay])).get(cause.relay);
        return relay && refused && { what: 'refusing', relay, refused };
      }
      case 'escalated': {
        const escalation = await escalations.find(cause.post);
        const post = escalation && (await contents.of(escalation, undefined));
        return post !== 'over' && post?.kind === 'escalation' ? { what: 'escalated', post } : undefined;
      }
      case 'wrong_clock': {
        const relay = await relayOf(cause.relay);
        return relay && { what: 'wrong_clock', relay, device: cause.device, offsetMs: cause.offset };
      }
      case 'blocked': {
        const queue = await blocks.find({ ...owner, channel: cause.channel });
        return queue && { what: 'blocked', queue, relays: await relaysIn(queue) };
      }
    }
  };

  return {
    due: [
      async () =>
        (await relays.withNoticeDue()).map(({ id, owner, createdBy, paused }) => ({
          ...notice(`paused.${id}.${paused?.at}`, owner, { what: 'relay_paused', relay: id }),
          people: [createdBy],
          sent: (at) => relays.noticeSent(id, paused?.at ?? 0, at),
        })),

      async () =>
        await Promise.all(
          (await blocks.due()).map(async (queue) => {
            const posting = await relaysIn(queue);
            return {
              ...notice(`blocked.${queue.channel}.${queue.at}`, queue, { what: 'blocked', channel: queue.channel }),
              // No notice is needed for a channel that no relay posts in.
              people: posting.map(({ createdBy }) => createdBy),
              withAdmins: posting.length > 0,
              sent: (at) => blocks.sent(queue, at),
            };
          }),
        ),

      async (now) =>
        await Promise.all(
          (await undelivered.due(now)).map(async (duePost) => {
            const { id, owner, createdBy } = duePost.relay;
            const posts = await undelivered.unreported(id, now);
            return {
              ...notice(`undelivered.${id}.${duePost.notifiedAt}`, owner, {
                what: 'undelivered',
                relay: id,
                posts: [...posts],
              }),
              // The dead letters may have been replayed in the meantime.
              people: posts.length > 0 ? [createdBy] : [],
              sent: () => undelivered.sent(duePost, now),
            };
          }),
        ),

      async (now) =>
        (await refusing.due(now)).map((one) => ({
          ...notice(`refusing.${one.relay.id}.${one.notifiedAt}`, one.relay.owner, {
            what: 'refusing',
            relay: one.relay.id,
          }),
          people: [one.relay.createdBy],
          sent: (at) => refusing.sent(one, at),
        })),

      // The key is the same at each start: a device is named once, as long as its notice is kept.
      async (now) =>
        await Promise.all(
          (clocks?.wrong(now) ?? []).map(async ({ owner, udid, relayId, offsetMs }) => {
            const device = createHash('sha256').update(`${owner.team}:${udid}`).digest('base64url');
            const relay = told.has(device) ? undefined : await relays.find(relayId);
            return {
              ...notice(`clock.${device}`, owner, {
                what: 'wrong_clock',
                relay: relayId,
                device: udid,
                offset: offsetMs,
              }),
              people: relay ? [relay.createdBy] : [],
              sent: async () => void told.add(device),
            };
          }),
        ),

      async () =>
        await Promise.all(
          (await escalations.due()).map(async (post) => {
            const relay = await relays.find(post.source.id);
            return {
              ...notice(post.key, post.owner, { what: 'escalated', post: post.key }),
              people: relay ? [relay.createdBy] : [],
              withAdmins: true,
              sent: () => escalations.sent(post),
            };
          }),
        ),
    ] satisfies readonly FindDueNotices[],

    /** The content of a notice's post, over if its cause is; undefined: the post is no notice about relays. */
    async of(post: OutboxPost): Promise<NoticePost<RelayNotice> | 'over' | undefined> {
      const { key, generation, owner, channel, detail } = post;
      const { data } = aboutSchema.safeParse(JSON.parse(detail ?? '{}'));
      if (!data) {
        return undefined;
      }
      const found = await readNotice(owner, data);
      return found ? { key, generation, owner, channel, kind: 'notice', notice: found } : 'over';
    },
  };
}

function notice(
  key: string,
  { installation, team }: Owner,
  cause: About,
): Pick<DueNotice, 'key' | 'owner' | 'source' | 'detail'> {
  return {
    key,
    owner: { installation, team },
    source: { kind: 'workspace', id: team },
    detail: JSON.stringify(cause),
  };
}
