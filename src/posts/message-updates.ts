/**
 * Updates of delivered messages, as of completed or acknowledged scans, or of thread parents that count. A message ends
 * up showing the latest revision, however long Slack takes no updates; quick changes are merged. Workspaces never wait
 * for each other.
 */
import { backoff } from '../database/backoff.js';
import { isStoreDown } from '../database/errors.js';
import { codeOf } from '../errors.js';
import { type Owner, ownerKey } from '../ownership.js';
import type { ProcessDeps } from '../process.js';
import { withTimeout } from '../timeout.js';
import { type DeliveryTimes, longestWaitMs } from './delivery-times.js';
import type { PostMaker } from './maker.js';
import type { CallBudgets } from './outbox/call-budgets.js';
import type { MessageUpdate, MessageUpdates } from './outbox/message-updates.js';
import type { AnyPost, EditOutcome, Publisher } from './publisher.js';
import { undrawn } from './retry.js';

/** How many workspaces one poll updates. */
const updatesPerPoll = 20;
/** How many updates an urgent one may go ahead of the pace. */
const urgentAhead = 5;
/** How long a workspace rests when its calls are used up. It is short, as an urgent update may come meanwhile. */
const usedUpMs = 250;
/** How much longer a claim lasts than the slowest call. */
const claimMarginMs = 5_000;

export interface MessageUpdaterDeps<Post extends AnyPost>
  extends Pick<ProcessDeps, 'clock' | 'random' | 'log' | 'metrics'> {
  readonly updates: MessageUpdates;
  readonly budgets: CallBudgets;
  readonly maker: Pick<PostMaker<Post>, 'of' | 'lost'>;
  readonly publisher: Pick<Publisher<Post>, 'edit'>;
  readonly times: DeliveryTimes;
  /** Called when a workspace may have its next update. */
  readonly onFree: () => void;
}

export function createMessageUpdater<Post extends AnyPost>(deps: MessageUpdaterDeps<Post>) {
  const { updates, budgets, maker, publisher, clock, random, log, metrics, times, onFree } = deps;
  const running = new Map<string, { owner: Owner; work: Promise<void> }>();

  const render = async (update: MessageUpdate): Promise<EditOutcome> => {
    try {
      const fullPost = await maker.of(update.post, update.post.threadTs);
      if (fullPost === undefined || fullPost === 'over') {
        return { outcome: 'refused', code: 'relay.scan_unreadable' };
      }
      const edit = (signal: AbortSignal) => publisher.edit(fullPost, update.ts, signal);
      const late = { outcome: 'retry', code: 'relay.edit_timeout' } as const;
      return await withTimeout<EditOutcome>(clock, times.postTimeoutMs, edit, late);
    } catch (error) {
      log.error({ err: error, code: codeOf(error), post: update.post.key }, 'a message could not be drawn anew');
      const again = isStoreDown(error) || update.failures === 0;
      return again ? { outcome: 'retry', code: codeOf(error) } : { outcome: 'refused', code: undrawn };
    }
  };

  /** Updates one message; resolves to the milliseconds for which to leave the workspace alone afterwards. */
  const workOn = async (dueUpdate: MessageUpdate): Promise<number> => {
    const { owner } = dueUpdate.post;
    const pace = { gapMs: times.editGapMs, aheadMs: dueUpdate.isUrgent ? times.editGapMs * urgentAhead : 0 };
    if ((await budgets.take(owner, 'chat.update', clock.now(), pace)) > 0) {
      return usedUpMs;
    }
    const update = await updates.claim(dueUpdate, clock.now() + times.postTimeoutMs + claimMarginMs);
    if (!update) {
      return 0;
    }
    const outcome = await render(update);
    const now = clock.now();
    metrics.posts.inc({ outcome: outcomeLabels[outcome.outcome] });
    switch (outcome.outcome) {
      case 'edited':
        await updates.done(update, now);
        return 0;
      case 'refused':
        log.warn({ post: update.post.key, code: outcome.code }, 'a message can no longer be updated');
        await maker.lost?.(update.post, outcome.code);
        await updates.giveUp(update);
        return 0;
      case 'retry':
        // A wait that Slack asks for is no failure.
        await (outcome.afterMs === undefined
          ? updates.later(update, now + backoff(update.failures + 1, times, random), update.failures + 1)
          : updates.later(update, now + Math.min(outcome.afterMs, longestWaitMs), update.failures));
        if (outcome.afterMs !== undefined) {
          await budgets.exhaust(owner, 'chat.update', now, outcome.afterMs);
        }
        return 0;
    }
  };

  const start = (update: MessageUpdate, updateKey: string, stopping: AbortSignal): void => {
    const updating = workOn(update)
      .catch((error: unknown) => {
        // The update is left to its claim, which expires by itself.
        log.error({ err: error, code: codeOf(error) }, 'the outcome of a message update could not be recorded');
        return times.pollMs;
      })
      .then((restMs) => clock.sleep(restMs, stopping).catch(() => undefined))
      .then(() => {
        running.delete(updateKey);
        onFree();
      });
    running.set(updateKey, { owner: update.post.owner, work: updating });
  };

  return {
    /** Processes due updates in the background, one message at a time in each workspace. */
    async poll(stop: AbortSignal): Promise<void> {
      const now = clock.now();
      const busy = [...running.values()].map(({ owner }) => owner);
      for (const update of await updates.due(now, times, busy, updatesPerPoll)) {
        const name = ownerKey(update.post.owner);
        if (!running.has(name)) {
          start(update, name, stop);
        }
      }
    },

    /** Resolves when no update is in flight. */
    async settled(): Promise<void> {
      await Promise.all([...running.values()].map(({ work }) => work));
    },
  };
}

const outcomeLabels = { edited: 'edited', refused: 'edit_refused', retry: 'edit_retry' } as const;
