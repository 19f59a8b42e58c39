import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { botToken, type Json, type Stage, setStage } from '../helpers.js';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
  await stage.api('conversations.join', { channel: 'C0FRONTGATE' });
});
afterAll(() => stage.close());
afterEach(() => stage.person('rules', { faults: [], postsPerSecond: 0, methodTiers: true }));

const call = (text: string, signal?: AbortSignal) =>
  fetch(`${stage.url}/api/chat.postMessage`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${botToken}` },
    body: JSON.stringify({ channel: 'C0FRONTGATE', text }),
    ...(signal ? { signal } : {}),
  });
const fault = (as: string, more: Json = {}) =>
  stage.person('rules', { faults: [{ method: 'chat.postMessage', times: 1, as, ...more }] });
const texts = async () => (await stage.messages('U0ADA', 'C0FRONTGATE')).map((one) => one.text);

describe('a Slack in trouble', () => {
  it('a simulated Slack in trouble answers 429 with the requested wait, once', async () => {
    await fault('429', { retryAfter: 7 });
    const response = await call('limited');
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7']);
    expect((await call('limited')).status).toBe(200);
  });

  it('a simulated Slack in trouble answers 500 and changes nothing', async () => {
    await fault('500');
    expect((await call('broken')).status).toBe(500);
    expect(await texts()).not.toContain('broken');
  });

  it('a simulated Slack in trouble answers with a page of HTML and changes nothing', async () => {
    await fault('html');
    expect(await (await call('page')).text()).toMatch(/^<!DOCTYPE html>/);
    expect(await texts()).not.toContain('page');
  });

  it('a simulated Slack in trouble breaks the connection before it carries out the call', async () => {
    await fault('reset');
    await expect(call('reset')).rejects.toThrow();
    expect(await texts()).not.toContain('reset');
  });

  it('a simulated Slack in trouble breaks the connection after it carried out the call', async () => {
    await fault('die');
    await expect(call('done but unsaid')).rejects.toThrow();
    expect(await texts()).toContain('done but unsaid');
  });

  it('a simulated Slack in trouble leaves a call without an answer, and does not carry out the call', async () => {
    await fault('timeout');
    await expect(call('waiting', AbortSignal.timeout(200))).rejects.toThrow();
    expect(await texts()).not.toContain('waiting');
  });

  it('a simulated Slack in trouble carries out a slow call only after its delay', async () => {
    await stage.person('rules', { faults: [{ method: 'chat.postMessage', times: 1, as: 'slow', delayMs: 500 }] });
    const slow = call('slowly said');
    const fast = await call('said at once');
    expect(fast.status).toBe(200);
    expect(await texts()).not.toContain('slowly said');
    expect((await slow).status).toBe(200);
    expect(await texts()).toContain('slowly said');
  });

  it('a simulated Slack in trouble counts the requested faults separately for each method', async () => {
    await stage.person('rules', {
      faults: [
        { method: 'auth.test', times: 1, as: '500' },
        { method: 'chat.postMessage', times: 2, as: '429' },
      ],
    });
    const statuses = [];
    for (let n = 0; n < 3; n += 1) {
      statuses.push((await call(`counted ${n}`)).status);
    }
    expect(statuses).toEqual([429, 429, 200]);
  });
});

describe('Slack’s own pace', () => {
  it('the simulated Slack’s rate limit is one post a second and channel, after a short burst', async () => {
    await stage.person('rules', { postsPerSecond: 1 });
    const statuses: number[] = [];
    while (!statuses.includes(429) && statuses.length < 60) {
      statuses.push((await call(`pace ${statuses.length}`)).status);
    }
    expect(statuses.slice(0, 4)).toEqual([200, 200, 200, 200]);
    expect(statuses.at(-1)).toBe(429);
    stage.clock.forward(1000);
    expect((await call('paced')).status).toBe(200);
    const elsewhere = await stage.api('chat.postMessage', { channel: 'U0MIA', text: 'x' });
    expect(elsewhere).toMatchObject({ ok: true });
  });

  it('the simulated Slack’s rate limit refuses too many calls of a method, unless tiers are switched off', async () => {
    const answers: unknown[] = [];
    while (!answers.includes(false) && answers.length < 60) {
      answers.push((await stage.api('usergroups.list')).ok);
    }
    expect(answers.length).toBeGreaterThan(20);
    expect(answers.at(-1)).toBe(false);
    await stage.person('rules', { methodTiers: false });
    expect(await stage.api('usergroups.list')).toMatchObject({ ok: true });
  });
});

describe('the record of calls', () => {
  it('the simulated Slack’s record of calls has every call and no credential', async () => {
    const { calls: before } = (await stage.look('calls')) as { calls: { n: number }[] };
    const since = String(before.at(-1)?.n ?? 0);
    await stage.api('chat.postMessage', { channel: 'C0FRONTGATE', text: `my token is ${botToken}` });
    await fetch(`${stage.url}/api/auth.test`, { method: 'POST', body: new URLSearchParams({ token: botToken }) });
    await stage.api('oauth.v2.access', { client_id: 'client.1', client_secret: 'client-secret', code: 'c-1' });
    await stage.api('chat.postMessage', { channel: 'C0NOWHERE', text: 'x' });
    const { calls } = (await stage.look('calls', { since })) as { calls: Json[] };
    expect(calls).toMatchObject([
      { method: 'chat.postMessage', ok: true, body: { text: 'my token is [token]' } },
      { method: 'auth.test', ok: true, body: {} },
      { method: 'oauth.v2.access', ok: false, error: 'invalid_code', body: { client_id: 'client.1' } },
      { method: 'chat.postMessage', ok: false, error: 'channel_not_found' },
    ]);
    expect(JSON.stringify(calls)).not.toMatch(/xoxb|client-secret|c-1/);
  });

  it('the simulated Slack’s record of calls includes posts to response_urls', async () => {
    await stage.person('say', { as: 'U0ADA', channel: 'C0FRONTGATE', text: '/barcode x' });
    await fetch(stage.app.heard.at(-1)!.form.response_url!, { method: 'POST', body: '{"text":"answered"}' });
    const { calls } = (await stage.look('calls')) as { calls: Json[] };
    expect(calls.at(-1)).toMatchObject({ method: 'response_url', ok: true, body: { text: 'answered' } });
  });
});
