import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStartWorkflow } from '../../src/workflows/start-workflow.js';
import { type Receiver, type Reply, startReceiver } from './receiver.js';

describe('the request that starts a workflow', () => {
  let receiver: Receiver;
  const start = createStartWorkflow();
  const { signal } = new AbortController();
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  it('a workflow’s start is sent as flat JSON in UTF-8, with values letter by letter', async () => {
    const variables = { barcode: ' 00"<&\u001d…', answers: '' };
    expect(await start(receiver.url('canary'), variables, signal)).toEqual({ outcome: 'delivered' });
    const { body, type } = receiver.received.at(-1)!;
    expect([JSON.parse(body), type]).toEqual([variables, 'application/json; charset=utf-8']);
  });

  const refused = (code: string) => ({ outcome: 'refused', code });
  const retry = (code: string, afterMs?: number) => ({ outcome: 'retry', code, ...(afterMs ? { afterMs } : {}) });
  it.each<[string, Reply, object]>([
    ['a plain OK is delivered', [200, 'ok'], { outcome: 'delivered' }],
    [
      'an error with status 200 is refused',
      [200, '{"ok":false,"error":"invalid_input"}'],
      refused('workflow.invalid_input'),
    ],
    [
      'a rate limit with status 200 is retried',
      [200, '{"ok":false,"error":"ratelimited"}'],
      retry('slack.ratelimited'),
    ],
    ['a rate limit is retried after its time', [429, '', { 'retry-after': '7' }], retry('slack.ratelimited', 7_000)],
    ['a rate limit without a time is retried', [429], retry('slack.ratelimited')],
    [
      'variables that do not fit are refused',
      [400, '{"ok":false,"error":"invalid_input"}'],
      refused('workflow.invalid_input'),
    ],
    [
      'an unknown trigger is refused as gone',
      [404, '{"ok":false,"error":"trigger_not_found"}'],
      refused('workflow.gone'),
    ],
    ['HTTP 410 is refused as gone', [410, 'gone'], refused('workflow.gone')],
    ['a refusal without words is refused', [403, '<html>'], refused('slack.http_403')],
    ['a redirect is refused', [302, '', { location: 'http://127.0.0.1:9/' }], refused('slack.http_302')],
    ['trouble at Slack is retried', [503, '{"ok":false,"error":"internal_error"}'], retry('slack.http_503')],
    ['a lost answer is retried', 'hang up', retry('slack.UND_ERR_SOCKET')],
    [
      'an error that names the URL is refused',
      [400, '{"ok":false,"error":"/triggers/T1/1/canary"}'],
      refused('slack.http_400'),
    ],
    ['an endless answer is retried', [200, ' '.repeat(100_000)], retry('slack.UND_ERR_RES_EXCEEDED_MAX_SIZE')],
  ])('a workflow’s start has an outcome, which does not contain the URL: %s', async (_, reply, outcome) => {
    receiver.answer(reply);
    const before = receiver.received.length;
    const result = await start(receiver.url('canary'), {}, signal);
    expect(result).toEqual(outcome);
    expect(JSON.stringify(result)).not.toContain('canary');
    expect(receiver.received.length).toBe(before + 1);
  });

  it('a workflow’s start is to be tried again if the server is unreachable or the request was aborted', async () => {
    expect(await start('http://127.0.0.1:9/triggers/T1/1/canary', {}, signal)).toMatchObject({ outcome: 'retry' });
    const stopped = AbortSignal.abort(new Error('canary'));
    expect(await start(receiver.url('canary'), {}, stopped)).toEqual(retry('slack.request_broken'));
  });
});
