/**
 * The runs of a report: it is counted and enters the outbox as a post, once for each time of its schedule; the outcome
 * of the post is read from the outbox. A report that was not posted in time is missed, and the next one says so.
 */
import { never } from '../database/claims/due-rows.js';
import type { Job, JobRun, NextRun } from '../database/jobs/job.js';
import type { Jobs } from '../database/jobs/runner.js';
import { codeOf } from '../errors.js';
import type { Notice, NoticeJobs } from '../posts/index.js';
import { postKinds } from '../posts/kinds.js';
import { enqueueOnce } from '../posts/outbox/enqueue.js';
import { findPost } from '../posts/outbox/single-posts.js';
import type { ProcessDeps } from '../process.js';
import type { Store } from '../workspaces/types.js';
import type { CountReport, MissingPart } from './count.js';
import { lastDue, nextDue } from './days.js';
import { type Report, type ReportPause, type ReportState, reportState } from './report.js';

export interface ReportJobDeps extends Pick<ProcessDeps, 'clock' | 'log' | 'metrics'> {
  readonly store: Pick<Store, 'db'>;
  readonly jobs: Jobs;
  readonly count: CountReport;
  readonly notices: NoticeJobs;
  /** Called when a report's post entered the outbox. */
  readonly onPosts: () => void;
}

type Next = NextRun<ReportState>;

/** When a report is tried again whose stored state cannot be read: an older version may have met a newer one's. */
const unreadablePauseMs = 3_600_000;
/** How often a post on its way is checked. */
const checkMs = 5_000;
/** After how many missed days in a row a report pauses, if the last one failed. */
const mostFailingDays = 3;
/** The longest wait for a daily report, where a clock change makes its day an hour longer. */
const longestWaitMs = 26 * 3_600_000;

const pauses: Readonly<Record<MissingPart, ReportPause>> = {
  relay: 'relay_gone',
  search: 'search_gone',
  connection: 'not_connected',
};

export function reportOf({ key, owner, createdAt, state }: Job<ReportState>): Report {
  return { ...state, id: key, owner, createdAt };
}

/** What follows for a report that is paused; no post of it is in the outbox. */
export function pausedBy(why: ReportPause, at: number, change: Partial<ReportState> = {}): Next {
  return { dueAt: never, change: { attemptAt: undefined, pausing: undefined, ...change, paused: { at, why } } };
}

/** The notice to the maker of a paused report. */
export function pausedNotice({ id, owner, createdBy, paused }: Report): Notice {
  const source = { kind: 'report' as const, id };
  return { key: `report.${id}.paused.${paused?.at}`, owner, source, people: [createdBy], detail: '{}' };
}

export function defineReports({ store, jobs, count, notices, onPosts, clock, log, metrics }: ReportJobDeps) {
  /** What follows once a due time is over: the next one, or the pause. */
  const settle = (report: Report, outcome: string, change: Partial<ReportState>, pause?: ReportPause): Next => {
    const dueAt = nextDue(report, Math.max(clock.now(), report.dueAt));
    const settled = { ...change, dueAt, attemptAt: undefined, pausing: undefined };
    return {
      ...(pause ? pausedBy(pause, change.postedAt ?? clock.now(), settled) : { dueAt, change: settled }),
      after: async () => metrics.reports.inc({ outcome }),
    };
  };

  const miss = (report: Report, days: number, failures: number, code?: string): Next => {
    const missed = report.missed + days;
    const isFailing = (failures > 0 || code !== undefined) && missed >= mostFailingDays;
    log.warn({ report: report.id, code: code ?? report.lastCode, missed }, 'a report was not posted in time');
    const next = settle(report, 'missed', { missed, lastCode: code }, isFailing ? 'failing' : undefined);
    return isFailing ? { ...next, work: (trx) => notices.add(pausedNotice({ ...report, ...next.change }), trx) } : next;
  };

  /** Reads the outcome of a report's post. */
  const follow = async (report: Report, failures: number): Promise<Next> => {
    const post = await findPost(store.db, keyOf(report));
    const lastCode = post?.lastCode;
    switch (post?.state) {
      case 'delivered': {
        const outcome = post.unconfirmedAt === undefined ? 'delivered' : 'recovered';
        const posted = { missed: 0, lastCode: undefined, postedAt: post.finishedAt ?? clock.now() };
        return settle(report, outcome, posted, report.pausing);
      }
      case 'missed':
        return miss(report, 1, failures, lastCode);
      case 'dead':
        return post.unconfirmedAt === undefined
          ? miss(report, 1, failures, lastCode ?? 'report.refused')
          : settle(report, 'unknown', { lastCode });
      case undefined:
        return settle(report, 'unknown', {});
      default:
        return { dueAt: clock.now() + checkMs, change: { lastCode: lastCode ?? report.lastCode } };
    }
  };

  const enqueue = async (report: Report, signal: AbortSignal): Promise<Next> => {
    const { id, owner, channel, dueAt, missed } = report;
    const content = await count(report, dueAt, signal);
    const pausing = 'missing' in content ? pauses[content.missing] : undefined;
    const post = {
      key: keyOf(report),
      queue: { ...owner, channel },
      source: { kind: 'report' as const, id },
      at: dueAt,
      kind: 'report' as const,
      detail: JSON.stringify(content),
    };
    return {
      dueAt: clock.now(),
      change: { dueAt, missed, attemptAt: dueAt, pausing },
      // A post is added once: after the clock was set back, a due time may come twice.
      work: (trx) => enqueueOnce(trx, post),
      after: async () => onPosts(),
    };
  };

  const runReport = async (job: JobRun<ReportState>): Promise<Next> => {
    const report = reportOf(job);
    if (report.attemptAt !== undefined) {
      return await follow(report, job.failures);
    }
    const now = clock.now();
    if (report.dueAt > now) {
      // The due time was set by a clock that was wrong, which counted days as missed that had not come.
      const dueAt = nextDue(report, now);
      return { dueAt, change: { dueAt, missed: 0 } };
    }
    const { at, before } = lastDue(report, report.dueAt, now);
    return now - at > (postKinds.report.expiresAfterMs ?? 0)
      ? miss(report, before + 1, job.failures)
      : await enqueue({ ...report, dueAt: at, missed: report.missed + before }, job.signal);
  };

  return jobs.define('report', {
    state: reportState,
    slots: 3,
    longestWaitMs,
    backoff: { leastBackoffMs: 1_000, longestBackoffMs: 5 * 60_000 },
    tries: Number.POSITIVE_INFINITY,
    // People set it up: it is never deleted for what this process makes of it.
    failed: () => ({ dueAt: clock.now() + unreadablePauseMs }),
    async run(job) {
      try {
        return await runReport(job);
      } catch (error) {
        await (job.signal.aborted || job.save({ lastCode: codeOf(error) }));
        throw error;
      }
    },
  });
}

/** The key of the report's post for its due time. */
function keyOf({ id, dueAt }: Pick<Report, 'id' | 'dueAt'>): string {
  return `report.${id}.${dueAt}`;
}
