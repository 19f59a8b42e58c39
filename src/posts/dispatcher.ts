/**
 * The dispatcher of the outbox: it claims channel queues, polls for due posts, and releases its leases when it stops.
 * Any number of processes share one store; each queue is leased to one of them at a time.
 */
import type { SourceKind } from '../database/schema.js';
import { codeOf } from '../errors.js';
import { createPoller } from '../poller.js';
import type { ProcessDeps } from '../process.js';
import type { Store } from '../workspaces/types.js';
import { type ChannelWorkerDeps, createChannelWorker } from './channel-worker.js';
import { type DeliveryTimes, usualTimes } from './delivery-times.js';
import type { PostMaker } from './maker.js';
import { createMessageUpdater } from './message-updates.js';
import type { NoticePoller } from './notices.js';
import { createCallBudgets } from './outbox/call-budgets.js';
import { queueName } from './outbox/channel-queues.js';
import type { ChannelQueue } from './outbox/leases.js';
import { createMessageUpdates } from './outbox/message-updates.js';
import { createOutbox } from './outbox/outbox.js';
import type { AnyPost } from './publisher.js';

export interface DispatcherDeps
  extends ProcessDeps,
    Pick<ChannelWorkerDeps<AnyPost>, 'publisher' | 'backlog' | 'onBlocked' | 'intervalMs'> {
  readonly store: Store;
  readonly makers: Readonly<Partial<Record<SourceKind, PostMaker>>>;
  readonly notices: NoticePoller;
  /** Timers that put due posts into the outbox; they are polled before due posts are looked for. */
  readonly timers: { poll(): Promise<void> };
  readonly times?: Partial<DeliveryTimes>;
}

export interface Delivery {
  start(): void;
  /** Lets posts in flight finish, then releases the leases. */
  stop(): Promise<void>;
  /** Tells the dispatcher that a post may be due. A call costs little: make one after every commit. */
  notify(): void;
  /** Looks for due notices at once. */
  pollNotices(): void;
}

const countEveryMs = 5_000;
/** The step back from which a clock counts as set back. */
const clockStepMs = 2_000;
/** At start, a post that would wait longer than this is due at once: its time may come from a wrong clock. */
const longestWaitAtStartMs = 60_000;

