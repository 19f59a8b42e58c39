import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../src/log.js';
import { harbourHall, northDepot } from '../../../src/sandbox/slack/index.js';
import { allScopes, botToken, type Json, manifest, plain, type Stage, setStage, signingSecret } from './helpers.js';

const folder = mkdtempSync(join(tmpdir(), 'scandesk-workspace-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const redirect = (stage: Stage) => `${stage.app.url}/slack/oauth_redirect`;
const link = (stage: Stage, change: Json = {}) =>
  new URLSearchParams({
    client_id: 'client.1',
    scope: 'commands,chat:write',
    state: 'the state',
    redirect_uri: redirect(stage),
    ...change,
  });
const allow = async (stage: Stage, change: Json = {}) =>
  fetch(`${stage.url}/oauth/v2/authorize`, {
    method: 'POST',
    redirect: 'manual',
    body: link(stage, { as: 'U0BO', decision: 'allow', ...change }),
  });
const codeOf = (response: Response) => new URL(response.headers.get('location')!).searchParams.get('code');
const access = (stage: Stage, args: Json) =>
  stage.api('oauth.v2.access', {
    client_id: 'client.1',
    client_secret: 'client-secret',
    redirect_uri: redirect(stage),
    ...args,
  });

describe('installing by OAuth', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await setStage({ teams: [harbourHall, northDepot] });
  });
  afterAll(() => stage.close());

  it('the simulated install page names the app and the people who may install, and escapes its URL', async () => {
    const page = await fetch(`${stage.url}/oauth/v2/authorize?${link(stage, { state: '"><script>' })}`);
    const html = await page.text();
    expect(html).toContain('Scandesk asks for access');
    expect(html).toContain('North Depot: Bo Boss');
    expect(html).not.toContain('<script>');
  });

  it('installing by OAuth returns a token of the workspace with its scopes', async () => {
    const response = await allow(stage);
    expect(response.status).toBe(302);
    const location = new URL(response.headers.get('location')!);
    expect(location.origin + location.pathname).toBe(redirect(stage));
    expect(location.searchParams.get('state')).toBe('the state');
    const code = codeOf(response);
    const granted = await access(stage, { code });
    expect(granted).toMatchObject({
      ok: true,
      token_type: 'bot',
      scope: 'commands,chat:write',
      team: { id: 'T0SANDBOX2', name: 'North Depot' },
      enterprise: null,
      is_enterprise_install: false,
      bot_user_id: 'U0SCANDESK2',
      authed_user: { id: 'U0BO' },
    });
    const token = String(granted.access_token);
    expect(await stage.api('auth.test', {}, token)).toMatchObject({ ok: true, team_id: 'T0SANDBOX2' });
    expect(await stage.api('users.info', { user: 'U0BO' }, token)).toMatchObject({ error: 'missing_scope' });
    expect(await access(stage, { code })).toMatchObject({ error: 'code_already_used' });
  });

  it('installing by OAuth keeps the tokens of two workspaces apart', async () => {
    const token = String((await access(stage, { code: codeOf(await allow(stage)) })).access_token);
    expect(await stage.api('chat.postMessage', { channel: 'C0GENERAL', text: 'x' }, token)).toMatchObject({
      error: 'channel_not_found',
    });
    expect(await stage.api('conversations.join', { channel: 'C0DEPOT' })).toMatchObject({ error: 'channel_not_found' });
    await stage.person('say', { as: 'U0BO', channel: 'C0DEPOT', text: '/barcode 1' });
    const { trigger_id, team_id } = stage.app.heard.at(-1)!.form;
    expect(team_id).toBe('T0SANDBOX2');
    const view = { type: 'modal', title: plain('x'), blocks: [] };
    expect(await stage.api('views.open', { trigger_id, view })).toMatchObject({ error: 'invalid_trigger_id' });
    expect(await stage.api('views.open', { trigger_id, view }, token)).toMatchObject({ ok: true });
    expect(await stage.look('messages', { as: 'U0ADA', channel: 'C0DEPOT' })).toMatchObject({
      error: 'channel_not_found',
    });
  });

  it.each<[string, Json, string]>([
    ['a wrong secret', { client_secret: 'guess' }, 'bad_client_secret'],
    ['a wrong client', { client_id: 'client.2' }, 'invalid_client_id'],
    ['a made-up code', { code: 'guess' }, 'invalid_code'],
    ['a different redirect_uri', { redirect_uri: 'http://elsewhere.example/' }, 'bad_redirect_uri'],
  ])('installing by OAuth is refused with %s', async (_name, change, error) => {
    expect(await access(stage, { code: codeOf(await allow(stage)), ...change })).toMatchObject({ ok: false, error });
  });

  it('an OAuth code is refused once ten minutes have passed', async () => {
    const code = codeOf(await allow(stage));
    stage.clock.forward(10 * 60_000 + 1);
    expect(await access(stage, { code })).toMatchObject({ error: 'invalid_code' });
  });

  it('installing by OAuth tells the app that the person declined', async () => {
    const location = new URL((await allow(stage, { decision: 'cancel' })).headers.get('location')!);
    expect(location.searchParams.get('error')).toBe('access_denied');
    expect(location.searchParams.get('state')).toBe('the state');
  });

  it.each<[string, Json, string]>([
    ['to another site', { redirect_uri: 'https://evil.example/slack/oauth_redirect' }, 'bad_redirect_uri'],
    ['for a scope that the manifest does not have', { scope: 'commands,admin' }, 'invalid_scope'],
    ['of another app', { client_id: 'client.2' }, 'invalid_client_id'],
  ])('the simulated install page refuses a link %s', async (_name, change, error) => {
    const response = await allow(stage, change);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(error);
  });
});

