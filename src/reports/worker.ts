/**
 * Posts due reports. An attempt is recorded before it is made; a post that may have been sent is searched for before
 * anything is sent again. What cannot be posted in time is missed, and the next post says so.
 */
import type { Clock, Random } from '../clock.js';
import { codeOf } from '../errors.js';
import type { Log } from '../log.js';
import type { Metrics } from '../metrics.js';
import { createBoundedCall } from '../posts/bounded-call.js';
import { backoff, type DeliveryTimes, usualTimes } from '../posts/delivery-times.js';
import type { FindOutcome, PostOutcome } from '../posts/index.js';
import { duplicate } from '../posts/unconfirmed.js';
import type { CountReport, MissingPart } from './count.js';
import { lastDue, nextDue } from './days.js';
import type { ReportPublisher } from './publisher.js';
import type { ReportPause } from './report.js';
import { type ClaimedReport, never, type ReportChange, type ReportStore } from './table.js';

export interface ReportWorkerDeps {
  readonly store: ReportStore;
  readonly count: CountReport;
  readonly publisher: ReportPublisher;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Unique among all processes that ever run on this store. */
  readonly instanceId: string;
  readonly times?: Partial<DeliveryTimes>;
}

/** A report that is later than that is missed. */
export const graceMs = 3 * 60 * 60_000;
/** Longer than a post takes; counting renews it. */
export const claimMs = 60_000;
const longestBackoffMs = 5 * 60_000;
const atOnce = 3;
/** Failing days in a row before it pauses. */
const mostFailingDays = 3;
const mostNotices = 20;

const pauses: Readonly<Record<MissingPart, ReportPause>> = {
  relay: 'relay_gone',
  search: 'search_gone',
  connection: 'not_connected',
};

/** Works on what is due; returns how many reports that was. */
export type WorkOnReports = () => Promise<number>;

