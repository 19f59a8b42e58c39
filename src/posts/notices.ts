/**
 * Notices: direct messages to people about what they have to act on. The conversation with each person is opened first;
 * then the notice is a post like any other. Its key keeps it a single post, whichever instances add it, and how often.
 */
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../clock.js';
import type { Jobs } from '../database/jobs/runner.js';
import { type Schema, sourceKinds } from '../database/schema.js';
import { codeOf } from '../errors.js';
import type { Log } from '../log.js';
import type { Owner } from '../ownership.js';
import { enqueueOnce } from './outbox/enqueue.js';
import type { PostSource } from './outbox/post.js';
import type { Publisher } from './publisher.js';

export interface Notice {
  /** The notice's key: unique, and the same whenever the notice is added. */
  readonly key: string;
  readonly owner: Owner;
  readonly source: PostSource;
  /** Slack user ids of the people to notify. */
  readonly people: readonly string[];
  readonly withAdmins?: boolean;
  /** The content of the notice: JSON of its source. */
  readonly detail: string;
}

/** A notice that is due, and the record that it was added. */
export interface DueNotice extends Notice {
  sent(at: number): Promise<void>;
}

export type FindDueNotices = (now: number) => Promise<readonly DueNotice[]>;

export interface NoticesDeps {
  readonly store: { readonly db: Kysely<Schema> };
  readonly publisher: Pick<Publisher, 'open' | 'admins'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly onPosts: () => void;
}

export function createNotices({ store, publisher, clock, log, onPosts }: NoticesDeps) {
  return {
    /** Adds a notice. Rejects if it must be added again later: people who have the notice do not get it twice. */
    async add({ key, owner, source, people, withAdmins = false, detail }: Notice): Promise<void> {
      const addFor = async (person: string): Promise<void> => {
        const channel = await publisher.open(owner, person);
        if (channel === undefined) {
          log.warn({ team: owner.team, notice: key }, 'somebody takes no direct messages, and gets no notice');
          return;
        }
        const post = { key: `${key}.${person}`, queue: { ...owner, channel }, source, kind: 'notice' as const, detail };
        await store.db.transaction().execute((trx) => enqueueOnce(trx, { ...post, at: clock.now() }));
        onPosts();
      };
      for (const person of new Set(people)) {
        await addFor(person);
      }
      const admins = withAdmins ? await publisher.admins(owner) : [];
      for (const person of admins.filter((one) => !people.includes(one))) {
        await addFor(person);
      }
    },
  };
}

export type Notices = ReturnType<typeof createNotices>;

const noticeState = z.object({
  source: z.object({ kind: z.enum(sourceKinds), id: z.string() }),
  people: z.array(z.string()),
  withAdmins: z.boolean().optional(),
  detail: z.string(),
});
const longestPauseMs = 10 * 60_000;
/** With pauses of ten minutes at most, a notice is given up after about a day. */
const mostTries = 150;

/** Notices as jobs: what they are about is committed together with them, whether Slack can be reached or not. */
export function createNoticeJobs(jobs: Jobs, notices: Notices) {
  const added = jobs.define('notice', {
    state: noticeState,
    slots: 3,
    longestWaitMs: 2 * longestPauseMs,
    backoff: { leastBackoffMs: 2_000, longestBackoffMs: longestPauseMs },
    tries: mostTries,
    async run({ owner, key, state }) {
      await notices.add({ key, owner, ...state });
      return {};
    },
  });
  return {
    /** Adds a notice, once; `trx`: the transaction of what it is about. */
    add: ({ key, owner, people, ...notice }: Notice, trx?: Transaction<Schema>): Promise<void> =>
      added.put(owner, key, { ...notice, people: [...people] }, { once: true, trx }),
  };
}

export type NoticeJobs = ReturnType<typeof createNoticeJobs>;

const pollEveryMs = 60_000;

export function createNoticePoller(deps: {
  readonly notices: Notices;
  readonly due: readonly FindDueNotices[];
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { notices, due, clock, log } = deps;
  let polledAt = Number.NEGATIVE_INFINITY;
  let lastWork = Promise.resolve();

  const addDue = async (find: FindDueNotices): Promise<void> => {
    for (const notice of await find(clock.now())) {
      const at = clock.now();
      try {
        await notices.add(notice);
        await notice.sent(at);
      } catch (error) {
        log.warn({ notice: notice.key, err: error, code: codeOf(error) }, 'a notice could not be added yet');
      }
    }
  };

  const pollNow = (): void => {
    polledAt = clock.now();
    for (const find of due) {
      lastWork = lastWork
        .then(() => addDue(find))
        .catch((error: unknown) => log.error({ err: error, code: codeOf(error) }, 'due notices could not be read'));
    }
  };

  return {
    /** Looks for all due notices, in the background. */
    pollNow,
    /** Looks for due notices once a minute: an instance may have stopped, or Slack may have been down. */
    poll(): void {
      // The polls go on after the clock was set in either direction.
      if (Math.abs(clock.now() - polledAt) >= pollEveryMs) {
        pollNow();
      }
    },
    /** Resolves when no notice is being added. */
    settled: (): Promise<void> => lastWork,
  };
}

export type NoticePoller = ReturnType<typeof createNoticePoller>;
