import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { read } from '../block-kit/reading.js';
import { botToken, openInbox, startTestApp, type TestApp } from '../test-app.js';

describe('requests from Slack', () => {
  let testApp: TestApp;
  const lines: string[] = [];
  beforeAll(async () => {
    testApp = await startTestApp({ lines });
  });
  afterAll(() => testApp.stop());

  const command = (fields: Record<string, string> = {}) =>
    new URLSearchParams({
      command: '/scandesk',
      text: 'help',
      user_id: 'U0ADA',
      team_id: 'T0SANDBOX1',
      channel_id: 'C0GENERAL',
      trigger_id: '1.2.3',
      response_url: `${testApp.slackUrl}/response/none`,
      ...fields,
    }).toString();

  test('a signed request from Slack is accepted', async () => {
    const body = command();
    expect((await testApp.signed(body)).status).toBe(200);
  });

  test('a request from Slack is refused if its signature is wrong, old or missing', async () => {
    const body = command();
    expect((await testApp.signed(body, { secret: 'another secret' })).status).toBe(401);
    expect((await testApp.signed(body, { at: Math.floor(Date.now() / 1000) - 3600 })).status).toBe(401);
    expect((await fetch(`${testApp.appUrl}/slack/events`, { method: 'POST', body })).status).toBe(401);
  });

  test('Slack’s URL challenge is answered with the challenge', async () => {
    const body = JSON.stringify({ type: 'url_verification', challenge: 'abc' });
    const response = await testApp.signed(body, { type: 'application/json' });
    expect(await response.json()).toEqual({ challenge: 'abc' });
  });

  test('a request to an unknown path below /slack/ is answered with HTTP 404, an unknown method with 405', async () => {
    expect((await fetch(`${testApp.appUrl}/slack/elsewhere`)).status).toBe(404);
    expect((await fetch(`${testApp.appUrl}/slack/events/more`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${testApp.appUrl}/slack/events`)).status).toBe(405);
    expect((await fetch(`${testApp.appUrl}/slack/oauth_redirect?code=x&state=y`)).status).toBe(404);
  });

  test('the install page says that Scandesk is already installed where a bot token is set', async () => {
    const response = await fetch(`${testApp.appUrl}/slack/install`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('already installed');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('an unknown word after /scandesk is answered with the list of commands', async () => {
    const answer = await testApp.person('U0MIA').command('/scandesk <!channel> *frobnicate*');
    const text = read(answer.blocks);
    expect(text).toContain('/scandesk <!channel> *frobnicate* isn’t a command');
    expect(text).not.toContain('Did you mean');
    expect(text).toContain('/barcode VALUE');
    expect(answer.ephemeral_for).toBe('U0MIA');
  });

  test('a click on an unknown button is answered that the form is out of date', async () => {
    const inbox = await openInbox();
    const click = {
      type: 'block_actions',
      team: { id: 'T0SANDBOX1', domain: 'x' },
      user: { id: 'U0MIA', team_id: 'T0SANDBOX1' },
      channel: { id: 'C0GENERAL', name: 'general' },
      container: { type: 'message', message_ts: '1.2', channel_id: 'C0GENERAL' },
      trigger_id: '1.2.3',
      response_url: inbox.url,
      actions: [{ type: 'button', action_id: 'made.by.an.older.version', block_id: 'b', action_ts: '1.2' }],
    };
    const body = new URLSearchParams({ payload: JSON.stringify(click) }).toString();
    expect((await testApp.signed(body)).status).toBe(200);
    const answer = await inbox.first();
    expect(answer).toMatchObject({ response_type: 'ephemeral', replace_original: false });
    expect(read(answer.blocks)).toContain('This form is out of date');
    await inbox.close();
  });

  test('a submission of an unknown form is answered that it is out of date, with a logged reference', async () => {
    const submission = {
      type: 'view_submission',
      team: { id: 'T0SANDBOX1', domain: 'x' },
      user: { id: 'U0MIA', team_id: 'T0SANDBOX1' },
      trigger_id: '1.2.3',
      view: { id: 'V1', callback_id: 'unheard.of', private_metadata: '', state: { values: {} } },
    };
    const body = new URLSearchParams({ payload: JSON.stringify(submission) }).toString();
    const response = await testApp.signed(body);
    const answer = (await response.json()) as { response_action: string; view: { blocks: unknown } };
    expect(answer.response_action).toBe('update');
    expect(read(answer.view.blocks)).toContain('out of date');
    const [, reference] = /Reference (\w{8})/.exec(read(answer.view.blocks)) ?? [];
    expect(lines.some((line) => line.includes(`"reference":"${reference}"`))).toBe(true);
  });

  test('a request from another workspace is answered that Scandesk is not installed there', async () => {
    const inbox = await openInbox();
    const body = command({ team_id: 'T0ELSEWHERE', response_url: inbox.url });
    expect((await testApp.signed(body)).status).toBe(200);
    expect(read((await inbox.first()).blocks)).toContain('isn’t installed in your workspace');
    await inbox.close();
  });

  test('an error is logged under the same reference that the person is shown', async () => {
    await testApp.rules({ faults: [{ method: 'users.info', times: 1, as: '500' }] });
    const answer = await testApp.person('U0GUS').command('/scandesk help', 'C0FRONTGATE');
    const reference = /Reference (\w{8})/.exec(read(answer.blocks))?.[1];
    expect(reference).toBeDefined();
    expect(lines.some((line) => line.includes(reference!))).toBe(true);
  });

  test('no secret is in the log lines of Slack’s requests', () => {
    const log = lines.join('');
    expect(log).not.toContain(botToken);
    expect(log).not.toContain(testApp.signingSecret);
    expect(log).not.toMatch(/\/response\/[A-Za-z0-9]/);
  });
});
