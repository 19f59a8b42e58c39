/**
 * A naive reader of a list of lent things: who must hear of which thing by when, and what nobody must hear. It knows the
 * list by its words alone: a holder hears once when a thing is due, the channel a day later, and what is back is over.
 */
import type { OverduePost, PlacesNotice } from '../../src/places/index.js';
import type { NoticePost } from '../../src/posts/index.js';
import type { Post } from '../../src/relay/index.js';
import { createSchedule } from '../../src/schedules/schedule.js';
import { allWeek, lateMs, retryMs, time } from './reader.js';
import { type Heard, hour, minute } from './world.js';

/** The user of the account who is linked to a person in Slack, and that person’s conversation. */
export const linked = { user: '1', person: 'U8', channel: 'D-U8' };
/** The conversation of the list’s maker, who hears what its channel does not take. */
export const maker = { person: 'U9', channel: 'D-U9' };

export interface LentList {
  minutes: number;
  channel: string;
  quiet: { readonly from: string; readonly to: string } | undefined;
  daily: boolean;
}

interface Thing {
  readonly tid: string;
  readonly user: string;
  readonly outAt: number;
  dueAt: number;
  isExtended: boolean;
  saidBack: boolean;
  /** The incident that a message about the thing named last: its buttons. */
  incident: string | undefined;
  /** Whether it may be heard or not: a wrong clock, or a list that counted anew, found it due. */
  isVoid: boolean;
  /** The due times of which its holder, and the channel, heard. */
  toldOf: number | undefined;
  toldChannelOf: number | undefined;
  heardAt: number;
  /** Whether it may have been late: the next one comes a day after its own time. */
  wasLate: boolean;
  /** When its holder is to hear again, in a list that reminds daily. */
  againAt: number | undefined;
  /** When the channel is to hear. */
  lateAt: number | undefined;
  waits: Record<'holder' | 'channel', { since: number; wasBroken: boolean } | undefined>;
}

const day = 24 * hour;

type LentHeard = Heard<OverduePost | NoticePost<PlacesNotice>>;

export const isOfList = (message: Heard): message is LentHeard => ['overdue', 'notice'].includes(message.post.kind);
export const isOfRelay = (message: Heard): message is Heard<Post> => !isOfList(message);

