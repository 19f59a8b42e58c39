/** The reading methods: conversations.history and conversations.replies. */
import { z } from 'zod';
import type { Core } from '../core.js';
import { messageAsSlack } from '../messages.js';
import { SlackRefusal } from '../refusal.js';
import type { ChannelRecord } from '../world/records.js';
import type { HistoryQuery } from '../world/world.js';
import { bool, positionOf, stamp, str, toCursor, whole } from './args.js';
import type { Limits } from './limits.js';
import { type Caller, familyScopes, knownChannel, type Method, method, requireScope, scopeFor } from './method.js';

/**
 * The default and largest page of messages for a distributed app that the Marketplace does not list.
 */
const unlistedLimit = 15;

const historyArgs = {
  channel: str,
  cursor: z.string().optional(),
  limit: whole(1, 999).optional(),
  oldest: stamp.optional(),
  latest: stamp.optional(),
  inclusive: bool.optional(),
  include_all_metadata: bool.optional(),
};

export function historyMethods(limits: Limits): readonly Method[] {
  /** A channel whose messages the app may read. */
  const readableChannel = (caller: Caller, id: string): ChannelRecord => {
    const channel = knownChannel(caller, id);
    requireScope(caller.install, [scopeFor(channel, 'history')]);
    if (!caller.core.world.isMember(id, caller.team.bot_user)) {
      throw new SlackRefusal('not_in_channel');
    }
    return channel;
  };
  const limitOf = (caller: Caller, name: string, askedLimit: number | undefined, defaultLimit: number): number => {
    const perMinute = caller.core.rules.historyPerMinute;
    if (perMinute === 0) {
      return askedLimit ?? defaultLimit;
    }
    limits.take(`${name} ${caller.team.id}`, perMinute, perMinute);
    return Math.min(askedLimit ?? unlistedLimit, unlistedLimit);
  };

  return [
    method(
      'conversations.history',
      { scopes: familyScopes('history'), tier: 50, args: z.strictObject(historyArgs) },
      (caller, args) => {
        const channel = readableChannel(caller, args.channel);
        const limit = limitOf(caller, 'conversations.history', args.limit, 100);
        const hasOnlyOldest = args.oldest !== undefined && args.latest === undefined;
        const from = hasOnlyOldest && caller.core.rules.historyFromOldest ? 'oldest' : 'newest';
        return pageOfMessages(caller.core, channel, args, { limit, from });
      },
    ),

    method(
      'conversations.replies',
      { scopes: familyScopes('history'), tier: 50, args: z.strictObject({ ...historyArgs, ts: stamp }) },
      (caller, args) => {
        const channel = readableChannel(caller, args.channel);
        const limit = limitOf(caller, 'conversations.replies', args.limit, 1000);
        const namedMessage = caller.core.world.message(channel.id, args.ts);
        if (!namedMessage || namedMessage.ephemeral_for !== undefined) {
          throw new SlackRefusal('thread_not_found');
        }
        const thread = namedMessage.thread_ts ?? namedMessage.ts;
        const answer = pageOfMessages(caller.core, channel, args, { limit, from: 'oldest', thread });
        return { ...answer, messages: (answer.messages as unknown[]).toReversed() };
      },
    ),
  ];
}

interface Range {
  readonly oldest?: string | undefined;
  readonly latest?: string | undefined;
  readonly inclusive?: boolean | undefined;
  readonly cursor?: string | undefined;
  readonly include_all_metadata?: boolean | undefined;
}

/** One page of messages, newest first; the cursor holds the message at which the limit's count from `from` ended. */
function pageOfMessages(
  core: Core,
  channel: ChannelRecord,
  range: Range,
  pageOptions: Pick<HistoryQuery, 'limit' | 'from' | 'thread'>,
): Record<string, unknown> {
  const cursorPosition = positionOf(range.cursor);
  const inclusive = range.inclusive === true;
  const rangeStart = range.oldest === undefined ? undefined : { ts: range.oldest, inclusive };
  const rangeEnd = earlier(range.latest === undefined ? undefined : { ts: range.latest, inclusive }, lagEnd(core));
  const edge = cursorPosition === undefined ? undefined : { ts: cursorPosition, inclusive: false };
  const messages = core.world.history(channel.id, {
    ...pageOptions,
    limit: pageOptions.limit + 1,
    ...(pageOptions.from === 'oldest' ? rangeOf(edge ?? rangeStart, rangeEnd) : rangeOf(rangeStart, edge ?? rangeEnd)),
  });
  const page = messages.slice(0, pageOptions.limit);
  const hasMore = messages.length > pageOptions.limit;
  const last = page.at(-1)?.ts ?? '';
  const newestFirst = pageOptions.from === 'newest' ? page : page.toReversed();
  return {
    messages: newestFirst.map((record) => messageAsSlack(core, record, range.include_all_metadata === true)),
    has_more: hasMore,
    pin_count: 0,
    ...(hasMore ? { response_metadata: { next_cursor: toCursor(last) } } : {}),
  };
}

/** The time until which messages are visible; `undefined` without a lag. */
function lagEnd({ rules, clock }: Core): HistoryQuery['before'] {
  return rules.historyLagMs === 0
    ? undefined
    : { ts: ((clock.now() - rules.historyLagMs) / 1_000).toFixed(6), inclusive: true };
}

const earlier = (one: HistoryQuery['before'], other: HistoryQuery['before']): HistoryQuery['before'] =>
  one && other ? (one.ts < other.ts ? one : other) : (one ?? other);

const rangeOf = (
  after: HistoryQuery['after'],
  before: HistoryQuery['before'],
): Pick<HistoryQuery, 'after' | 'before'> => ({
  ...(after ? { after } : {}),
  ...(before ? { before } : {}),
});
