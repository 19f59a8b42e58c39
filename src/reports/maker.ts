/**
 * The maker of reports' posts: the counted figures, the pause where a channel takes no posts, and the notice about
 * that.
 */
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import type { NoticePost, PostMaker } from '../posts/index.js';
import type { CountReport } from './count.js';
import type { ReportNotice, ReportPost } from './report-post.js';
import type { ReportStore } from './report-rows.js';

export function createReportMaker(deps: {
  readonly store: Pick<ReportStore, 'find' | 'pauseFor' | 'withNoticeDue' | 'noticeSent'>;
  readonly count: CountReport;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when a notice is due. */
  readonly onNotices: () => void;
}): PostMaker {
  const { store, count, clock, log, onNotices } = deps;
  return {
    async of(post): Promise<ReportPost | NoticePost<ReportNotice> | 'over' | undefined> {
      const { key, generation, owner, channel, source, kind, detail } = post;
      const report = await store.find(owner, source.id);
      if (kind === 'notice') {
        return report?.paused
          ? { key, generation, owner, channel, kind, notice: { what: 'report_paused', report } }
          : 'over';
      }
      // A post that an older version left in doubt has no figures: they are counted now.
      const content = detail === undefined ? report && (await count(report, report.dueAt)) : JSON.parse(detail);
      return report && { key, generation, owner, channel, kind: 'report', report, content };
    },

    async gone(post, { why, code }) {
      // Without access to the workspace nobody can be notified; the list of reports shows it.
      if (
        post.kind === 'report' &&
        (await store.pauseFor(post, { at: clock.now(), why, code, noticeDue: why === 'channel_gone' }))
      ) {
        log.warn({ report: post.source.id, why, code }, 'a report was paused: it cannot be posted');
        onNotices();
      }
      return 'reject';
    },

    dueNotices: [
      async () =>
        (await store.withNoticeDue()).map((report) => ({
          key: `report.${report.id}.paused.${report.paused?.at}`,
          owner: report.owner,
          detail: '{}',
          source: { kind: 'report', id: report.id },
          people: [report.createdBy],
          sent: () => store.noticeSent(report),
        })),
    ],
  };
}
