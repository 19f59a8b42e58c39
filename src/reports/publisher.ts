/** Publisher interface between reports and Slack: what is posted, and the outcome. */
import type { AnyPost, FindOutcome, PostOutcome } from '../relay/index.js';
import type { MissingPart, ReportContent } from './count.js';
import type { Report } from './report.js';

/** `key` is in the message's metadata, so that an unconfirmed post can be found. */
export interface ReportPost extends Pick<AnyPost, 'key' | 'owner' | 'channel' | 'generation'> {
  readonly report: Report;
  readonly content: ReportContent | { readonly missing: MissingPart };
}

export interface ReportPublisher {
  /** The channel's time, which `find` goes by. Never rejects. */
  time(owner: AnyPost['owner']): Promise<number>;
  post(post: ReportPost, signal: AbortSignal): Promise<PostOutcome>;
  /** Searches the channel for the post since `since`, a value of `time`. */
  find(post: Pick<AnyPost, 'key' | 'owner' | 'channel'>, since: number, signal: AbortSignal): Promise<FindOutcome>;
  /** Notifies the report's maker in private why it is paused. Rejects if it was not delivered. */
  notifyPaused(report: Report): Promise<void>;
}
