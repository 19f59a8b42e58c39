import { describe, expect, test } from 'vitest';
import { AccountError, type AccountErrorCode } from '../../../src/codereadr/types.js';
import { ScandeskError } from '../../../src/errors.js';
import { button } from '../../../src/slack/block-kit/elements.js';
import { noticeBlocks } from '../../../src/slack/block-kit/notice.js';
import { richText } from '../../../src/slack/block-kit/text.js';
import { type NotAllowedReason, SlackError, type SlackErrorCode } from '../../../src/slack/bolt/errors.js';
import {
  problemBlocks,
  problemLine,
  problemMessage,
  problemOf,
  problemText,
  problemView,
} from '../../../src/slack/bolt/problem/problem.js';
import { read, shownTexts } from '../block-kit/reading.js';
import { drawMrkdwn } from '../mrkdwn.js';

const againAt = Date.UTC(2026, 4, 1, 12, 35);

const accountErrors: readonly [AccountErrorCode, NonNullable<ConstructorParameters<typeof AccountError>[2]>, RegExp][] =
  [
    ['account.key_refused', { apiCode: '100' }, /refused the connected API key.*\/scandesk connect/s],
    ['account.key_refused', { apiCode: '10' }, /API key isn’t allowed.*\/scandesk connect/s],
    [
      'account.quota',
      { quota: { period: 'minute', left: 0, againAt } },
      /no API calls left this minute\.(?!.*left).*again then/s,
    ],
    [
      'account.quota',
      { quota: { period: 'day', left: 1, againAt } },
      /enough API calls left today.*1 call is left, but this needs more\./s,
    ],
    ['account.quota', {}, /no API calls left.*Try again in a minute/s],
    ['account.unreachable', {}, /can’t be reached.*Try again/s],
    ['account.slow', {}, /too long.*try again/s],
    ['account.broken', {}, /can’t be read.*Try again.*reference/s],
    [
      'account.broken',
      { reason: 'server_error' },
      /account is having trouble.*Try again in a minute\.(?!.*reference)/s,
    ],
    ['account.refused', { apiCode: '1027', apiText: 'Value exists' }, /already/],
    ['account.refused', { apiCode: '9999', apiText: 'The *moon* is <!channel>' }, /9999.*The \*moon\* is <!channel>/s],
    ['account.input', { param: 'valuelike', label: 'Barcode holds' }, /Check “Barcode holds”/],
    ['account.aborted', {}, /canceled/],
  ];

const roomErrors: readonly [SlackErrorCode, NotAllowedReason | undefined, RegExp][] = [
  ['slack.not_connected', undefined, /No scanning account is connected yet.*\/scandesk connect/s],
  ['slack.not_installed', undefined, /isn’t installed.*install/s],
  ['slack.window_late', undefined, /3 seconds.*Try again/s],
  ['slack.other_account', undefined, /different account.*nothing was changed.*Run the command again/s],
  ['slack.card_old', undefined, /too old.*\/barcode/s],
  ['slack.state', undefined, /out of date.*Run the command again/s],
  ['slack.not_allowed', 'guest', /Guests can’t.*full member/s],
  ['slack.typed_key', undefined, /looks like an API key.*replace it.*API Keys.*in quotes/s],
  ['slack.typed_nul', undefined, /no database keeps.*without that character/s],
  ['slack.not_allowed', 'bot', /Apps can’t.*full member/s],
  ['slack.not_allowed', 'deactivated', /Deactivated.*full member/s],
  ['slack.not_allowed', 'external', /another workspace.*share/s],
  ['slack.not_allowed', 'not_manager', /workspace admins.*\/scandesk access/s],
  ['slack.not_allowed', 'not_admin', /admins and owners/],
  ['slack.not_allowed', 'unknown', /who you are.*Try again/s],
];

const platform = (word: string) =>
  Object.assign(new Error('x'), { code: 'slack_webapi_platform_error', data: { ok: false, error: word } });

const lacking = (needed: string) =>
  Object.assign(new Error('x'), {
    code: 'slack_webapi_platform_error',
    data: { ok: false, error: 'missing_scope', needed, provided: 'commands' },
  });