describe('uninstalling and revoking', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await setStage();
    return () => stage.close();
  });
  const events = () => stage.app.heard.map((one) => one.payload.event as Json);

  it('an uninstalled app loses its token and commands, and gets the event about the uninstall', async () => {
    await stage.api('conversations.join', { channel: 'C0GENERAL' });
    await stage.api('views.publish', { user_id: 'U0ADA', view: { type: 'home', blocks: [] } });
    expect(await stage.person('uninstall')).toEqual({ ok: true });
    expect(events()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'app_uninstalled' }),
        expect.objectContaining({ type: 'tokens_revoked', tokens: { oauth: [], bot: ['U0SCANDESK1'] } }),
      ]),
    );
    expect(await stage.api('auth.test')).toEqual({ ok: false, error: 'account_inactive' });
    const state = await stage.look('state');
    expect(state).toMatchObject({ commands: [] });
    expect(state.app).not.toHaveProperty('installed_at');
    expect((state.channels as Json[]).some((one) => one.app_is_member)).toBe(false);
    expect(await stage.look('home', { as: 'U0ADA' })).toEqual({ view: null });
    expect(await stage.person('say', { channel: 'C0GENERAL', text: '/barcode 1' })).toMatchObject({
      error: 'unknown_command',
    });
    expect(await stage.person('install')).toEqual({ ok: true });
    expect(await stage.api('auth.test')).toMatchObject({ ok: true });
  });

  it('an app whose bot token is revoked gets the event, and its token no longer works', async () => {
    await stage.person('revoke', { tokens: 'bot' });
    expect(await stage.api('auth.test')).toEqual({ ok: false, error: 'token_revoked' });
    expect(events()).toMatchObject([{ type: 'tokens_revoked', tokens: { bot: ['U0SCANDESK1'] } }]);
  });

  it('an app is notified when a person’s token is revoked, and stays installed', async () => {
    await stage.person('revoke', { as: 'U0MIA', tokens: 'user' });
    expect(events()).toMatchObject([{ type: 'tokens_revoked', tokens: { oauth: ['U0MIA'], bot: [] } }]);
    expect(await stage.api('auth.test')).toMatchObject({ ok: true });
  });

  it('an app revokes its own token by auth.revoke, and a call of auth.revoke as a test revokes no token', async () => {
    expect(await stage.api('auth.revoke', { test: true })).toEqual({ ok: true, revoked: false });
    expect(await stage.api('auth.revoke')).toEqual({ ok: true, revoked: true });
    expect(await stage.api('auth.test')).toEqual({ ok: false, error: 'token_revoked' });
  });

  it('an uninstalled app’s response_url no longer works', async () => {
    await stage.person('say', { as: 'U0ADA', channel: 'C0GENERAL', text: '/barcode 1' });
    const url = stage.app.heard.at(-1)!.form.response_url!;
    await stage.person('uninstall');
    expect((await fetch(url, { method: 'POST', body: '{"text":"x"}' })).status).toBe(404);
  });
});

