/** The maker of reports' posts: the counted figures, the pause where a channel takes no posts, and the notice of that. */
import type { Log } from '../log.js';
import type { Owner } from '../ownership.js';
import type { NoticePost, OutboxPost, PostMaker } from '../posts/index.js';
import type { CountReport } from './count.js';
import type { Report } from './report.js';
import type { ReportNotice, ReportPost } from './report-post.js';

export function createReportMaker(deps: {
  find(owner: Owner, id: string): Promise<Report | undefined>;
  pauseFor(post: OutboxPost, refused: Parameters<PostMaker['gone']>[1]): Promise<boolean>;
  readonly count: CountReport;
  readonly log: Log;
}): PostMaker {
  const { find, pauseFor, count, log } = deps;
  return {
    async of(post): Promise<ReportPost | NoticePost<ReportNotice> | 'over' | undefined> {
      const { key, generation, owner, channel, source, kind, detail } = post;
      const report = await find(owner, source.id);
      if (kind === 'notice') {
        return report?.paused
          ? { key, generation, owner, channel, kind, notice: { what: 'report_paused', report } }
          : 'over';
      }
      // A post that an older version left in doubt has no figures: they are counted now.
      const content = detail === undefined ? report && (await count(report, report.dueAt)) : JSON.parse(detail);
      return report && { key, generation, owner, channel, kind: 'report', report, content };
    },

    async gone(post, refused) {
      if (post.kind === 'report' && (await pauseFor(post, refused))) {
        log.warn({ report: post.source.id, ...refused }, 'a report was paused: it cannot be posted');
      }
      return 'reject';
    },
  };
}
