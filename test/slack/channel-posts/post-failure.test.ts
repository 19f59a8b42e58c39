import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { postFailure } from '../../../src/slack/channel-posts/post-failure.js';

const platform = (error: string) => new WebAPIPlatformError({ ok: false, error });
const request = (code?: string) =>
  new WebAPIRequestError(
    new TypeError('fetch failed', code ? { cause: Object.assign(new Error(code), { code }) } : {}),
  );

describe('a failed call of Slack', () => {
  it.each([
    ['channel_not_found', 'channel_gone'],
    ['is_archived', 'channel_gone'],
    ['not_in_channel', 'channel_gone'],
    ['restricted_action', 'channel_gone'],
    ['invalid_auth', 'token_revoked'],
    ['account_inactive', 'token_revoked'],
    ['token_revoked', 'token_revoked'],
    ['missing_scope', 'missing_scope'],
    ['duplicate_message_not_found', 'duplicate'],
    ['duplicate_channel_not_found', 'duplicate'],
    ['ratelimited', 'unsent'],
    ['service_unavailable', 'unsent'],
    ['fatal_error', 'unknown'],
    ['internal_error', 'unknown'],
    ['thread_not_found', 'no_thread'],
    ['cannot_reply_to_message', 'no_thread'],
    ['invalid_blocks', 'refused'],
    ['msg_too_long', 'refused'],
    ['a_word_nobody_knows_yet', 'refused'],
    ['<html>Bad gateway</html>', 'unknown'],
    ['', 'unknown'],
  ])('a failed call to Slack with the error “%s” is treated as %s', (word, kind) => {
    expect(postFailure(platform(word)).kind).toBe(kind);
  });

  it.each([
    ['channels:history', 'chat:write,commands', 'slack.missing_scope:channels:history'],
    // Slack names the scopes for every kind of channel: missing are those of them that Scandesk asks for.
    [
      'channels:history,groups:history,mpim:history,im:history',
      'chat:write',
      'slack.missing_scope:channels:history,groups:history',
    ],
    ['channels:history,groups:history', 'chat:write,groups:history', 'slack.missing_scope:channels:history'],
    ['admin.users:read', '', 'slack.missing_scope:admin.users:read'],
    ['<!channel>', undefined, 'slack.missing_scope'],
    [undefined, undefined, 'slack.missing_scope'],
  ])('a call to Slack that needs the scopes “%s” and has “%s” fails with the code %s', (needed, provided, code) => {
    const error = new WebAPIPlatformError({ ok: false, error: 'missing_scope', needed, provided } as never);
    expect(postFailure(error)).toEqual({ kind: 'missing_scope', code });
  });

  it.each([
    [400, 'unsent'],
    [403, 'unsent'],
    [407, 'unsent'],
    [408, 'unknown'],
    [500, 'unknown'],
    [502, 'unknown'],
    [504, 'unknown'],
  ])('a failed call to Slack with HTTP %d is treated as %s', (status, kind) => {
    expect(postFailure(new WebAPIHTTPError(status, '', {}, ''))).toEqual({ kind, code: `slack.http_${status}` });
  });

  it.each([
    ['ECONNREFUSED', 'unsent'],
    ['ENOTFOUND', 'unsent'],
    ['UND_ERR_CONNECT_TIMEOUT', 'unsent'],
    ['ECONNRESET', 'unknown'],
    ['UND_ERR_SOCKET', 'unknown'],
    ['UND_ERR_HEADERS_TIMEOUT', 'unknown'],
    [undefined, 'unknown'],
  ])('a failed call to Slack with connection error %s is treated as %s', (code, kind) => {
    expect(postFailure(request(code)).kind).toBe(kind);
  });

  it('a call to Slack that was refused at every address of the host is treated as unsent', () => {
    const refused = Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
    const all = new TypeError('fetch failed', { cause: new AggregateError([refused, refused]) });
    expect(postFailure(new WebAPIRequestError(all)).kind).toBe('unsent');
  });

  it('a rate-limited call to Slack is treated as unsent, with the wait that Slack asks for', () => {
    expect(postFailure(new WebAPIRateLimitedError(30))).toEqual({
      kind: 'unsent',
      code: 'slack.ratelimited',
      afterMs: 30_000,
    });
  });

  it('a call to Slack that fails with an error of no known kind is treated as unknown', () => {
    for (const thrown of [new Error('?'), 'text', undefined, null, 5]) {
      expect(postFailure(thrown).kind).toBe('unknown');
    }
  });
});
