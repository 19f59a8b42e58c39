/**
 * Owns what can go wrong between Scandesk and Slack, as stable codes.
 */
import { AccountError } from '../../codereadr/types.js';
import { ScandeskError } from '../../errors.js';

/**
 * - `slack.not_installed`: no token for this workspace.
 * - `slack.not_allowed`: the person may not do it; `why` says which rule.
 * - `slack.not_connected`: no API key is stored for this workspace.
 * - `slack.other_account`: what is to be acted on belongs to an account that was connected before this one.
 * - `slack.window_late`: Slack would not open a window any more (a click opens one within 3 seconds).
 * - `slack.card_old`: a card is to be changed that was made too long ago to know what it said.
 * - `slack.response_url`: what was to be said through a response_url was not taken, or not in time.
 * - `slack.state`: a view or button came back in a shape it was not made in (made by another version).
 */
export type SlackErrorCode =
  | 'slack.not_installed'
  | 'slack.not_allowed'
  | 'slack.not_connected'
  | 'slack.other_account'
  | 'slack.window_late'
  | 'slack.card_old'
  | 'slack.response_url'
  | 'slack.state';

export type NotAllowedReason = 'guest' | 'stranger' | 'not_manager' | 'not_admin' | 'unknown';

export class SlackError extends ScandeskError {
  declare readonly code: SlackErrorCode;
  readonly why?: NotAllowedReason;

  constructor(code: SlackErrorCode, message: string, details: { cause?: unknown; why?: NotAllowedReason } = {}) {
    super(code, message, details);
    if (details.why !== undefined) this.why = details.why;
  }
}

/** Slack's own word for what it refused (`channel_not_found`), undefined when it was no refusal of Slack. */
export function slackWord(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('data' in error)) {
    return undefined;
  }
  const { data } = error;
  return typeof data === 'object' && data !== null && 'error' in data && typeof data.error === 'string'
    ? data.error
    : undefined;
}

/** The scope that Slack missed, where it says which. */
export function neededScope(error: unknown): string | undefined {
  const data = (error as { data?: { needed?: unknown } } | undefined)?.data;
  return typeof data?.needed === 'string' && /^[\w:.,-]+$/.test(data.needed) ? data.needed.split(',')[0] : undefined;
}

/** A state that is as it should be: nothing failed, and somebody can change it. */
export function isExpected(error: unknown): boolean {
  return error instanceof SlackError
    ? error.code === 'slack.not_connected' || (error.code === 'slack.not_allowed' && error.why !== 'unknown')
    : error instanceof AccountError && error.code === 'account.quota';
}

/** Slack's own words for trouble of its own. */
const slacksOwn: ReadonlySet<string> = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
]);

/** Slack itself is in trouble: it says so, its HTTP status does, or a page in the place of an answer has no word of its own. */
export function isSlackTrouble(error: unknown): boolean {
  const { statusCode } = (error ?? {}) as { readonly statusCode?: unknown };
  const word = slackWord(error);
  return typeof statusCode === 'number'
    ? statusCode >= 500
    : word !== undefined && (slacksOwn.has(word) || !/^\w+$/.test(word));
}

/** How long to wait, in milliseconds, before what Slack answered with trouble of its own is asked again; undefined for all else. */
export function slackPause(error: unknown): number | undefined {
  const { retryAfter } = (error ?? {}) as { readonly retryAfter?: unknown };
  if (typeof retryAfter === 'number') {
    return retryAfter * 1_000;
  }
  return isSlackTrouble(error) ? 500 : undefined;
}
