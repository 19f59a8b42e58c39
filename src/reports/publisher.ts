/** What Slack is given of reports: a post with its figures, and a notice to its maker. */
import type { AnyPost } from '../posts/index.js';
import type { MissingPart, ReportContent } from './count.js';
import type { Report } from './report.js';

export interface ReportPost extends AnyPost {
  readonly kind: 'report';
  readonly report: Report;
  readonly content: ReportContent | { readonly missing: MissingPart };
}

export interface ReportNotices {
  /** Notifies the report's maker in private why it is paused. Rejects if it was not delivered. */
  notifyPaused(report: Report): Promise<void>;
}
