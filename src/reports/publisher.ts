/** Publisher interface between reports and Slack: what is posted, and the outcome. */
import type { Owner } from '../ownership.js';
import type { AnyPost, Publisher } from '../posts/index.js';
import type { MissingPart, ReportContent } from './count.js';
import type { Report } from './report.js';

/** `key` is in the message's metadata, so that an unconfirmed post can be found. */
export interface ReportPost extends AnyPost {
  readonly report: Report;
  readonly content: ReportContent | { readonly missing: MissingPart };
}

export interface ReportPublisher extends Pick<Publisher<ReportPost>, 'post' | 'find'> {
  /** The channel's time, which `find` goes by. Never rejects. */
  time(owner: Owner): Promise<number>;
  /** Notifies the report's maker in private why it is paused. Rejects if it was not delivered. */
  notifyPaused(report: Report): Promise<void>;
}
