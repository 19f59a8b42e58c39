/**
 * Dispatcher of the outbox: claims channel queues, polls for due posts, releases its leases when it stops. Any number
 * of processes share one store; each queue is leased to one of them at a time.
 */
import type { Clock, Random } from '../../clock.js';
import { codeOf } from '../../errors.js';
import type { Log } from '../../log.js';
import type { Metrics } from '../../metrics.js';
import type { Store } from '../../workspaces/types.js';
import { createRelaysById } from '../relays/by-id.js';
import type { Publisher } from '../relays/types.js';
import { createTimers } from '../rules/timers/timers.js';
import { createScanStore } from '../scans/table.js';
import { createChannelWorker } from './channel-worker.js';
import { createEdits } from './message-updates.js';
import { pausedNotice, undeliveredNotice } from './notices.js';
import { createDigestCountStore } from './outbox/digest-counts.js';
import type { ChannelQueue } from './outbox/leases.js';
import { createMessageUpdates } from './outbox/message-updates.js';
import { createOutbox } from './outbox/outbox.js';
import { createUndeliveredNotices } from './outbox/undelivered-notices.js';
import { createTelling } from './pause-notifier.js';
import { createPostContent } from './post-content.js';
import { type DeliveryTimes, usualTimes } from './retry-times.js';

export interface DeliveryDeps {
  readonly store: Store;
  readonly poster: Publisher;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Minimum time between two posts into one channel. */
  readonly intervalMs: number;
  /** Unique among all processes that ever run on this store. */
  readonly instanceId: string;
  readonly times?: Partial<DeliveryTimes>;
}

export interface Delivery {
  start(): void;
  /** Lets posts in flight finish, then releases the leases. */
  stop(): Promise<void>;
  /** There may be something to post. Cheap: call it after every commit. */
  wake(): void;
}