export function createDispatcher(deps: DispatcherDeps): Delivery {
  const { store, clock, log, metrics, intervalMs, instanceId: worker, notices, timers } = deps;
  const times: DeliveryTimes = { ...usualTimes, editGapMs: Math.min(usualTimes.editGapMs, intervalMs), ...deps.times };
  const outbox = createOutbox(store);
  const maker: PostMaker = {
    of: async (post, threadTs) => await deps.makers[post.source.kind]?.of(post, threadTs),
    ready: async (post) => await deps.makers[post.source.kind]?.ready?.(post),
    gone: async (post, why) => (await deps.makers[post.source.kind]?.gone(post, why)) ?? 'reject',
    lost: async (post, code) => await deps.makers[post.source.kind]?.lost?.(post, code),
  };
  const workers = createChannelWorker({ ...deps, maker, outbox, times, worker });
  const budgets = createCallBudgets(store.db);
  const updates = createMessageUpdates(store);
  const updater = createMessageUpdater({ ...deps, maker, updates, budgets, times, onFree: () => notify() });

  const active = new Map<string, Promise<void>>();
  /** Queues that were claimed while a worker of this process was active on them. */
  const claimedAgain = new Set<string>();
  let aliveUntil = 0;
  let lastCountAt = Number.NEGATIVE_INFINITY;
  let lastNow = Number.NEGATIVE_INFINITY;
  /** Queues whose release failed because the database did not respond. */
  const unreleased = new Map<string, ChannelQueue>();

  const notify = (): void => poller.wake();

  const crowded = (): boolean => active.size >= times.parallel;

  const workOn = (queue: ChannelQueue, stopping: AbortSignal): void => {
    const queueKey = queueName(queue);
    // With no free slot, a worker leaves its queue after each post, so that other queues have their turn.
    let turns = 0;
    const goOn = () => turns++ === 0 || !crowded();
    const working = workers
      .drain(queue, goOn, stopping)
      .catch(async (error: unknown) => {
        log.error({ err: error, code: codeOf(error) }, 'a channel queue failed');
        await clock.sleep(times.pollMs, stopping).catch(() => undefined);
      })
      .then(() => release(queue))
      .then(async () => {
        while (claimedAgain.delete(queueKey)) {
          await release(queue);
        }
      })
      .finally(() => {
        active.delete(queueKey);
        notify();
      });
    active.set(queueKey, working);
  };

  const release = async (queue: ChannelQueue): Promise<void> => {
    try {
      await outbox.release(worker, queue, clock.now(), intervalMs);
      unreleased.delete(queueName(queue));
    } catch (error) {
      unreleased.set(queueName(queue), queue);
      log.error({ err: error, code: codeOf(error) }, 'a channel queue could not be released yet');
    }
  };

  const heartbeat = async (): Promise<void> => {
    const now = clock.now();
    if (Math.abs(aliveUntil - times.leaseMs - now) >= times.heartbeatMs) {
      await outbox.heartbeat(worker, now + times.leaseMs);
      aliveUntil = now + times.leaseMs;
    }
  };

  const poll = async (stopping: AbortSignal): Promise<void> => {
    const now = clock.now();
    if (lastNow === Number.NEGATIVE_INFINITY) {
      await outbox.rescheduleAfterClockStep(now, now + longestWaitAtStartMs);
    }
    if (now < lastNow - clockStepMs) {
      log.warn({ byMs: lastNow - now }, 'the clock was set back: everything is due now');
      await outbox.rescheduleAfterClockStep(now);
    }
    lastNow = now;
    for (const queue of unreleased.values()) {
      await release(queue);
    }
    if (active.size > 0) {
      await heartbeat();
    }
    await timers.poll();
    if (!crowded() && (await outbox.hasDue(now))) {
      await heartbeat();
      for (const queue of await outbox.claim(worker, now, times.parallel - active.size)) {
        // This process's lease may have expired, or its release may be under way: the active worker releases the queue.
        if (active.has(queueName(queue))) {
          claimedAgain.add(queueName(queue));
        } else {
          workOn(queue, stopping);
        }
      }
    }
    if (now - lastCountAt >= countEveryMs || now < lastCountAt) {
      lastCountAt = now;
      await outbox.forgetWorkers(now);
      await budgets.forget(now);
      metrics.outboxWaiting.set(await outbox.countOpen());
    }
    await updater.poll(stopping);
    notices.poll();
  };

  /** Leases are kept until posts in flight finish: another worker would take them for a crashed worker's. */
  const drainInFlight = async (): Promise<void> => {
    const ended = new AbortController();
    const work = Promise.all([...active.values(), updater.settled(), notices.settled()]).finally(() => ended.abort());
    while (active.size > 0 && !ended.signal.aborted) {
      await heartbeat().catch((error: unknown) => {
        log.error({ err: error, code: codeOf(error) }, 'a heartbeat failed');
      });
      await clock.sleep(times.heartbeatMs, ended.signal).catch(() => undefined);
    }
    await work;
  };

  const poller = createPoller({
    clock,
    poll,
    everyMs: times.pollMs,
    gapMs: times.pollGapMs,
    async untilDue() {
      const due = crowded() ? undefined : await outbox.nextDue();
      return due === undefined ? undefined : due - clock.now();
    },
    onFailure: (error) => log.error({ err: error, code: codeOf(error) }, 'the outbox could not be polled'),
    async closing() {
      await drainInFlight();
      try {
        await outbox.removeWorker(worker);
      } catch (error) {
        log.warn({ err: error, code: codeOf(error) }, 'leases were not released and expire by themselves');
      }
    },
  });
  return { start: poller.start, stop: poller.stop, notify, pollNotices: notices.pollNow };
}