describe('an event', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await setStage();
    return () => stage.close();
  });

  it('an event that the app does not acknowledge is sent three more times, each with the reason', async () => {
    stage.app.answer = () => ({ status: 500 });
    await stage.person('revoke', { tokens: 'user' });
    const retries = stage.app.heard.map(({ headers }) => [
      headers['x-slack-retry-num'],
      headers['x-slack-retry-reason'],
    ]);
    expect(retries).toEqual([
      [undefined, undefined],
      ['1', 'http_error'],
      ['2', 'http_error'],
      ['3', 'http_error'],
    ]);
    const ids = new Set(stage.app.heard.map(({ payload }) => payload.event_id));
    expect(ids.size).toBe(1);
  });

  it('an event that the app does not acknowledge is sent again at once, after a minute and after five minutes', async () => {
    const waits: number[] = [];
    const clock = { now: () => Date.now(), sleep: async (ms: number) => void waits.push(ms) };
    const slow = await setStage({ clock, rules: { eventRetryMs: [0, 60_000, 300_000] } });
    slow.app.answer = () => ({ status: 500 });
    await slow.person('revoke', { tokens: 'user' });
    expect(waits.filter((ms) => [0, 60_000, 300_000].includes(ms))).toEqual([0, 60_000, 300_000]);
    await slow.close();
  });

  it('a metadata event is sent only for a subscribed type, in the app’s channels, with the scope', async () => {
    const posted = (event_type: string) => ({ text: 'A post', metadata: { event_type, event_payload: { key: 'k' } } });
    const events = (of: Stage) =>
      of.app.heard.map(({ payload }) => payload.event as Json).filter(({ type }) => type === 'message_metadata_posted');
    for (const [more, scopes, expected] of [
      [['C0FRONTGATE'], ['metadata.message:read'], 1],
      [['C0FRONTGATE'], [], 0],
      [[], ['metadata.message:read'], 0],
    ] as const) {
      const made = manifest({ scopes: [...allScopes, 'chat:write.public', ...scopes] });
      const settings = made.settings as { event_subscriptions: Json };
      settings.event_subscriptions = {
        ...settings.event_subscriptions,
        bot_events: ['message_metadata_posted'],
        metadata_subscriptions: [{ app_id: '*', event_type: 'a_type' }],
      };
      const subscribed = await setStage({ manifest: made });
      for (const channel of more) {
        await subscribed.person('invite', { as: 'U0ADA', channel, user: 'U0SCANDESK1' });
      }
      const { ts } = await subscribed.api('chat.postMessage', { channel: 'C0FRONTGATE', ...posted('a_type') });
      await subscribed.api('chat.postMessage', { channel: 'C0FRONTGATE', ...posted('other_type') });
      await subscribed.api('chat.update', { channel: 'C0FRONTGATE', ts, ...posted('a_type') });
      await expect.poll(() => events(subscribed)).toHaveLength(expected);
      expect(events(subscribed)).toEqual(
        Array.from({ length: expected }, () => ({
          ...{ type: 'message_metadata_posted', app_id: 'A0SCANDESK', bot_id: 'B0SCANDESK1', user_id: 'U0SCANDESK1' },
          ...{ team_id: 'T0SANDBOX1', channel_id: 'C0FRONTGATE', message_ts: ts, event_ts: ts },
          metadata: posted('a_type').metadata,
        })),
      );
      await subscribed.close();
    }
  });

  it('an event is not sent again once the app acknowledged it, or asked for no retry', async () => {
    let answers = 0;
    stage.app.answer = () => ({ status: ++answers === 1 ? 503 : 200 });
    await stage.person('revoke', { tokens: 'user' });
    expect(stage.app.heard).toHaveLength(2);
    stage.app.heard.length = 0;
    stage.app.answer = () => ({ status: 500, headers: { 'x-slack-no-retry': '1' } });
    await stage.person('revoke', { tokens: 'user' });
    expect(stage.app.heard).toHaveLength(1);
  });

  it('the URL for events is verified by a challenge from the simulated Slack', async () => {
    stage.app.answer = ({ payload }) => ({ body: { challenge: String(payload.challenge) } });
    expect(await stage.person('verify')).toEqual({ ok: true });
    stage.app.answer = () => ({ body: 'hello' });
    expect(await stage.person('verify')).toEqual({ ok: false });
  });
});

