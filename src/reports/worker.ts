/**
 * Work on due reports: each is counted and enters the outbox as a post, once for each time of its schedule; the outcome
 * of the post is read from the outbox. A report that was not posted in time is missed, and the next one says so.
 */
import { backoff } from '../database/backoff.js';
import { never } from '../database/claims/due-rows.js';
import { codeOf } from '../errors.js';
import { usualTimes } from '../posts/delivery-times.js';
import { postKinds } from '../posts/kinds.js';
import type { ProcessDeps } from '../process.js';
import type { CountReport, MissingPart } from './count.js';
import { lastDue, nextDue } from './days.js';
import type { ReportPause } from './report.js';
import { type ClaimedReport, keyOf, type ReportChange, type ReportStore } from './report-rows.js';

export interface ReportWorkerDeps extends ProcessDeps {
  readonly store: ReportStore;
  readonly count: CountReport;
  /** Called when a report's post entered the outbox. */
  readonly onPosts: () => void;
  /** Called when a notice is due. */
  readonly onNotices: () => void;
}

/** How long a claim on a report lasts; counting its scans renews the claim. */
export const claimMs = 60_000;
const times = { ...usualTimes, longestBackoffMs: 5 * 60_000 };
/** How often a post on its way is checked. */
const checkMs = 5_000;
const reportsAtOnce = 3;
/** After how many missed days in a row a report pauses, if the last one failed. */
const mostFailingDays = 3;

const pauses: Readonly<Record<MissingPart, ReportPause>> = {
  relay: 'relay_gone',
  search: 'search_gone',
  connection: 'not_connected',
};

/** Makes the function that works on due reports, and returns their number. */
export function createReportWorker(deps: ReportWorkerDeps) {
  const { store, count, onPosts, onNotices, clock, random, log, metrics, instanceId } = deps;
  const retryAt = (failures: number) => Math.ceil(clock.now() + backoff(failures + 1, times, random));

  const settle = async (report: ClaimedReport, outcome: string, change: ReportChange): Promise<void> => {
    metrics.reports.inc({ outcome });
    const dueAt = nextDue(report, Math.max(clock.now(), report.dueAt));
    const next = { due_at: dueAt, next_at: dueAt, attempt_at: null, paused_why: null, failures: 0, ...change };
    if (!(await store.change(report, next))) {
      log.info({ report: report.id, outcome }, 'a report was changed or claimed elsewhere meanwhile');
    }
  };

  const miss = async (report: ClaimedReport, days: number, code?: string): Promise<void> => {
    const missed = report.missed + days;
    const isFailing = (report.failures > 0 || code !== undefined) && missed >= mostFailingDays;
    log.warn({ report: report.id, code: code ?? report.lastCode, missed }, 'a report was not posted in time');
    await settle(report, 'missed', {
      missed,
      last_code: code,
      ...(isFailing ? { ...pausedNow('failing', clock.now()), notice: 1 } : {}),
    });
    if (isFailing) {
      onNotices();
    }
  };

  /** Works on a report whose post is in the outbox, or was. */
  const follow = async (report: ClaimedReport): Promise<void> => {
    const post = await store.postOf(report);
    const lastCode = post?.lastCode;
    switch (post?.state) {
      case 'delivered': {
        const { pausing } = report;
        const postedAt = post.finishedAt ?? clock.now();
        return settle(report, post.unconfirmedAt === undefined ? 'delivered' : 'recovered', {
          missed: 0,
          last_code: null,
          posted_at: postedAt,
          ...(pausing ? pausedNow(pausing, postedAt) : {}),
        });
      }
      case 'missed':
        return miss(report, 1, lastCode);
      case 'dead':
        return post.unconfirmedAt === undefined
          ? miss(report, 1, lastCode ?? 'report.refused')
          : settle(report, 'unknown', { last_code: lastCode });
      case undefined:
        return settle(report, 'unknown', {});
      default:
        await store.change(report, { next_at: clock.now() + checkMs, last_code: lastCode ?? report.lastCode ?? null });
    }
  };

  const enqueue = async (report: ClaimedReport): Promise<void> => {
    const { id, owner, channel, dueAt } = report;
    let renewAt = clock.now() + claimMs / 3;
    const content = await count(report, dueAt, async () => {
      if (clock.now() >= renewAt) {
        renewAt = clock.now() + claimMs / 3;
        if (!(await store.renew(report, clock.now() + claimMs))) {
          throw new LostClaim();
        }
      }
    });
    const post = {
      key: keyOf(report),
      queue: { ...owner, channel },
      source: { kind: 'report' as const, id },
      at: dueAt,
      kind: 'report' as const,
      detail: JSON.stringify(content),
    };
    if (await store.enqueue(report, post, 'missing' in content ? pauses[content.missing] : undefined)) {
      onPosts();
    }
  };

  const work = async (claimed: ClaimedReport): Promise<void> => {
    if (claimed.attemptAt !== undefined) {
      return follow(claimed);
    }
    const now = clock.now();
    if (claimed.dueAt > now) {
      // The due time was set by a clock that was wrong, which counted days as missed that had not come.
      const dueAt = nextDue(claimed, now);
      await store.change(claimed, { due_at: dueAt, next_at: dueAt, missed: 0 });
      return;
    }
    const { at, before } = lastDue(claimed, claimed.dueAt, now);
    if (now - at > (postKinds.report.expiresAfterMs ?? 0)) {
      return miss(claimed, before + 1);
    }
    const report = { ...claimed, dueAt: at, missed: claimed.missed + before };
    if (before === 0 || (await store.change(report, { due_at: at, missed: report.missed }, true))) {
      await enqueue(report);
    }
  };

  return async (): Promise<number> => {
    const now = clock.now();
    const reports = await store.claim({ worker: instanceId, until: now + claimMs }, now, reportsAtOnce);
    await Promise.all(
      reports.map((report) =>
        work(report).catch(async (error: unknown) => {
          if (error instanceof LostClaim) {
            return;
          }
          log.error({ report: report.id, err: error, code: codeOf(error) }, 'a report could not be made');
          const again = { failures: report.failures + 1, last_code: codeOf(error) };
          await store.change(report, { ...again, next_at: retryAt(report.failures) });
        }),
      ),
    );
    return reports.length;
  };
}

function pausedNow(why: ReportPause, at: number): ReportChange {
  return { next_at: never, paused_at: at, paused_why: why };
}

/** Another process works on the report, or somebody changed it. */
class LostClaim extends Error {}