const others: readonly [string, unknown, RegExp][] = [
  ['a trigger that is too old', platform('expired_trigger_id'), /3 seconds/],
  ['a revoked token', platform('token_revoked'), /was revoked.*admin to install Scandesk again/s],
  ['an inactive account', platform('account_inactive'), /deactivated.*admin to install Scandesk again/s],
  ['an invalid token', platform('invalid_auth'), /refused Scandesk’s token.*admin to install Scandesk again/s],
  [
    'a missing scope',
    platform('missing_scope'),
    /is missing a permission.*To add it, a workspace admin can install Scandesk again and allow it/s,
  ],
  [
    'a missing scope that is named',
    lacking('users:read'),
    /is missing the permission users:read.*nobody can use Scandesk.*install Scandesk again and allow it/s,
  ],
  ['Slack’s own failure', platform('internal_error'), /Slack is having trouble/],
  ['Slack’s own failure, a fatal one', platform('fatal_error'), /Slack is having trouble/],
  [
    'an HTML page in place of Slack’s answer',
    platform('<!DOCTYPE html><title>Oops</title>'),
    /Slack is having trouble/,
  ],
  [
    'Slack answering 503',
    Object.assign(new Error('x'), { code: 'slack_webapi_http_error', statusCode: 503 }),
    /Slack is having trouble/,
  ],
  [
    'a person whom Slack does not identify, as a scope is missing',
    new SlackError('slack.not_allowed', 'x', { why: 'unknown', cause: lacking('users:read') }),
    /is missing the permission users:read.*nothing was done/s,
  ],
  ['a channel that is gone', platform('channel_not_found'), /can’t post in that channel.*\/invite/s],
  ['invalid blocks', platform('invalid_blocks'), /on our end.*send the reference below/s],
  ['a rate limit', Object.assign(new Error('x'), { code: 'slack_webapi_rate_limited_error' }), /limiting how often/],
  ['Slack unreachable', Object.assign(new Error('x'), { code: 'slack_webapi_request_error' }), /can’t reach Slack/],
  ['a used-up response_url', new SlackError('slack.response_url', 'x'), /didn’t confirm.*Check before/s],
  ['a post that is gone', new ScandeskError('relay.post_gone', 'x'), /no longer stored.*\/barcode VALUE/s],
  ['a locked store', new ScandeskError('store.failed', 'x'), /stored data/],
  ['an unknown exception', new TypeError('x is not a function'), /on our end.*send the reference below/s],
  ['a thrown text', 'oops', /on our end/],
];

const all: readonly [string, unknown, RegExp][] = [
  ...accountErrors.map(([code, details, words]): [string, unknown, RegExp] => [
    `${code} ${details.apiCode ?? details.quota?.period ?? details.reason ?? ''}`.trimEnd(),
    new AccountError(code, 'x', details),
    words,
  ]),
  ...roomErrors.map(([code, why, words]): [string, unknown, RegExp] => [
    `${code} ${why ?? ''}`.trimEnd(),
    new SlackError(code, 'x', why ? { why } : {}),
    words,
  ]),
  ...others,
];

/** Whether an error is an expected refusal: not connected, not allowed, no calls left, or its subject is deleted. */
function isNormal(error: unknown): boolean {
  if (
    error instanceof ScandeskError &&
    ['slack.card_old', 'relay.post_gone', 'relay.no_such_relay'].includes(error.code)
  ) {
    return true;
  }
  return error instanceof SlackError
    ? /not_connected|typed_/.test(error.code) || (error.code === 'slack.not_allowed' && error.why !== 'unknown')
    : error instanceof AccountError && error.code === 'account.quota';
}