describe('a second start', () => {
  it('a restarted simulated workspace has its messages, channels, homes and installation, and newer timestamps', async () => {
    const file = join(folder, 'kept.db');
    const first = await setStage({ file });
    await first.person('channels', { as: 'U0MIA', name: 'night-gate' });
    await first.api('conversations.join', { channel: 'C0GENERAL' });
    const posted = await first.api('chat.postMessage', { channel: 'C0GENERAL', text: 'yesterday' });
    await first.api('views.publish', {
      user_id: 'U0ADA',
      view: { type: 'home', blocks: [], private_metadata: 'kept' },
    });
    await first.close();

    const second = await setStage({ file });
    expect((await second.messages('U0ADA', 'C0GENERAL')).at(-1)).toMatchObject({ ts: posted.ts, text: 'yesterday' });
    const state = await second.look('state', { as: 'U0MIA' });
    expect((state.channels as Json[]).map((one) => one.name)).toContain('night-gate');
    expect(await second.look('home', { as: 'U0ADA' })).toMatchObject({ view: { view: { private_metadata: 'kept' } } });
    const next = await second.api('chat.postMessage', { channel: 'C0GENERAL', text: 'today' });
    expect(String(next.ts) > String(posted.ts)).toBe(true);
    await second.person('uninstall');
    await second.close();

    const third = await setStage({ file });
    expect(await third.api('auth.test')).toEqual({ ok: false, error: 'account_inactive' });
    await third.close();
  });

  it('a restarted simulated workspace grants the scopes of the current manifest', async () => {
    const file = join(folder, 'scopes.db');
    const first = await setStage({ file });
    await first.close();
    const { manifest } = await import('./helpers.js');
    const second = await setStage({
      file,
      manifest: manifest({ scopes: allScopes.filter((one) => one !== 'chat:write') }),
    });
    await second.api('conversations.join', { channel: 'C0GENERAL' });
    const refused = await second.api('chat.postMessage', { channel: 'C0GENERAL', text: 'x' });
    expect(refused).toMatchObject({ error: 'missing_scope' });
    await second.close();
  });
});

describe('the workspace’s file and log', () => {
  it('the simulated workspace’s file and log contain no token and no secret', async () => {
    const file = join(folder, 'canary.db');
    const lines: string[] = [];
    const log = createLog({ level: 'trace', destination: { write: (line: string) => void lines.push(line) } });
    const stage = await setStage({ file, log });
    stage.app.answer = () => ({ status: 500 });
    await stage.person('say', { as: 'U0ADA', channel: 'C0GENERAL', text: '/barcode 1' });
    await stage.person('revoke', { tokens: 'user' });
    await stage.api('auth.test');
    const granted = await access(stage, { code: codeOf(await allow(stage, { as: 'U0ADA' })) });
    expect(granted.access_token).toEqual(expect.stringMatching(/^xoxb-/));
    await stage.close();
    const written = readFileSync(file).toString('latin1') + lines.join('\n');
    expect(lines.length).toBeGreaterThan(0);
    for (const secret of [botToken, signingSecret, 'client-secret', String(granted.access_token)]) {
      expect(written).not.toContain(secret);
    }
  });
});
