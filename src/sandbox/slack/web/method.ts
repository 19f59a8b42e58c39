/** The declaration of a Web API method, and the checks that methods share. */
import type { z } from 'zod';
import type { Core } from '../core.js';
import { SlackRefusal } from '../refusal.js';
import type { ChannelRecord, InstallRecord, MessageRecord, PersonRecord, TeamRecord } from '../world/records.js';

export interface Caller {
  readonly core: Core;
  readonly team: TeamRecord;
  readonly install: InstallRecord;
}

/** The caller of a method that needs no token: oauth.v2.access, api.test. */
export interface Visitor {
  readonly core: Core;
  /** The credentials of an Authorization: Basic header. */
  readonly basic?: { readonly user: string; readonly password: string };
}

export interface Method {
  readonly name: string;
  /** The scopes for the method, of which any one is enough. */
  readonly scopes: readonly string[];
  /** The method's tier at Slack, in calls per minute. 0: no tier. */
  readonly tier: number;
  readonly args: z.ZodType;
  readonly needsToken: boolean;
  run(caller: Caller | Visitor, args: unknown): Record<string, unknown> | Promise<Record<string, unknown>>;
}

type Answer = Record<string, unknown> | Promise<Record<string, unknown>>;

/** Declares a method for a bot token with one of `scopes`. */
export function method<Args extends z.ZodType>(
  methodName: string,
  options: { scopes?: readonly string[]; tier: number; args: Args },
  run: (caller: Caller, args: z.output<Args>) => Answer,
): Method {
  return {
    name: methodName,
    scopes: options.scopes ?? [],
    tier: options.tier,
    args: options.args,
    needsToken: true,
    run: (caller, args) => run(caller as Caller, args as z.output<Args>),
  };
}

/** Declares a method that needs no token. */
export function openMethod<Args extends z.ZodType>(
  methodName: string,
  declared: { tier: number; args: Args },
  run: (visitor: Visitor, args: z.output<Args>) => Answer,
): Method {
  return {
    name: methodName,
    scopes: [],
    ...declared,
    needsToken: false,
    run: (visitor, args) => run(visitor, args as z.output<Args>),
  };
}

/** Refuses without one of the scopes. @throws SlackRefusal missing_scope */
export function requireScope(install: InstallRecord, anyOf: readonly string[]): void {
  if (anyOf.length > 0 && !anyOf.some((scope) => install.scopes.includes(scope))) {
    throw new SlackRefusal('missing_scope', { needed: anyOf.join(','), provided: install.scopes.join(',') });
  }
}

/** The scope for a right to a channel: `channels:read`, `groups:read` or `im:read`, by the channel's type. */
export function scopeFor(channel: ChannelRecord, right: string): string {
  return `${channel.is_im ? 'im' : channel.is_private ? 'groups' : 'channels'}:${right}`;
}

export const familyScopes = (right: string): string[] =>
  ['channels', 'groups', 'im', 'mpim'].map((kind) => `${kind}:${right}`);

/**
 * A channel visible to the app: one of its team's, and if it is private, one the app is in.
 * @throws SlackRefusal channel_not_found
 */
export function knownChannel({ core, team }: Caller, id: string): ChannelRecord {
  const channel = core.world.channel(id);
  if (!channel || channel.team !== team.id || (channel.is_private && !core.world.isMember(id, team.bot_user))) {
    throw new SlackRefusal('channel_not_found');
  }
  return channel;
}

/** A channel that the app is in. @throws SlackRefusal channel_not_found, is_archived, not_in_channel */
export function joinedChannel(caller: Caller, id: string): ChannelRecord {
  const channel = knownChannel(caller, id);
  if (channel.is_archived) {
    throw new SlackRefusal('is_archived');
  }
  if (!caller.core.world.isMember(id, caller.team.bot_user)) {
    throw new SlackRefusal('not_in_channel');
  }
  return channel;
}

/** The parent of a reply's thread, whichever message of the thread the call names. */
export function threadOf(core: Core, channel: ChannelRecord, ts: string | undefined): { thread_ts?: string } {
  if (ts === undefined) {
    return {};
  }
  const parent = core.world.message(channel.id, ts);
  if (!parent || parent.ephemeral_for !== undefined) {
    throw new SlackRefusal('thread_not_found');
  }
  return { thread_ts: parent.thread_ts ?? parent.ts };
}

/** Whether a message has become visible to reading methods; see Rules.historyLagMs. */
export function isInHistory({ rules, clock }: Core, { ts }: MessageRecord): boolean {
  return rules.historyLagMs === 0 || Number(ts) * 1_000 + rules.historyLagMs <= clock.now();
}

/** A message that the app can see. @throws SlackRefusal message_not_found */
export function visibleMessage({ core }: Caller, channel: ChannelRecord, ts: string): MessageRecord {
  const record = core.world.message(channel.id, ts);
  if (!record || record.ephemeral_for !== undefined) {
    throw new SlackRefusal('message_not_found');
  }
  return record;
}

/** A person of the team. @throws SlackRefusal user_not_found */
export function knownPerson({ core, team }: Caller, id: string): PersonRecord {
  const person = core.world.person(id);
  if (!person || person.team !== team.id) {
    throw new SlackRefusal('user_not_found');
  }
  return person;
}

/** Paginates a list; the cursor is the index to continue at. */
export function pageOf<T>(
  items: readonly T[],
  limit: number,
  position: string | undefined,
): { page: readonly T[]; next: string | undefined } {
  const from = position === undefined ? 0 : Number(position);
  if (!Number.isInteger(from) || from < 0 || from > items.length) {
    throw new SlackRefusal('invalid_cursor');
  }
  const to = from + limit;
  return { page: items.slice(from, to), next: to < items.length ? String(to) : undefined };
}