const countEveryMs = 5_000;
/** A clock that goes back further than this was set back. */
const clockStepMs = 2_000;
/** At start, a post that waits longer than this is tried once: its time may come from a wrong clock. */
const longestWaitAtStartMs = 60_000;

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { store, clock, log, metrics, intervalMs, instanceId: worker } = deps;
  const times: DeliveryTimes = { ...usualTimes, editGapMs: Math.min(usualTimes.editGapMs, intervalMs), ...deps.times };
  const outbox = createOutbox(store);
  const relays = createRelaysById(store.db);
  const telling = createTelling({ notice: pausedNotice(relays, deps.poster), clock, log });
  const undelivered = undeliveredNotice(createUndeliveredNotices(store.db), deps.poster);
  const tellingUndelivered = createTelling({ notice: undelivered, clock, log });
  const contents = createPostContent({
    relays,
    scans: createScanStore(store.db),
    told: createDigestCountStore(store.db),
    digestShows: times.digestShows,
  });
  const lanes = createChannelWorker({
    ...deps,
    outbox,
    relays,
    contents,
    times,
    worker,
    onPaused: (relay) => telling.tell(relay),
  });
  const edits = createEdits({ ...deps, edits: createMessageUpdates(store), contents, times, onFree: () => wake() });
  const timers = createTimers({ store, clock, log });

  const stopping = new AbortController();
  const active = new Map<string, Promise<void>>();
  let running: Promise<void> | undefined;
  let woken = false;
  let interrupt: () => void = () => undefined;
  let aliveUntil = 0;
  let lastCountAt = Number.NEGATIVE_INFINITY;
  let lastNow = Number.NEGATIVE_INFINITY;
  /** Queues whose release failed because the database did not respond. */
  const unreleased = new Map<string, ChannelQueue>();

  const wake = (): void => {
    woken = true;
    interrupt();
  };

  const crowded = (): boolean => active.size >= times.parallel;

  const nameOf = (lane: ChannelQueue): string => `${lane.installation}:${lane.team}:${lane.channel}`;

  const workOn = (lane: ChannelQueue): void => {
    const name = nameOf(lane);
    // With no free slot, a worker leaves its queue after each post, so that the others have their turn.
    let turns = 0;
    const goOn = () => turns++ === 0 || !crowded();
    const work = lanes
      .work(lane, goOn, stopping.signal)
      .catch(async (error: unknown) => {
        log.error({ err: error, code: codeOf(error) }, 'a channel could not be worked on');
        await clock.sleep(times.lookMs, stopping.signal).catch(() => undefined);
      })
      .then(() => release(lane))
      .finally(() => {
        active.delete(name);
        wake();
      });
    active.set(name, work);
  };

  const release = async (lane: ChannelQueue): Promise<void> => {
    try {
      await outbox.release(worker, lane, clock.now(), intervalMs);
      unreleased.delete(nameOf(lane));
    } catch (error) {
      unreleased.set(nameOf(lane), lane);
      log.error({ err: error, code: codeOf(error) }, 'a channel could not be given back yet');
    }
  };

  const stayAlive = async (): Promise<void> => {
    const now = clock.now();
    if (Math.abs(aliveUntil - times.leaseMs - now) >= times.aliveEveryMs) {
      await outbox.stayAlive(worker, now + times.leaseMs);
      aliveUntil = now + times.leaseMs;
    }
  };

  const look = async (): Promise<void> => {
    const now = clock.now();
    if (lastNow === Number.NEGATIVE_INFINITY) {
      await outbox.pullForward(now, now + longestWaitAtStartMs);
    }
    if (now < lastNow - clockStepMs) {
      log.warn({ byMs: lastNow - now }, 'the clock was set back: nothing waits for the time it was wrong by');
      await outbox.pullForward(now);
    }
    lastNow = now;
    for (const lane of unreleased.values()) {
      await release(lane);
    }
    if (active.size > 0) {
      await stayAlive();
    }
    await timers.poll();
    if (!crowded() && (await outbox.hasDue(now))) {
      await stayAlive();
      for (const lane of await outbox.claim(worker, now, times.parallel - active.size)) {
        // Our own lease may have run out: the worker that is still active on the queue goes on.
        if (!active.has(nameOf(lane))) {
          workOn(lane);
        }
      }
    }
    if (now - lastCountAt >= countEveryMs || now < lastCountAt) {
      lastCountAt = now;
      await outbox.forgetWorkers(now);
      metrics.outboxWaiting.set(await outbox.countOpen());
    }
    await edits.look(stopping.signal);
    telling.look();
    tellingUndelivered.look();
  };

  /** Until a notification, the next due queue, or the next poll. */
  const pause = async (failed: boolean): Promise<void> => {
    if (!failed) {
      await clock.sleep(times.lookGapMs, stopping.signal).catch(() => undefined);
    }
    if (stopping.signal.aborted || (woken && !failed)) {
      return;
    }
    const due = failed || crowded() ? undefined : await outbox.nextDue().catch(() => undefined);
    const untilDue = due === undefined ? times.lookMs : Math.max(0, due - clock.now());
    const sleep = new AbortController();
    interrupt = () => {
      if (!failed) {
        sleep.abort();
      }
    };
    if (stopping.signal.aborted || (woken && !failed)) {
      return;
    }
    const stop = () => sleep.abort();
    stopping.signal.addEventListener('abort', stop);
    await clock.sleep(Math.min(times.lookMs, untilDue), sleep.signal).catch(() => undefined);
    stopping.signal.removeEventListener('abort', stop);
  };

  /** Leases are kept until posts in flight finish: another worker would take them for a crashed worker's. */
  const seeOut = async (): Promise<void> => {
    const ended = new AbortController();
    const all = Promise.all([
      ...active.values(),
      edits.settled(),
      telling.settled(),
      tellingUndelivered.settled(),
    ]).finally(() => ended.abort());
    while (active.size > 0 && !ended.signal.aborted) {
      await stayAlive().catch((error: unknown) => {
        log.error({ err: error, code: codeOf(error) }, 'could not say that a process still lives');
      });
      await clock.sleep(times.aliveEveryMs, ended.signal).catch(() => undefined);
    }
    await all;
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      woken = false;
      let failed = false;
      try {
        await look();
      } catch (error) {
        failed = true;
        log.error({ err: error, code: codeOf(error) }, 'the outbox could not be looked at');
      }
      await pause(failed);
    }
    await seeOut();
    try {
      await outbox.leave(worker);
    } catch (error) {
      log.warn({ err: error, code: codeOf(error) }, 'could not say goodbye: the lease runs out by itself');
    }
  };

  return {
    start() {
      running ??= run();
    },
    async stop() {
      stopping.abort();
      interrupt();
      await running;
    },
    wake,
  };
}
