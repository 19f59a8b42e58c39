import { describe, expect, test } from 'vitest';
import { AccountError, type AccountErrorCode } from '../../../src/account/types.js';
import { ScandeskError } from '../../../src/errors.js';
import {
  problemBlocks,
  problemLine,
  problemMessage,
  problemOf,
  problemView,
} from '../../../src/slack/blocks/problem.js';
import { type Refusal, type SlackErrorCode, SlackRoomError } from '../../../src/slack/errors.js';
import { drawMrkdwn } from '../mrkdwn.js';
import { read, shownTexts } from './reading.js';

const againAt = Date.UTC(2026, 4, 1, 12, 35);

const accountErrors: readonly [AccountErrorCode, NonNullable<ConstructorParameters<typeof AccountError>[2]>, RegExp][] =
  [
    ['account.key_refused', { apiCode: '100' }, /refuses the API key.*\/scandesk connect/s],
    ['account.key_refused', { apiCode: '10' }, /does not let this API key.*\/scandesk connect/s],
    [
      'account.quota',
      { quota: { period: 'minute', left: 0, againAt } },
      /calls for this minute are used up\.(?!.*left).*again then/s,
    ],
    [
      'account.quota',
      { quota: { period: 'day', left: 1, againAt } },
      /calls for this day.*1 call is left, too few for this\./s,
    ],
    ['account.quota', {}, /used up.*Try again in a minute/s],
    ['account.unreachable', {}, /cannot be reached.*Try again/s],
    ['account.slow', {}, /too long.*Try again/s],
    ['account.broken', {}, /cannot be read.*Try again.*reference/s],
    ['account.refused', { apiCode: '1027', apiText: 'Value exists' }, /already/],
    ['account.refused', { apiCode: '9999', apiText: 'The *moon* is <!channel>' }, /9999.*The \*moon\* is <!channel>/s],
    ['account.input', { variable: 'value' }, /“value”/],
    ['account.aborted', {}, /given up/],
  ];

const roomErrors: readonly [SlackErrorCode, Refusal | undefined, RegExp][] = [
  ['slack.not_connected', undefined, /No scanning account is connected yet.*\/scandesk connect/s],
  ['slack.not_installed', undefined, /not installed.*install/s],
  ['slack.window_late', undefined, /3 seconds.*Try again/s],
  ['slack.other_account', undefined, /another account.*nothing was changed.*Start again/s],
  ['slack.card_old', undefined, /too old.*\/barcode/s],
  ['slack.state', undefined, /another version.*Start again/s],
  ['slack.not_allowed', 'guest', /Guests cannot.*full member/s],
  ['slack.not_allowed', 'stranger', /another organisation.*share/s],
  ['slack.not_allowed', 'not_manager', /workspace admin.*\/scandesk access/s],
  ['slack.not_allowed', 'not_admin', /admin or owner/],
  ['slack.not_allowed', 'unknown', /who you are.*Try again/s],
];

const platform = (word: string) =>
  Object.assign(new Error('x'), { code: 'slack_webapi_platform_error', data: { ok: false, error: word } });

const others: readonly [string, unknown, RegExp][] = [
  ['a trigger that is too old', platform('expired_trigger_id'), /3 seconds/],
  ['a revoked token', platform('token_revoked'), /not installed/],
  ['a missing scope', platform('missing_scope'), /lacks a permission.*install it again/s],
  ['a channel that is gone', platform('channel_not_found'), /cannot post in that channel.*\/invite/s],
  ['invalid blocks', platform('invalid_blocks'), /did not take.*reference/s],
  ['a rate limit', Object.assign(new Error('x'), { code: 'slack_webapi_rate_limited_error' }), /slow down/],
  ['Slack being away', Object.assign(new Error('x'), { code: 'slack_webapi_request_error' }), /could not be reached/],
  [
    'a used-up response_url',
    Object.assign(new Error('x'), { code: 'slack_bolt_respond_error' }),
    /could not be reached/,
  ],
  ['a locked store', new ScandeskError('store.failed', 'x'), /own records/],
  ['something unheard of', new TypeError('x is not a function'), /inside Scandesk.*not your doing/s],
  ['something that is no error', 'oops', /inside Scandesk/],
];

const all: readonly [string, unknown, RegExp][] = [
  ...accountErrors.map(([code, details, words]): [string, unknown, RegExp] => [
    `${code} ${details.apiCode ?? details.quota?.period ?? ''}`,
    new AccountError(code, 'x', details),
    words,
  ]),
  ...roomErrors.map(([code, why, words]): [string, unknown, RegExp] => [
    `${code} ${why ?? ''}`,
    new SlackRoomError(code, 'x', why ? { why } : {}),
    words,
  ]),
  ...others,
];

describe('trouble is told', () => {
  test.each(all)('%s: what happened, what to do, and under which reference', (_name, error, words) => {
    const text = read(problemBlocks(problemOf(error), 'AB2CD3EF'));
    expect(text).toMatch(words);
    expect(text).toContain('Reference AB2CD3EF');
    expect(problemOf(error).todo.length).toBeGreaterThan(0);
    expect(problemLine(error).length).toBeLessThan(700);
  });

  test.each(all)('%s: without anything Slack could take for more than text', (_name, error) => {
    const message = problemMessage(error, 'AB2CD3EF');
    expect(shownTexts(message.blocks).filter((shown) => shown.how === 'mrkdwn')).toEqual([]);
    expect(drawMrkdwn(message.text).more).toEqual([]);
    expect(message).toMatchObject({ unfurl_links: false, unfurl_media: false });
    expect(problemView(error, 'AB2CD3EF')).toMatchObject({ type: 'modal' });
  });

  test('a quota says when there are calls again, in the reader’s own zone', () => {
    const [, todo] = [
      0,
      problemOf(new AccountError('account.quota', 'x', { quota: { period: 'minute', left: 0, againAt } })).todo,
    ];
    expect(todo).toContainEqual(
      expect.objectContaining({ type: 'date', timestamp: againAt / 1000, format: 'New ones come at {time}' }),
    );
  });

  test('who has no account is offered to connect one, where they may', () => {
    const error = new SlackRoomError('slack.not_connected', 'x');
    expect(JSON.stringify(problemMessage(error, 'A', { mayConnect: true }).blocks)).toContain('connect.open');
    expect(JSON.stringify(problemView(error, 'A', { mayConnect: true }).blocks)).toContain('connect.open');
    for (const { blocks } of [problemMessage(error, 'A'), problemView(error, 'A')]) {
      expect(JSON.stringify(blocks)).not.toContain('connect.open');
      expect(read(blocks)).toContain('Ask a workspace admin to connect one with /scandesk connect.');
    }
  });
});
