/** Posts of reports as a publisher gets them: with the figures, and notices to their makers. */
import type { AnyPost } from '../posts/index.js';
import type { MissingPart, ReportContent } from './count.js';
import type { Report } from './report.js';

export interface ReportPost extends AnyPost {
  readonly kind: 'report';
  readonly report: Report;
  readonly content: ReportContent | { readonly missing: MissingPart };
}

/** The notice to a report's maker: why the report is paused. */
export interface ReportNotice {
  readonly what: 'report_paused';
  readonly report: Report;
}
