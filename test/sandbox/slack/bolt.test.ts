import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { App, HTTPReceiver, LogLevel } from '@slack/bolt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { harbourHall, northDepot } from '../../../src/sandbox/slack/index.js';
import { botToken, type Json, modal, plain, type Stage, setStage, signingSecret, textInput } from './helpers.js';

/** Serves the receiver of a Bolt app, which the workspace reaches as Slack would. */
const listen = async (receiver: HTTPReceiver): Promise<{ url: string; close: () => Promise<void> }> => {
  const server = createServer({ keepAliveTimeout: 65_000 }, (req, res) => {
    try {
      receiver.requestListener(req, res);
    } catch {
      res.writeHead(404).end();
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
};

const teach = (app: App): void => {
  app.command('/barcode', async ({ ack, respond, command, client }) => {
    await ack();
    if (command.text === 'form') {
      const view = modal([
        { ...textInput('which'), element: { type: 'external_select', action_id: 'value', min_query_length: 0 } },
      ]);
      await client.views.open({ trigger_id: command.trigger_id, view: view as never });
      return;
    }
    await respond({
      text: `You asked for ${command.text}`,
      blocks: [
        {
          type: 'actions',
          block_id: 'card',
          elements: [{ type: 'button', action_id: 'share', text: { type: 'plain_text', text: 'Share here' } }],
        },
      ],
    });
  });
  app.action('share', async ({ ack, respond }) => {
    await ack();
    await respond({ text: 'Shared', response_type: 'in_channel', replace_original: false });
  });
  app.options('value', async ({ ack, payload }) => {
    await ack({ options: [{ text: { type: 'plain_text', text: `Found ${payload.value}` }, value: 'v1' }] });
  });
  app.view('a_modal', async ({ ack, view }) => {
    const chosen = view.state.values.which?.value?.selected_option?.value;
    await ack({ response_action: 'errors', errors: { which: `Not ${chosen}` } });
  });
  app.event('app_home_opened', async ({ event, client }) => {
    const blocks = [{ type: 'header', text: plain('Welcome') }];
    await client.views.publish({ user_id: event.user, view: { type: 'home', blocks } as never });
  });
};

/** Bolt does some of its work after it has answered. */
const until = async <T>(look: () => Promise<T | undefined>): Promise<T> => {
  for (;;) {
    const found = await look();
    if (found !== undefined) {
      return found;
    }
    await new Promise((done) => setTimeout(done, 20));
  }
};

describe('an app made with Bolt', () => {
  let stage: Stage;
  let app: { url: string; close: () => Promise<void> };
  beforeAll(async () => {
    stage = await setStage();
    const receiver = new HTTPReceiver({ signingSecret, logLevel: LogLevel.ERROR });
    const bolt = new App({ token: botToken, receiver, clientOptions: { slackApiUrl: `${stage.url}/api/` } });
    teach(bolt);
    app = await listen(receiver);
    stage.workspace.setAppUrl(app.url);
  });
  afterAll(async () => {
    await app.close();
    await stage.close();
  });

  it('an app made with Bolt answers a command by its response_url, and a click on the answer', async () => {
    expect(await stage.person('say', { as: 'U0MIA', channel: 'C0FRONTGATE', text: '/barcode 0012' })).toMatchObject({
      ok: true,
    });
    const latest = (text: string) =>
      until(async () => (await stage.messages('U0MIA', 'C0FRONTGATE')).find((one) => one.text === text));
    const card = await latest('You asked for 0012');
    expect(card).toMatchObject({ ephemeral_for: 'U0MIA' });
    const container = { type: 'message', channel: 'C0FRONTGATE', ts: card.ts };
    const click = { as: 'U0MIA', container, block_id: 'card', action_id: 'share' };
    expect(await stage.person('action', click)).toEqual({ ok: true });
    expect(await latest('Shared')).not.toHaveProperty('ephemeral_for');
  });

  it('an app made with Bolt opens a modal, offers options for it and answers its submission', async () => {
    await stage.person('say', { as: 'U0ADA', channel: 'C0FRONTGATE', text: '/barcode form' });
    const view = await until(async () => ((await stage.look('views', { as: 'U0ADA' })).stack as Json[])[0]);
    const field = { as: 'U0ADA', container: { type: 'view', view_id: view.id }, block_id: 'which', action_id: 'value' };
    expect(await stage.person('options', { ...field, value: 'a' })).toMatchObject({ options: [{ value: 'v1' }] });
    const values = { which: { value: { selected_option: { value: 'v1' } } } };
    expect(await stage.person('submit', { as: 'U0ADA', view_id: view.id, values })).toEqual({
      ok: true,
      response_action: 'errors',
      errors: { which: 'Not v1' },
    });
  });

  it('an app made with Bolt publishes App Home', async () => {
    await stage.person('home', { as: 'U0ADA' });
    const home = await until(async () => (await stage.look('home', { as: 'U0ADA' })).view ?? undefined);
    expect(home).toMatchObject({ view: { blocks: [{ text: { text: 'Welcome' } }] } });
  });

  it('an app made with Bolt passes Slack’s URL verification', async () => {
    expect(await stage.person('verify')).toEqual({ ok: true });
  });
});

describe('an app made with Bolt for any number of workspaces', () => {
  it('an app made with Bolt serves only the workspace that installed the app on the app’s install page', async () => {
    const stage = await setStage({ teams: [harbourHall, northDepot], botToken: '' });
    const installations = new Map<string, unknown>();
    const receiver = new HTTPReceiver({
      signingSecret,
      logLevel: LogLevel.ERROR,
      clientId: 'client.1',
      clientSecret: 'client-secret',
      stateSecret: 'a-state-secret',
      scopes: ['commands', 'chat:write'],
      installationStore: {
        storeInstallation: async (installation) => {
          installations.set(installation.team!.id, installation);
        },
        fetchInstallation: async ({ teamId }) => installations.get(teamId!) as never,
      },
      installerOptions: {
        authorizationUrl: `${stage.url}/oauth/v2/authorize`,
        clientOptions: { slackApiUrl: `${stage.url}/api/` },
        directInstall: true,
      },
    });
    const bolt = new App({
      receiver,
      clientOptions: { slackApiUrl: `${stage.url}/api/` },
    });
    teach(bolt);
    const app = await listen(receiver);
    stage.workspace.setAppUrl(app.url);

    const start = await fetch(`${app.url}/slack/install`, { redirect: 'manual' });
    const authorize = new URL(start.headers.get('location')!);
    const form = new URLSearchParams(authorize.searchParams);
    form.set('as', 'U0BO');
    form.set('decision', 'allow');
    const allowed = await fetch(`${authorize.origin}${authorize.pathname}`, {
      method: 'POST',
      redirect: 'manual',
      body: form,
    });
    const cookie = start.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    const back = await fetch(allowed.headers.get('location')!, { headers: { cookie }, redirect: 'manual' });
    expect(await back.text()).toMatch(/success|thank/i);
    expect([...installations.keys()]).toEqual(['T0SANDBOX2']);

    await stage.person('say', { as: 'U0BO', channel: 'C0DEPOT', text: '/barcode form' });
    const view = await until(async () => ((await stage.look('views', { as: 'U0BO' })).stack as Json[])[0]);
    expect(view).toMatchObject({ callback_id: 'a_modal' });
    expect(await stage.person('say', { as: 'U0ADA', channel: 'C0GENERAL', text: '/barcode 1' })).toMatchObject({
      error: 'unknown_command',
    });
    await app.close();
    await stage.close();
  });
});
