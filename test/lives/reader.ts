/**
 * A naive reader of a relay's life: what must be heard, where, by whom and within what time, and what must not be. It
 * knows the rules by their words alone: what nothing holds is heard; what rests speaks in nobody's name.
 */

import type { Post } from '../../src/relay/index.js';
import { createSchedule } from '../../src/schedules/schedule.js';
import { type Heard as HeardMessage, hour, minute, start } from './world.js';

type Heard = HeardMessage<Post>;

/** A rule as its person set it. */
export interface LifeRule {
  readonly id: 'scans' | 'vip' | 'burst' | 'silence';
  channel: string;
  readonly person: string;
  how: 'each' | 'digest';
  digestMinutes: number;
  quiet: { readonly from: string; readonly to: string } | undefined;
  on: boolean;
  mutedUntil: number;
}

export const allWeek = { zone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7] };

/** How long a life stands still between two looks, and what a look may be late by. */
export const stepMs = 30 * minute;
export const lateMs = stepMs + 2 * minute;
/** The longest pause between two tries at a Slack that was down, or a channel that was archived. */
export const retryMs = 31 * minute;
/** When an alert of many scans that are not valid is over, and when nobody's answer escalates it. */
export const burstMs = 10 * minute;
const escalatesMs = 15 * minute;
export const rightHand = 'U5';
/** After how long without a scan the rule for missing scans alerts. */
export const silentMs = 60 * minute;

/** Something that must be heard once nothing holds it. */
interface Expected {
  readonly what: string;
  readonly since: number;
  readonly rules: readonly LifeRule[];
  /** Whether quiet hours, mutes and pauses hold it, or Slack alone. */
  readonly always: boolean;
  readonly channels: Set<string>;
  readonly tid?: string;
  /** Whether any message that calls the rule's person will do. */
  readonly calls?: boolean;
  within(): number;
  isIn(message: Heard): boolean;
  /** Whether it need not be heard any more. */
  isVoid?(now: number): boolean;
  freeSince: number | undefined;
  wasBroken: boolean;
}

interface Burst {
  readonly openedAt: number;
  lastAt: number;
  heardAt: number | undefined;
  key: string | undefined;
  isAnswered: boolean;
  wasMuted: boolean;
  wasGone: boolean;
}