describe('an error', () => {
  test.each(all)('an error (%s) is explained with its cause and remedy', (_name, error, words) => {
    expect(read(problemMessage(error, 'AB2CD3EF').blocks)).toMatch(words);
    expect(problemOf(error).todo.length).toBeGreaterThan(0);
    expect(problemText(error).length).toBeLessThan(700);
  });

  test.each(all)('an error (%s) has a reference unless it is an expected refusal', (_name, error) => {
    for (const { blocks } of [problemMessage(error, 'AB2CD3EF'), problemView(error, 'AB2CD3EF')]) {
      expect(read(blocks).includes('Reference AB2CD3EF')).toBe(!isNormal(error));
    }
    expect(read([richText(problemLine(error, 'AB2CD3EF'))]).includes('Reference AB2CD3EF')).toBe(!isNormal(error));
    // A text without a reference asks nobody to send one.
    expect(`${problemText(error)} ${read(problemBlocks(problemOf(error), undefined))}`).not.toMatch(/reference/i);
  });

  test.each(all)('an error (%s) contains no text that Slack would format', (_name, error) => {
    const message = problemMessage(error, 'AB2CD3EF');
    expect(shownTexts(message.blocks).filter((shown) => shown.how === 'mrkdwn')).toEqual([]);
    expect(drawMrkdwn(message.text).more).toEqual([]);
    expect(message).toMatchObject({ unfurl_links: false, unfurl_media: false });
    expect(problemView(error, 'AB2CD3EF')).toMatchObject({ type: 'modal' });
  });

  test('an exceeded API quota says when calls are available again, in the reader’s own zone', () => {
    const [, todo] = [
      0,
      problemOf(new AccountError('account.quota', 'x', { quota: { period: 'minute', left: 0, againAt } })).todo,
    ];
    expect(todo).toContainEqual(
      expect.objectContaining({ type: 'date', timestamp: againAt / 1000, format: 'The limit resets at {time}' }),
    );
  });

  test('a form shown again after an exceeded API quota says in the reader’s own zone when to try again', () => {
    const error = new AccountError('account.quota', 'x', { quota: { period: 'minute', left: 0, againAt } });
    const [block] = noticeBlocks({ problem: ['This could not be undone. ', ...problemLine(error)] });
    expect(block).toMatchObject({
      elements: [
        {
          elements: [
            { text: '⚠️ This could not be undone. ', style: { bold: true } },
            { text: 'The account has no API calls left this minute. ' },
            { type: 'date', timestamp: againAt / 1000, format: 'The limit resets at {time}' },
            { text: '.' },
            { text: ' Try again then.' },
          ],
        },
      ],
    });
  });

  test('a person in a workspace without an account is offered to connect one, if allowed to', () => {
    const error = new SlackError('slack.not_connected', 'x');
    const options = { buttons: [button('Connect', 'connect.open')] };
    for (const draw of [problemMessage, problemView]) {
      const { blocks } = draw(error, 'A', { mayConnect: true }, options);
      expect(JSON.stringify(blocks)).toContain('connect.open');
      expect(read(blocks)).toContain('Connect one with /scandesk connect.');
    }
    for (const { blocks } of [problemMessage(error, 'A'), problemView(error, 'A')]) {
      expect(JSON.stringify(blocks)).not.toContain('connect.open');
      expect(read(blocks)).toContain('Ask a workspace admin to connect one with /scandesk connect.');
    }
  });

  test.each([
    ['no account', new SlackError('slack.not_connected', 'x')],
    ['no permission', new SlackError('slack.not_allowed', 'x', { why: 'not_manager' })],
  ])('an error (%s) names the people with access, so that the reader can ask one of them', (_name, error) => {
    const managers = { users: ['U0MIA'], groups: ['S0GATE'] };
    const { blocks, text } = problemMessage(error, 'A', { managers });
    expect(JSON.stringify(blocks)).toContain('"user_id":"U0MIA"');
    expect(JSON.stringify(blocks)).toContain('"usergroup_id":"S0GATE"');
    expect(text).toContain('<!subteam^S0GATE> or <@U0MIA>');
  });

  test('a person without API calls left learns who connected the account', () => {
    const { text } = problemMessage(new AccountError('account.quota', 'x'), 'A', { connectedBy: 'U0ADA' });
    expect(text).toContain('For more calls, ask <@U0ADA>, who connected the account.');
  });

  test('an error of a lookup repeats the barcode, and has a button to try the lookup again', () => {
    const about = {
      barcode: '00 1`2',
      buttons: [button('Try again', 'lookup.again', { value: '{"value":"00 1`2"}' })],
    };
    for (const [, error] of all) {
      const { blocks, text } = problemMessage(error, 'A', {}, about);
      expect(read(blocks)).toContain('Barcode: 00 1`2');
      expect(text).toContain('Barcode: 00 1ˋ2');
      expect(JSON.stringify(blocks)).toContain('"action_id":"lookup.again"');
      expect(read(problemView(error, 'A', {}, about).blocks)).toContain('Barcode: 00 1`2');
    }
  });
});