/** @param slack whether Slack and the clock are well, which both readers of a life know */
export function createLentReader(
  list: LentList,
  slack: { readonly isDown: boolean; readonly isGone: boolean; readonly isClockWrong: boolean; archived: Set<string> },
) {
  const things = new Map<string, Thing>();
  const faults: string[] = [];
  const channels = new Set([list.channel]);

  const quietAt = (at: number) =>
    list.quiet !== undefined && createSchedule({ ...allWeek, ...list.quiet }).windowAt(at) !== undefined;
  const isOut = (thing: Thing | undefined): thing is Thing => thing !== undefined && !thing.saidBack;
  const isOverdue = (thing: Thing | undefined, at: number): thing is Thing => isOut(thing) && thing.dueAt <= at;
  const isBroken = () => slack.isDown || slack.isGone || slack.archived.size > 0;

  const dueAnew = (thing: Thing, dueAt: number) =>
    Object.assign(thing, { dueAt, isVoid: false, waits: { holder: undefined, channel: undefined } });

  /** The holder heard; a list that reminds daily does so again. */
  const hear = (thing: Thing, at: number, wasLate: boolean) => {
    const isFirst = thing.toldOf !== thing.dueAt;
    Object.assign(thing, { toldOf: thing.dueAt, heardAt: at, wasLate, againAt: at + day });
    if (isFirst) {
      Object.assign(thing, { lateAt: thing.user === linked.user ? at + day : undefined, toldChannelOf: undefined });
    }
  };

  const judge = ({ at, channel, post }: LentHeard) => {
    const notice = post.kind === 'notice' ? post.notice : undefined;
    const said = post.kind === 'overdue' ? post : notice?.what === 'alert_undelivered' ? notice.post : undefined;
    if (said?.kind !== 'overdue' || said.over !== undefined) {
      return;
    }
    const { value: tid, part, incident } = said;
    const thing = things.get(tid);
    const what = `${post.kind === 'notice' ? 'a notice' : `a message (${part})`} about ${tid}, ${time(at)}`;
    if (!isOverdue(thing, at)) {
      faults.push(`${what}, says that it is due, which it is not`);
      return;
    }
    thing.incident = incident;
    const wasBroken = Boolean(thing.waits.holder?.wasBroken || thing.waits.channel?.wasBroken) || isBroken();
    // What comes in the last minute before quiet hours may be looked at in their first.
    if (quietAt(at) && quietAt(at - lateMs) && !thing.isVoid && post.kind === 'overdue') {
      faults.push(`${what}, came in quiet hours`);
    }
    const isForHolder = part === 'due' || part === 'again';
    const place = post.kind === 'notice' ? maker.channel : isForHolder ? linked.channel : undefined;
    if (isForHolder !== (thing.user === linked.user) && part !== 'late') {
      faults.push(`${what}, came to a person, though nobody in Slack has it`);
    }
    if (place === undefined ? !channels.has(channel) : channel !== place) {
      faults.push(`${what}, came in ${channel}`);
    }
    const isHolders = isForHolder || thing.user !== linked.user;
    const isTwice = isHolders
      ? thing.toldOf === thing.dueAt && !(list.daily && (thing.wasLate || at - thing.heardAt >= day - lateMs))
      : thing.toldChannelOf === thing.dueAt;
    if (isTwice && !thing.isVoid && !wasBroken) {
      faults.push(`${what}, came twice`);
    }
    if (isHolders) {
      hear(thing, at, wasBroken);
    } else {
      thing.toldChannelOf = thing.dueAt;
    }
  };

  /** Whether somebody was not told in time. */
  const check = (thing: Thing, who: 'holder' | 'channel', dueSince: number | undefined, now: number) => {
    if (dueSince === undefined || dueSince > now || thing.isVoid || !isOverdue(thing, now) || slack.isClockWrong) {
      thing.waits[who] = undefined;
      return;
    }
    const isFree = !slack.isDown && !slack.isGone && !quietAt(now);
    const waits = thing.waits[who] ?? { since: Math.max(dueSince, now - lateMs), wasBroken: false };
    const since = isFree ? waits.since : now;
    const wasBroken = waits.wasBroken || isBroken();
    thing.waits[who] = { since, wasBroken };
    if (now - since > 2 * lateMs + (wasBroken ? retryMs : 0)) {
      faults.push(`the ${who} was not told of ${thing.tid}, due ${time(thing.dueAt)}, by ${time(now)}`);
      thing.isVoid = true;
    }
  };

  return {
    ...{ list, faults },
    get out(): readonly Thing[] {
      return [...things.values()].filter(isOut);
    },

    lent(tid: string, user: string, at: number): void {
      // Scans say whole seconds.
      const outAt = Math.floor(at / 1_000) * 1_000;
      const none = { incident: undefined, toldOf: undefined, toldChannelOf: undefined, againAt: undefined };
      things.set(tid, {
        ...{
          tid,
          user,
          outAt,
          dueAt: outAt + list.minutes * minute,
          isExtended: false,
          saidBack: false,
          isVoid: false,
        },
        ...{ ...none, lateAt: undefined, heardAt: 0, wasLate: false, waits: { holder: undefined, channel: undefined } },
      });
    },
    broughtBack: (tid: string) => things.delete(tid),
    saidBack(tid: string): void {
      things.get(tid)!.saidBack = true;
    },
    extended(tid: string, until: number): void {
      Object.assign(dueAnew(things.get(tid)!, until), { isExtended: true });
    },

    /** The list is due by other times from now on: it posts nothing of what was due before. */
    dueEdited(now: number): void {
      for (const thing of things.values()) {
        if (!thing.isExtended) {
          dueAnew(thing, thing.outAt + list.minutes * minute);
          thing.isVoid = thing.dueAt <= now;
        } else {
          thing.isVoid ||= thing.dueAt <= now && thing.toldOf !== thing.dueAt;
        }
      }
    },
    /** Daily reminders begin a day after the last one. */
    edited(now: number): void {
      channels.add(list.channel);
      for (const thing of things.values()) {
        thing.againAt = thing.heardAt + day * (1 + Math.floor((now - thing.heardAt) / day));
      }
    },
    /** A list that is made anew knows the scans alone. */
    madeAnew(now: number): void {
      for (const thing of things.values()) {
        Object.assign(dueAnew(thing, thing.outAt + list.minutes * minute), { isExtended: false, saidBack: false });
        thing.isVoid = thing.dueAt <= now;
      }
    },
    clockChanged(): void {
      for (const thing of things.values()) {
        thing.isVoid = true;
      }
    },

    look(messages: readonly LentHeard[], now: number): void {
      for (const message of slack.isClockWrong ? [] : messages) {
        judge(message);
      }
      for (const thing of things.values()) {
        const isTold = thing.toldOf === thing.dueAt;
        check(thing, 'holder', !isTold ? thing.dueAt : list.daily ? thing.againAt : undefined, now);
        const isLate = isTold && thing.toldChannelOf !== thing.dueAt;
        check(thing, 'channel', isLate ? thing.lateAt : undefined, now);
      }
    },

    /** How many things somebody must still hear of now. */
    waiting(now: number): number {
      return [...things.values()].filter(
        (thing) => !thing.isVoid && isOverdue(thing, now) && thing.toldOf !== thing.dueAt,
      ).length;
    },
  };
}

export type LentReader = ReturnType<typeof createLentReader>;