export function createReader(rules: readonly LifeRule[]) {
  const relay = { isPaused: false, isGone: false, isDown: false, archived: new Set<string>(), isClockWrong: false };
  const expected = new Set<Expected>();
  const seen = new Set<string>();
  const faults: string[] = [];
  let invalid: number[] = [];
  let burst: Burst | undefined;
  const burstRule = rules.find(({ id }) => id === 'burst')!;
  const silenceRule = rules.find(({ id }) => id === 'silence')!;
  let lastScanAt = start;
  let isSilenceExpected = false;

  const quietAt = ({ quiet }: LifeRule, at: number) =>
    quiet !== undefined && createSchedule({ ...allWeek, ...quiet }).windowAt(at) !== undefined;
  const isMuted = ({ mutedUntil }: LifeRule, at: number) => mutedUntil > at;
  const isOver = (one: Burst, at: number) => at - one.lastAt >= burstMs;

  const expect = (one: Pick<Expected, 'what' | 'since' | 'rules' | 'within' | 'isIn'> & Partial<Expected>) => {
    const channels = new Set(one.rules.map(({ channel }) => channel));
    expected.add({ always: false, channels, freeSince: undefined, wasBroken: false, ...one });
  };

  const isFree = (one: Expected, now: number): boolean =>
    !relay.isDown &&
    !relay.isGone &&
    !relay.isClockWrong &&
    ![...one.channels].some((channel) => relay.archived.has(channel)) &&
    (one.always ||
      (!relay.isPaused && !one.rules.some((rule) => rule.on && (quietAt(rule, now) || isMuted(rule, now)))));

  /** What a message must not do: call people of a rule that rests, or come twice. */
  const judge = ({ at, post, channel }: Heard) => {
    const name = `${post.key} ${post.generation}`;
    if (seen.has(name)) {
      faults.push(`${post.kind} ${name} came twice`);
    }
    seen.add(name);
    if (relay.isClockWrong || (post.kind === 'reply' && post.reply.part === 'handed_over')) {
      return;
    }
    for (const rule of rules.filter(({ person, on }) => on && post.mention.users.includes(person))) {
      const why = [
        // The last minute before quiet hours may be looked at in their first.
        ...(quietAt(rule, at) && quietAt(rule, at - lateMs) ? ['in its quiet hours'] : []),
        ...(isMuted(rule, at) && channel === rule.channel ? ['while it is muted'] : []),
        ...(relay.isPaused ? ['while the relay is paused'] : []),
      ];
      faults.push(...why.map((when) => `${post.kind} calls ${rule.person} of ${rule.id} ${when}, ${time(at)}`));
    }
  };

  const note = (message: Heard) => {
    const { post, at } = message;
    // One that waited for Slack may come as over.
    if (post.kind === 'silence' && !post.incident?.ended && at - lastScanAt < silentMs && !relay.isClockWrong) {
      faults.push(`an alert of no scans, ${time(at)}, though one came at ${time(lastScanAt)}`);
    }
    if (post.kind === 'burst' && burst && burst.heardAt === undefined && at >= burst.openedAt) {
      Object.assign(burst, { heardAt: at, key: post.key });
      const open = burst;
      expect({
        ...{ what: 'the escalation of an alert', since: at, rules: [burstRule], within: () => escalatesMs },
        isIn: ({ post: { kind } }) => kind === 'escalation',
        isVoid: (now) => open.isAnswered || isOver(open, now) || open.wasGone || relay.isClockWrong,
      });
    }
  };

  /** An hour without a scan is heard within an hour that nothing holds: quiet hours are hours in which nobody waits. */
  const expectSilence = (now: number) => {
    const since = lastScanAt + silentMs;
    if (!isSilenceExpected && now >= since && !relay.isClockWrong) {
      isSilenceExpected = true;
      expect({
        ...{ what: 'an alert of no scans', since, rules: [silenceRule], within: () => silentMs },
        isIn: ({ post, at }) => post.kind === 'silence' && at >= since,
        isVoid: () => lastScanAt + silentMs > since,
      });
    }
  };

  return {
    ...{ relay, faults, rules },
    get burst() {
      return burst;
    },

    /** A scan of any kind. */
    arrived(at: number): void {
      lastScanAt = at;
      isSilenceExpected = false;
    },

    /** A scan that is not valid. */
    scan(tid: string, at: number): void {
      this.arrived(at);
      const matched = rules.filter(({ id, on }) => on && (id === 'scans' || (id === 'vip' && tid.startsWith('VIP'))));
      const speaking = matched.filter((rule) => !isMuted(rule, at));
      const within = () =>
        Math.max(0, ...speaking.map(({ on, how, digestMinutes }) => (on && how === 'digest' ? digestMinutes : 0))) *
        minute;
      if (speaking.length > 0) {
        expect({
          ...{ what: `scan ${tid} of ${speaking.map(({ id }) => id)}`, since: at, rules: speaking, within, tid },
          isIn: ({ post }) =>
            (post.kind === 'scan' && post.scan.tid === tid) ||
            (post.kind === 'digest' && (post.tally.scans > 10 || post.first.some((scan) => scan.tid === tid))),
        });
      }
      for (const rule of speaking) {
        let wasMuted = false;
        expect({
          ...{ what: `${rule.person} of ${rule.id} for ${tid}`, since: at, rules: speaking, within, tid },
          calls: true,
          isIn: ({ post, at: heardAt }) => heardAt >= at && post.mention.users.includes(rule.person),
          isVoid: (now) => {
            wasMuted ||= isMuted(rule, now);
            return wasMuted;
          },
        });
      }
      if (burst && isOver(burst, at)) {
        burst = undefined;
        invalid = [];
      }
      if (burst) {
        burst.lastAt = at;
        return;
      }
      invalid = [...invalid.filter((moment) => moment > at - burstMs), at];
      if (invalid.length >= 3 && !relay.isClockWrong) {
        const opened: Burst = {
          openedAt: at,
          lastAt: at,
          heardAt: undefined,
          key: undefined,
          isAnswered: false,
          wasMuted: false,
          wasGone: false,
        };
        burst = opened;
        invalid = [];
        expect({
          ...{ what: 'an alert of many scans', since: at, rules: [burstRule], within: () => minute },
          isIn: ({ post }) => post.kind === 'burst',
          isVoid: (now) => {
            opened.wasMuted ||= isMuted(burstRule, now);
            opened.wasGone ||= relay.isGone;
            return (opened.wasMuted || opened.wasGone) && isOver(opened, now);
          },
        });
      }
    },

    /** An alert that people see is handed over. */
    handedOver(at: number): void {
      burst!.isAnswered = true;
      expect({
        ...{ what: 'the person who gets an alert', since: at, rules: [burstRule], always: true, within: () => 0 },
        isIn: ({ post }) =>
          post.kind === 'reply' && post.reply.part === 'handed_over' && post.mention.users.includes(rightHand),
        isVoid: () => relay.isGone,
      });
    },

    /** A rule posts in another channel from now on. */
    moved(rule: LifeRule): void {
      for (const one of expected) {
        if (one.rules.includes(rule)) {
          one.channels.add(rule.channel);
        }
      }
    },

    forgotten(tid: string): void {
      for (const one of expected) {
        if (one.tid === tid) {
          expected.delete(one);
        }
      }
    },

    /** A clock that is wrong may end and begin alerts. */
    clockChanged(): void {
      burst = undefined;
      invalid = [];
      for (const one of expected) {
        if (one.what.includes('alert')) {
          expected.delete(one);
        }
      }
    },

    look(messages: readonly Heard[], now: number): void {
      expectSilence(now);
      for (const message of messages) {
        judge(message);
        note(message);
      }
      for (const one of expected) {
        const isElsewhere = ({ channel }: Heard) => !relay.isClockWrong && !one.channels.has(channel);
        // A message elsewhere may call people too, since their rule matched its scans.
        const hearing = messages.find((message) => one.isIn(message) && !(one.calls && isElsewhere(message)));
        if (hearing || one.isVoid?.(now)) {
          if (hearing && isElsewhere(hearing)) {
            faults.push(`${one.what} came in ${hearing.channel}`);
          }
          expected.delete(one);
          continue;
        }
        one.freeSince = isFree(one, now) ? (one.freeSince ?? now) : undefined;
        one.wasBroken ||= relay.isDown || relay.isGone || relay.isClockWrong || relay.archived.size > 0;
        const patience = one.within() + lateMs + (one.wasBroken ? retryMs : 0);
        if (one.freeSince !== undefined && now - Math.max(one.freeSince, one.since) > patience) {
          faults.push(`${one.what}, since ${time(one.since)}, was not heard by ${time(now)}`);
          expected.delete(one);
        }
      }
    },

    /** How much is still to be heard. */
    get waiting() {
      return expected.size;
    },
  };
}

export type Reader = ReturnType<typeof createReader>;

export function time(at: number): string {
  return new Date(at).toISOString().slice(8, 16);
}

export const longestLifeMs = 60 * hour;
