/** Error codes between Scandesk and Slack. */
import { ErrorCode } from '@slack/web-api';
import { AccountError } from '../../codereadr/types.js';
import { codeOf, ScandeskError } from '../../errors.js';

/**
 * - `slack.not_installed`: no token for this workspace.
 * - `slack.not_allowed`: the person lacks the permission; `why` says which rule.
 * - `slack.not_connected`: no API key is stored for this workspace.
 * - `slack.other_account`: the ids in the request belong to a connection that was replaced.
 * - `slack.window_late`: Slack no longer opens a modal (a trigger lives 3 seconds).
 * - `slack.card_old`: the message is too old: its record has expired.
 * - `slack.report_gone`: the report was deleted; `by` says by whom, where that is on record.
 * - `slack.response_url`: a post to a response_url failed or timed out.
 * - `slack.typed_key`: what was typed looks like an API key, or is the connected one.
 * - `slack.typed_nul`: what was typed holds a NUL.
 * - `slack.state`: a view or button came back in an unknown shape (made by another version), or cannot be made.
 */
export type SlackErrorCode =
  | 'slack.not_installed'
  | 'slack.not_allowed'
  | 'slack.not_connected'
  | 'slack.other_account'
  | 'slack.window_late'
  | 'slack.card_old'
  | 'slack.report_gone'
  | 'slack.response_url'
  | 'slack.typed_key'
  | 'slack.typed_nul'
  | 'slack.state';

export type NotAllowedReason = 'guest' | 'bot' | 'deactivated' | 'external' | 'not_manager' | 'not_admin' | 'unknown';

export class SlackError extends ScandeskError {
  declare readonly code: SlackErrorCode;
  readonly why?: NotAllowedReason;
  /** The command to run again, for a message whose record has expired. */
  readonly command?: string;
  /** Slack user id of the person who deleted the report. */
  readonly by?: string;

  constructor(
    code: SlackErrorCode,
    message: string,
    details: { cause?: unknown; why?: NotAllowedReason; command?: string; by?: string | undefined } = {},
  ) {
    super(code, message, details);
    if (details.command !== undefined) this.command = details.command;
    if (details.by !== undefined) this.by = details.by;
    if (details.why !== undefined) this.why = details.why;
  }
}

/** Slack's error code (`channel_not_found`); undefined for any other error. */
export function slackErrorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('data' in error)) {
    return undefined;
  }
  const { data } = error;
  return typeof data === 'object' && data !== null && 'error' in data && typeof data.error === 'string'
    ? data.error
    : undefined;
}

/** Codes for a subject of a message or a form that was deleted, or has expired. */
const goneCodes: ReadonlySet<string> = new Set([
  ...['slack.card_old', 'slack.report_gone', 'relay.post_gone', 'relay.no_such_relay'],
]);

/** Whether a refusal is no failure of Scandesk: somebody in the workspace can remove its cause, or made it. */
export function isExpected(error: unknown): boolean {
  if (error instanceof ScandeskError && goneCodes.has(error.code)) {
    return true;
  }
  return error instanceof SlackError
    ? ['slack.not_connected', 'slack.typed_key', 'slack.typed_nul'].includes(error.code) ||
        (error.code === 'slack.not_allowed' && error.why !== 'unknown')
    : error instanceof AccountError && error.code === 'account.quota';
}

/** Slack's error codes for its own outages. */
const outageCodes: ReadonlySet<string> = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
]);

/** Whether Slack has an outage: by its error code, by HTTP status, or by an HTML page in place of an answer. */
export function isSlackOutage(error: unknown): boolean {
  const { statusCode } = (error ?? {}) as { readonly statusCode?: unknown };
  const code = slackErrorCode(error);
  return typeof statusCode === 'number'
    ? statusCode >= 500
    : code !== undefined && (outageCodes.has(code) || !/^\w+$/.test(code));
}

/** The wait in ms before a retry after a rate limit, an outage or a broken connection; undefined after other errors. */
export function slackPause(error: unknown): number | undefined {
  const { retryAfter } = (error ?? {}) as { readonly retryAfter?: unknown };
  if (typeof retryAfter === 'number') {
    return retryAfter * 1_000;
  }
  return isSlackOutage(error) || isBrokenConnection(error) ? 500 : undefined;
}

/** Whether the connection broke before Slack answered: the call may have taken effect. */
export function isBrokenConnection(error: unknown): boolean {
  return codeOf(error) === ErrorCode.RequestError;
}
