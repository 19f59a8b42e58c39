/** Posts of reports as the outbox asks for them: the figures that were counted, and the pause where a channel takes none. */
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import type { PostMaker } from '../posts/index.js';
import type { CountReport } from './count.js';
import type { ReportPost } from './publisher.js';
import type { ReportStore } from './table.js';

export function createReportMaker(deps: {
  readonly store: Pick<ReportStore, 'find' | 'pauseFor'>;
  readonly count: CountReport;
  readonly clock: Clock;
  readonly log: Log;
}): PostMaker {
  const { store, count, clock, log } = deps;
  return {
    async of({ key, generation, owner, channel, source, detail }): Promise<ReportPost | undefined> {
      const report = await store.find(owner, source.id);
      // A post that an older version left in doubt has no figures: they are counted now.
      const content = detail === undefined ? report && (await count(report, report.dueAt)) : JSON.parse(detail);
      return report && { ...{ key, generation, owner, channel }, kind: 'report', report, content };
    },

    async gone(post, { why, code }) {
      // Without access nobody can be notified; the list of reports shows it.
      if (await store.pauseFor(post, { at: clock.now(), why, code, noticeDue: why === 'channel_gone' })) {
        log.warn({ report: post.source.id, why, code }, 'a report was paused: it cannot be posted');
      }
      return 'reject';
    },
  };
}
