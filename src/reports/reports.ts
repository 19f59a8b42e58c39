/** Daily reports: what people change, and the background work that posts them. Independent of Slack. */
import { DateTime } from 'luxon';
import type { Clock, Random } from '../clock.js';
import { createIds } from '../database/ids.js';
import { codeOf } from '../errors.js';
import type { Owner } from '../ownership.js';
import { createPoller, type Poller } from '../poller.js';
import type { PostMaker } from '../posts/index.js';
import type { Store } from '../workspaces/types.js';
import { type CountReportDeps, createCountReport, type MissingPart, type ReportContent } from './count.js';
import { nextDue } from './days.js';
import { createReportMaker } from './maker.js';
import type { Report, ReportFields } from './report.js';
import { createReportStore } from './report-rows.js';
import { createReportWorker, type ReportWorkerDeps } from './worker.js';

/** How many reports a workspace may have. */
export const mostReports = 30;

const pollEveryMs = 5_000;

export function createReports(
  deps: CountReportDeps & {
    readonly store: Pick<Store, 'db'>;
    readonly clock: Clock;
    readonly random: Random;
  },
) {
  const { clock } = deps;
  const store = createReportStore(deps.store.db);
  const count = createCountReport(deps);
  const makeId = createIds(clock, deps.random);
  return {
    async create(owner: Owner, fields: ReportFields, createdBy: string): Promise<Report> {
      const now = clock.now();
      const report = {
        id: makeId(),
        owner,
        ...fields,
        createdBy,
        createdAt: now,
        missed: 0,
        dueAt: nextDue(fields, now),
      };
      await store.insert(report);
      return report;
    },
    list: (owner: Owner): Promise<readonly Report[]> => store.list(owner),
    find: (owner: Owner, id: string): Promise<Report | undefined> => store.find(owner, id),
    /** Changes a report and begins its schedule anew, also if it was paused. False: the report is deleted. */
    change: (owner: Owner, report: Report, fields: Partial<ReportFields>): Promise<boolean> =>
      store.update(owner, report.id, fields, nextDue({ ...report, ...fields }, clock.now()), clock.now()),
    pause: (owner: Owner, id: string): Promise<boolean> => store.pause(owner, id, clock.now()),
    remove: (owner: Owner, id: string): Promise<boolean> => store.remove(owner, id, clock.now()),
    /** The content of the report if it were posted now. */
    preview(report: Report): Promise<ReportContent | { readonly missing: MissingPart }> {
      const now = clock.now();
      const { hour, minute } = DateTime.fromMillis(now, { zone: report.zone });
      return count({ ...report, hour, minute }, now);
    },
  };
}

export type Reports = ReturnType<typeof createReports>;

/** The posts of reports: the timer puts due ones into the outbox, which asks the maker for their content. */
export function createReportPosts(
  deps: CountReportDeps & Omit<ReportWorkerDeps, 'store' | 'count'> & { readonly store: Pick<Store, 'db'> },
): { readonly timer: Poller; readonly maker: PostMaker } {
  const { clock, log } = deps;
  const store = createReportStore(deps.store.db);
  const count = createCountReport(deps);
  const worker = createReportWorker({ ...deps, store, count });
  return {
    maker: createReportMaker({ store, count, clock, log, onNotices: deps.onNotices }),
    timer: createPoller({
      clock,
      everyMs: pollEveryMs,
      async poll(stopping) {
        while ((await worker()) > 0 && !stopping.aborted) {
          // The timer works until no report is due.
        }
      },
      onFailure: (error) => log.error({ err: error, code: codeOf(error) }, 'due reports could not be read'),
    }),
  };
}
