/**
 * Classifies a failed Slack Web API call: not posted, possibly posted, or never deliverable. When Slack's error is
 * ambiguous, the post counts as possibly posted: Scandesk then searches for it before it posts again.
 */
import { ErrorCode } from '@slack/web-api';
import { codeOf } from '../../errors.js';
import { missingScopeCode, missingScopes } from '../bolt/scopes.js';

export interface PostFailure {
  readonly kind:
    | 'unsent'
    | 'unknown'
    | 'channel_gone'
    | 'token_revoked'
    /** The app lacks a scope, which the code names (see `scopes.ts`). Nothing was done. */
    | 'missing_scope'
    /** Slack already has this message. */
    | 'duplicate'
    /** For a reply: nothing was posted, because its parent is gone. */
    | 'no_thread'
    | 'refused';
  readonly code: string;
  /** The delay that Slack asked for, where nothing was posted (`unsent`). */
  readonly afterMs?: number;
}

/** Source: docs.slack.dev, errors of chat.postMessage and conversations.history. */
const channelGone = new Set([
  'channel_not_found',
  'is_archived',
  'not_in_channel',
  'is_inactive',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_locked',
  'restricted_action_thread_only_channel',
  'restricted_action_non_threadable_channel',
]);

const accessGone = new Set([
  'access_denied',
  'account_inactive',
  'ekm_access_denied',
  'enterprise_is_restricted',
  'invalid_auth',
  'no_permission',
  'not_allowed_token_type',
  'not_authed',
  'org_login_required',
  'team_access_not_granted',
  'team_not_found',
  'token_expired',
  'token_revoked',
  'two_factor_setup_required',
  'user_is_bot',
]);

const threadGone = new Set(['cannot_reply_to_message', 'invalid_thread_ts', 'thread_not_found']);

/** Errors that Slack returns before it does anything; a retry is likely to succeed. */
const transient = new Set([
  'accesslimited',
  'message_limit_exceeded',
  'rate_limited',
  'ratelimited',
  'request_timeout',
  'service_unavailable',
  'team_added_to_org',
]);

/** Slack says of them: "Some aspect of the operation may have succeeded before the error was raised." */
const halfDone = new Set(['fatal_error', 'internal_error', 'rollup_error']);

/** Errors of a connection that was never established, so nothing can have arrived. */
const neverConnected = new Set([
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether the error means that the channel takes no posts from Scandesk: `slack.is_archived`. */
export function isChannelGone(code: string): boolean {
  return channelGone.has(code.replace(/^slack\./, ''));
}

export function postFailure(error: unknown): PostFailure {
  const fields = error as { code?: unknown; data?: unknown; retryAfter?: unknown; statusCode?: unknown };
  switch (codeOf(error)) {
    case ErrorCode.PlatformError:
      return refusal(fields.data);
    case ErrorCode.RateLimitedError:
      return unsent('slack.ratelimited', Number(fields.retryAfter));
    case ErrorCode.HTTPError:
      return httpFailure(Number(fields.statusCode));
    case ErrorCode.RequestError:
      return requestFailure(error);
    case 'slack.not_installed':
      return { kind: 'token_revoked', code: 'slack.not_installed' };
    default:
      return { kind: 'unknown', code: `slack.${codeOf(error)}` };
  }
}

function unsent(code: string, seconds?: number): PostFailure {
  return { kind: 'unsent', code, afterMs: seconds !== undefined && seconds >= 0 ? seconds * 1_000 : undefined };
}

function refusal(data: unknown): PostFailure {
  const answer = data as { error?: unknown; needed?: unknown; response_metadata?: { retryAfter?: number } };
  const { error, response_metadata: meta } = answer;
  // The client puts a non-JSON body here, such as a proxy's error page.
  if (typeof error !== 'string' || !/^[a-z0-9_]{1,100}$/.test(error)) {
    return { kind: 'unknown', code: 'slack.broken_answer' };
  }
  const code = `slack.${error}`;
  if (error === 'missing_scope') {
    return { kind: 'missing_scope', code: missingScopeCode(missingScopes(answer)) };
  }
  // duplicate_message_not_found and duplicate_channel_not_found both concern an earlier client_msg_id.
  if (error.startsWith('duplicate_')) {
    return { kind: 'duplicate', code };
  }
  if (channelGone.has(error)) {
    return { kind: 'channel_gone', code };
  }
  if (accessGone.has(error)) {
    return { kind: 'token_revoked', code };
  }
  if (threadGone.has(error)) {
    return { kind: 'no_thread', code };
  }
  if (transient.has(error)) {
    return unsent(code, meta?.retryAfter);
  }
  return { kind: halfDone.has(error) ? 'unknown' : 'refused', code };
}

function httpFailure(status: number): PostFailure {
  const code = `slack.http_${status}`;
  // A proxy can return 408 and 5xx after it has forwarded the request.
  return status >= 400 && status < 500 && status !== 408 ? unsent(code) : { kind: 'unknown', code };
}

function requestFailure(error: unknown): PostFailure {
  for (let cause = error; typeof cause === 'object' && cause !== null; cause = next(cause)) {
    const code = codeOf(cause);
    if (neverConnected.has(code)) {
      return unsent(`slack.${code}`);
    }
  }
  return { kind: 'unknown', code: 'slack.request_broken' };
}

function next(error: object): unknown {
  const { original, cause, errors } = error as { original?: unknown; cause?: unknown; errors?: unknown };
  return original ?? cause ?? (Array.isArray(errors) ? errors[0] : undefined);
}