export function createReportWorker(deps: ReportWorkerDeps): WorkOnReports {
  const { store, count, publisher, clock, random, log, metrics, instanceId } = deps;
  const times = { ...usualTimes, longestBackoffMs, ...deps.times };
  const bounded = createBoundedCall({ clock, log, ms: times.postTimeoutMs });
  const timeOf = ({ owner }: ClaimedReport) => bounded(() => publisher.time(owner), clock.now());
  const wait = (failures: number) => backoff(failures + 1, times, random);

  const postOf = ({ id, owner, channel, dueAt }: ClaimedReport) => ({
    ...{ key: `report.${id}.${dueAt}`, owner, channel, generation: 0 },
  });

  const change = async (report: ClaimedReport, outcome: string, what: ReportChange): Promise<void> => {
    metrics.reports.inc({ outcome });
    if (!(await store.change(report, what))) {
      log.info({ report: report.id, outcome }, 'a report was changed or claimed elsewhere meanwhile');
    }
  };

  /** To the next time of its schedule. */
  const advance = (report: ClaimedReport): ReportChange => {
    const dueAt = nextDue(report, Math.max(clock.now(), report.dueAt));
    return { dueAt, nextAt: dueAt, attemptAt: null, pausing: null, failures: 0 };
  };

  const delivered = async (report: ClaimedReport, outcome: string): Promise<void> => {
    const postedAt = clock.now();
    const { pausing } = report;
    await change(report, outcome, {
      ...{ ...advance(report), missed: 0, lastCode: null, postedAt },
      ...(pausing ? { nextAt: never, paused: { at: postedAt, why: pausing } } : {}),
    });
  };

  const miss = async (report: ClaimedReport, days: number, code?: string): Promise<void> => {
    const missed = report.missed + days;
    const isFailing = (report.failures > 0 || code !== undefined) && missed >= mostFailingDays;
    log.warn({ report: report.id, code: code ?? report.lastCode, missed }, 'a report was not posted in time');
    await change(report, 'missed', {
      ...{ ...advance(report), missed, ...(code === undefined ? {} : { lastCode: code }) },
      ...(isFailing
        ? { nextAt: clock.now(), paused: { at: clock.now(), why: 'failing' as const }, noticeDue: true }
        : {}),
    });
  };

  const later = (report: ClaimedReport, code: string, afterMs = 0): Promise<void> =>
    change(report, 'retry', {
      ...{ attemptAt: null, pausing: null, failures: report.failures + 1, lastCode: code },
      nextAt: Math.ceil(clock.now() + Math.max(afterMs, wait(report.failures))),
    });

  const gone = async (
    report: ClaimedReport,
    { why, code }: { why: 'channel_gone' | 'token_revoked'; code: string },
  ) => {
    log.warn({ report: report.id, why, code }, 'a report was paused: it cannot be posted');
    // Without access nobody can be notified; the list of reports shows it.
    const noticeDue = why === 'channel_gone';
    const now = clock.now();
    await change(report, 'gone', {
      ...{ paused: { at: now, why }, noticeDue, nextAt: noticeDue ? now : never },
      ...{ attemptAt: null, failures: 0, lastCode: code },
    });
  };

  const confirm = async (report: ClaimedReport, attemptAt: number): Promise<void> => {
    const askedAt = await timeOf(report);
    const search = (signal: AbortSignal) => publisher.find(postOf(report), attemptAt, signal);
    const found = await bounded<FindOutcome>(search, { outcome: 'retry', code: 'relay.find_timeout' });
    switch (found.outcome) {
      case 'found':
        return delivered(report, 'recovered');
      case 'absent': {
        const passed = (found.beganAt ?? askedAt) - attemptAt;
        if (report.lastCode === duplicate && passed > times.duplicateGiveUpMs) {
          // Slack has it, but does not show it.
          return change(report, 'unknown', { ...advance(report), lastCode: duplicate });
        }
        return change(report, 'retry', {
          ...(passed >= times.absentAfterMs && report.lastCode !== duplicate
            ? { attemptAt: null, pausing: null, nextAt: clock.now() }
            : {
                // A clock that was set back starts the wait anew.
                attemptAt: Math.min(attemptAt, askedAt),
                nextAt: Math.ceil(
                  clock.now() + Math.min(times.absentAfterMs, Math.max(1_000, times.absentAfterMs - passed)),
                ),
              }),
        });
      }
      case 'retry':
        if (clock.now() - report.dueAt > times.giveUpMs) {
          return change(report, 'unknown', { ...advance(report), lastCode: found.code });
        }
        return change(report, 'retry', {
          failures: report.failures + 1,
          nextAt: Math.ceil(clock.now() + Math.max(found.afterMs ?? 0, wait(report.failures))),
        });
      case 'gone':
        return gone(report, found);
      case 'refused':
        return change(report, 'unknown', { ...advance(report), lastCode: found.code });
    }
  };

  const send = async (claimed: ClaimedReport): Promise<void> => {
    let renewAt = clock.now() + claimMs / 3;
    const content = await count(claimed, claimed.dueAt, async () => {
      if (clock.now() >= renewAt) {
        renewAt = clock.now() + claimMs / 3;
        if (!(await store.renew(claimed, clock.now() + claimMs))) {
          throw new LostClaim();
        }
      }
    });
    const pausing = 'missing' in content ? pauses[content.missing] : undefined;
    const attemptAt = await timeOf(claimed);
    const report = { ...claimed, attemptAt, ...(pausing ? { pausing } : {}) };
    const begun = { attemptAt, pausing: pausing ?? null, until: clock.now() + claimMs };
    if (!(await store.change(report, begun, true))) {
      return;
    }
    const outcome = await bounded<PostOutcome>(
      (signal) => publisher.post({ ...postOf(report), report, content }, signal),
      {
        outcome: 'unconfirmed',
        code: 'relay.post_timeout',
      },
    );
    switch (outcome.outcome) {
      case 'delivered':
        return delivered(report, 'delivered');
      case 'retry':
        return later(report, outcome.code, outcome.afterMs);
      case 'unconfirmed':
      case 'duplicate': {
        const lastCode = outcome.outcome === 'duplicate' ? duplicate : outcome.code;
        return change(report, 'doubt', { lastCode, nextAt: clock.now() + times.unconfirmedMs });
      }
      case 'gone':
        return gone(report, outcome);
      case 'no_thread':
      case 'refused':
        return miss(report, 1, outcome.code);
    }
  };

  const notify = async (report: ClaimedReport): Promise<void> => {
    const done = { noticeDue: false, nextAt: never, failures: 0 };
    try {
      if (report.noticeDue) {
        await publisher.notifyPaused(report);
      }
      await store.change(report, done);
    } catch (error) {
      log.warn({ report: report.id, code: codeOf(error) }, 'the maker of a report was not notified yet');
      const again = { failures: report.failures + 1, nextAt: Math.ceil(clock.now() + wait(report.failures)) };
      await store.change(report, report.failures >= mostNotices ? done : again);
    }
  };

  const work = async (claimed: ClaimedReport): Promise<void> => {
    if (claimed.paused) {
      return notify(claimed);
    }
    if (claimed.attemptAt !== undefined) {
      return confirm(claimed, claimed.attemptAt);
    }
    const now = clock.now();
    const { at, before } = lastDue(claimed, claimed.dueAt, now);
    if (now - at > graceMs) {
      return miss(claimed, before + 1);
    }
    if (before === 0) {
      return send(claimed);
    }
    const report = { ...claimed, dueAt: at, missed: claimed.missed + before };
    if (await store.change(report, { dueAt: at, missed: report.missed }, true)) {
      await send(report);
    }
  };

  return async () => {
    const now = clock.now();
    const claimed = await store.claim(instanceId, now, now + claimMs, atOnce);
    await Promise.all(
      claimed.map((report) =>
        work(report).catch(async (error: unknown) => {
          if (error instanceof LostClaim) {
            return;
          }
          log.error({ report: report.id, err: error, code: codeOf(error) }, 'a report could not be made');
          const again = { failures: report.failures + 1, lastCode: codeOf(error) };
          await store.change(report, { ...again, nextAt: Math.ceil(clock.now() + wait(report.failures)) });
        }),
      ),
    );
    return claimed.length;
  };
}

/** Somebody else works on the report, or changed it. */
class LostClaim extends Error {}
