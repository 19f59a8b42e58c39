/** Daily reports: what people change, and their posts. Each is a job that never ends. Independent of Slack. */
import { DateTime } from 'luxon';
import { createIds } from '../database/ids.js';
import type { NextRun } from '../database/jobs/job.js';
import type { Owner } from '../ownership.js';
import { withdrawPosts } from '../posts/outbox/source-posts.js';
import type { ProcessDeps } from '../process.js';
import { type CountReportDeps, createCountReport, type MissingPart, type ReportContent } from './count.js';
import { nextDue } from './days.js';
import { createReportMaker } from './maker.js';
import type { Report, ReportFields, ReportState } from './report.js';
import { defineReports, pausedBy, pausedNotice, type ReportJobDeps, reportOf } from './report-job.js';

/** How many reports a workspace may have. */
export const mostReports = 30;

export function createReports(deps: CountReportDeps & Omit<ReportJobDeps, 'count'> & Pick<ProcessDeps, 'random'>) {
  const { clock, notices } = deps;
  const count = createCountReport(deps);
  const jobs = defineReports({ ...deps, count });
  const makeId = createIds(clock, deps.random);

  /** Changes a report, and withdraws a post that waits. False: there is no such report, or nothing to change. */
  const changeReport = (
    owner: Owner,
    id: string,
    decide: (report: Report) => NextRun<ReportState> | undefined,
  ): Promise<boolean> =>
    jobs.change(owner, id, (job) => {
      const next = decide(reportOf(job));
      return (
        next && {
          ...next,
          async work(trx) {
            await withdrawPosts(trx, { owner, source: { kind: 'report', id } }, 'report.changed', clock.now());
            await next.work?.(trx);
          },
        }
      );
    });

  const find = async (owner: Owner, id: string): Promise<Report | undefined> => {
    const job = await jobs.find(owner, id);
    return job && reportOf(job);
  };

  return {
    async create(owner: Owner, fields: ReportFields, createdBy: string): Promise<Report> {
      const state = { ...fields, createdBy, missed: 0, dueAt: nextDue(fields, clock.now()) };
      const id = makeId();
      await jobs.put(owner, id, state, { dueAt: state.dueAt });
      return { ...state, id, owner, createdAt: clock.now() };
    },
    list: async (owner: Owner): Promise<readonly Report[]> => (await jobs.list(owner)).map(reportOf),
    find,
    /** Changes a report and begins its schedule anew, also if it was paused. False: the report is deleted. */
    change: (owner: Owner, { id }: Pick<Report, 'id'>, fields: Partial<ReportFields>): Promise<boolean> =>
      changeReport(owner, id, (report) => {
        const dueAt = nextDue({ ...report, ...fields }, clock.now());
        const anew = { paused: undefined, attemptAt: undefined, pausing: undefined, lastCode: undefined, missed: 0 };
        return { dueAt, change: { ...fields, ...anew, dueAt } };
      }),
    pause: (owner: Owner, id: string): Promise<boolean> =>
      changeReport(owner, id, () => pausedBy('person', clock.now(), { lastCode: undefined })),
    remove: (owner: Owner, id: string): Promise<boolean> => changeReport(owner, id, () => ({})),
    /** The content of the report if it were posted now. */
    preview(report: Report): Promise<ReportContent | { readonly missing: MissingPart }> {
      const now = clock.now();
      const { hour, minute } = DateTime.fromMillis(now, { zone: report.zone });
      return count({ ...report, hour, minute }, now);
    },
    maker: createReportMaker({
      find,
      count,
      log: deps.log,
      /** Pauses a report whose post Slack refuses in the channel, unless the report is paused already. */
      pauseFor: ({ owner, source: { id } }, { why, code }) =>
        changeReport(owner, id, (report) => {
          const next = pausedBy(why, clock.now(), { lastCode: code });
          const notice = pausedNotice({ ...report, ...next.change });
          // Without access to the workspace nobody can be notified; the list of reports shows it.
          const isNotified = why === 'channel_gone';
          return report.paused ? undefined : { ...next, work: async (trx) => isNotified && notices.add(notice, trx) };
        }),
    }),
  };
}

export type Reports = ReturnType<typeof createReports>;
