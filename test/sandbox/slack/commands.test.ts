import { createHmac } from 'node:crypto';
import { verifySlackRequest } from '@slack/bolt';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anyText } from '../../helpers/any-text.js';
import { manifest, type Stage, setStage, signingSecret } from './helpers.js';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());
beforeEach(() => {
  stage.app.heard.length = 0;
  stage.app.answer = () => ({});
});

const say = (text: string, more: Record<string, string> = {}) =>
  stage.person('say', { as: 'U0ADA', channel: 'C0FRONTGATE', text, ...more });

describe('a slash command', () => {
  it('a slash command in the simulated Slack is signed as Slack signs, and sent to the manifest’s URL', async () => {
    expect(await say('/barcode 0012')).toMatchObject({ ok: true });
    const { headers, raw, path } = stage.app.heard[0]!;
    const timestamp = headers['x-slack-request-timestamp'];
    const expected = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${raw}`).digest('hex');
    expect(headers['x-slack-signature']).toBe(`v0=${expected}`);
    expect(path).toBe('/slack/events');
    expect(() =>
      verifySlackRequest({
        signingSecret,
        body: raw,
        headers: {
          'x-slack-signature': String(headers['x-slack-signature']),
          'x-slack-request-timestamp': Number(timestamp),
        },
      }),
    ).not.toThrow();
  });

  it('a slash command in the simulated Slack carries person, channel and text', async () => {
    await say('/barcode 0012');
    expect(stage.app.heard[0]!.form).toMatchObject({
      command: '/barcode',
      text: '0012',
      team_id: 'T0SANDBOX1',
      channel_id: 'C0FRONTGATE',
      channel_name: 'front-gate',
      user_id: 'U0ADA',
      user_name: 'ada',
      is_enterprise_install: 'false',
    });
    expect(stage.app.heard[0]!.form.response_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/response\/T0SANDBOX1\//);
    expect(stage.app.heard[0]!.form.trigger_id).toMatch(/^\d+\.\d+\.[0-9a-f]{32}$/);
  });

  it('a slash command’s text is trimmed, has & < > escaped and is otherwise unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyText({ minLength: 1, maxLength: 60 }).filter((text) => text.trim() !== ''),
        async (text) => {
          stage.app.heard.length = 0;
          await say(`/barcode ${text}`);
          const got = stage.app.heard[0]!.form.text!;
          const decoded = got.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
          expect(got).not.toMatch(/[<>]/);
          expect(decoded).toBe(text.trim());
        },
      ),
      { numRuns: 50 },
    );
  });

  it('a slash command turns names and URLs into mentions and links only if the manifest has should_escape', async () => {
    const escaping = await setStage({ manifest: manifest({ should_escape: true }) });
    const text = '/barcode @mia in #general at https://x.example/?a=1&b=2';
    await escaping.person('say', { as: 'U0ADA', channel: 'C0FRONTGATE', text });
    expect(escaping.app.heard[0]!.form.text).toBe(
      '<@U0MIA|mia> in <#C0GENERAL|general> at <https://x.example/?a=1&amp;b=2>',
    );
    await escaping.close();
    await say(text);
    expect(stage.app.heard[0]!.form.text).toBe('@mia in #general at https://x.example/?a=1&amp;b=2');
  });

  it('a slash command’s plain-text response is shown only to the person who typed the command', async () => {
    stage.app.answer = () => ({ body: 'It is *valid*' });
    await say('/barcode 1');
    const [shown] = (await stage.messages('U0ADA', 'C0FRONTGATE')).slice(-1);
    expect(shown).toMatchObject({ text: 'It is *valid*', ephemeral_for: 'U0ADA', user: 'U0SCANDESK1' });
    expect(await stage.messages('U0MIA', 'C0FRONTGATE')).not.toContainEqual(shown);
  });

  it('a slash command’s JSON response is shown to the channel if its response_type is in_channel', async () => {
    stage.app.answer = () => ({ body: { response_type: 'in_channel', text: 'for everybody' } });
    await say('/barcode 1');
    expect((await stage.messages('U0MIA', 'C0FRONTGATE')).at(-1)).toMatchObject({
      text: 'for everybody',
      from_app: 'Scandesk',
    });
  });

  it.each([
    [500, 'http_service_error'],
    [404, 'http_client_error'],
    [301, 'http_client_error'],
  ])('a slash command to which the app responds %i fails with %s', async (status, error) => {
    stage.app.answer = () => ({ status });
    expect(await say('/barcode 1')).toMatchObject({ ok: false, error });
  });

  it('a slash command that the app does not acknowledge in time fails with operation_timeout on the page', async () => {
    const page = await fetch(`${stage.url}/sandbox/stream?as=U0ADA`);
    const notices = async () => {
      const reader = page.body!.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      while (!text.includes('"notice"')) {
        text += (await reader.read()).value ?? '';
      }
      await reader.cancel();
      return text;
    };
    let release = (): void => undefined;
    const held = new Promise<void>((done) => {
      release = done;
    });
    stage.app.answer = () => held.then(() => ({}));
    await stage.person('rules', { acknowledgeMs: 50 });
    expect(await say('/barcode 1')).toMatchObject({ ok: false, error: 'operation_timeout' });
    await stage.person('rules', { acknowledgeMs: 10_000 });
    release();
    expect(await notices()).toContain('/barcode failed with the error \\"operation_timeout\\"');
  });

  it('a slash command to an unreachable app fails with dispatch_failed', async () => {
    const lonely = await setStage();
    await lonely.app.close();
    expect(await lonely.person('say', { as: 'U0ADA', channel: 'C0GENERAL', text: '/barcode 1' })).toMatchObject({
      ok: false,
      error: 'dispatch_failed',
    });
    await lonely.workspace.close();
  });

  it('a slash command that the manifest does not list is unknown', async () => {
    expect(await say('/barcodes 1')).toEqual({ ok: false, error: 'unknown_command' });
    expect(stage.app.heard).toEqual([]);
  });

  it('a slash command does not work in a thread, and not for people of other organizations', async () => {
    await say('a message');
    const { ts } = (await stage.messages('U0ADA', 'C0FRONTGATE')).at(-1)!;
    expect(await say('/barcode 1', { thread_ts: String(ts) })).toEqual({
      ok: false,
      error: 'not_supported_in_threads',
    });
    const outsider = { as: 'U0EVE', channel: 'C0PARTNER', text: '/barcode 1' };
    expect(await stage.person('say', outsider)).toEqual({ ok: false, error: 'unknown_command' });
  });

  it('a slash command or message in the app’s Messages tab is refused if the tab is read-only', async () => {
    const closed = manifest();
    Object.assign(closed.features as object, {
      app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: true },
    });
    const readOnly = await setStage({ manifest: closed });
    const { channel } = await readOnly.api('chat.postMessage', { channel: 'U0ADA', text: 'x' });
    const said = (text: string) => readOnly.person('say', { as: 'U0ADA', channel, text });
    for (const text of ['/barcode 1', 'hello']) {
      expect(await said(text)).toMatchObject({ ok: false, error: 'messages_tab_disabled' });
    }
    expect(readOnly.app.heard).toEqual([]);
    expect(await readOnly.look('state')).toMatchObject({ app: { read_only: true } });
    await readOnly.close();
  });

  it('a slash command whose response has invalid blocks fails with Slack’s error', async () => {
    stage.app.answer = () => ({ body: { blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '' } }] } });
    expect(await say('/barcode 1')).toMatchObject({ ok: false, error: 'invalid_blocks' });
  });
});

describe('a response_url', () => {
  const respond = async (body: unknown, url = stage.app.heard[0]!.form.response_url!) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  };

  it('a response_url in the simulated Slack accepts five posts and no sixth', async () => {
    await say('/barcode 1');
    for (let n = 1; n <= 5; n += 1) {
      expect(await respond({ text: `answer ${n}` })).toEqual({ status: 200, text: 'ok' });
    }
    const sixth = await respond({ text: 'answer 6' });
    expect(sixth).toEqual({ status: 404, text: '{"ok":false,"error":"used_url"}' });
    expect((await stage.messages('U0ADA', 'C0FRONTGATE')).map((one) => one.text)).not.toContain('answer 6');
  });

  it('a response_url in the simulated Slack works for 30 minutes', async () => {
    await say('/barcode 1');
    stage.clock.forward(29 * 60_000);
    expect((await respond({ text: 'in time' })).status).toBe(200);
    stage.clock.forward(2 * 60_000);
    expect(await respond({ text: 'late' })).toEqual({ status: 404, text: '{"ok":false,"error":"expired_url"}' });
  });

  it('a response_url of a command cannot replace the command’s response: Slack posts a second message', async () => {
    await say('/barcode 1');
    await respond({ text: 'first words' });
    await respond({ text: 'second words', replace_original: true });
    const texts = (await stage.messages('U0ADA', 'C0FRONTGATE')).map((one) => one.text);
    expect(texts).toEqual(expect.arrayContaining(['first words', 'second words']));
    expect((await respond({ delete_original: true })).text).toContain('no_text');
  });

  it.each([
    ['no text', {}, 'no_text'],
    ['a text of 40,001 characters', { text: 'x'.repeat(40_001) }, 'msg_too_long'],
    ['blocks of an unknown type', { blocks: [{ type: 'nonsense' }] }, 'invalid_blocks'],
    ['a field that Slack does not know', { text: 'x', texte: 'y' }, 'invalid_payload'],
  ])('a response_url refuses %s', async (_name, body, error) => {
    await say('/barcode 1');
    const { status, text } = await respond(body);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ ok: false, error });
  });

  it('a response_url that was made up is refused', async () => {
    expect((await respond({ text: 'x' }, `${stage.url}/response/T0SANDBOX1/guessed`)).status).toBe(404);
  });
});

describe('what people type', () => {
  it('a typed message is stored as Slack stores it: escaped, with mentions', async () => {
    await say('is <b> & @mia in #general');
    expect((await stage.messages('U0MIA', 'C0FRONTGATE')).at(-1)).toMatchObject({
      user: 'U0ADA',
      text: 'is &lt;b&gt; &amp; <@U0MIA|mia> in <#C0GENERAL|general>',
    });
  });

  it('a typed message is refused in a channel that its author has not joined', async () => {
    expect(await stage.person('say', { as: 'U0GUS', channel: 'C0GENERAL', text: 'hello' })).toMatchObject({
      error: 'channel_not_found',
    });
    expect(await stage.person('say', { as: 'U0MIA', channel: 'C0MANAGERS', text: 'hello' })).toMatchObject({
      error: 'channel_not_found',
    });
  });

  it('a typed message /invite or /remove adds the app to a channel or removes it', async () => {
    const isIn = async () => {
      const { channels } = (await stage.look('state', { as: 'U0ADA' })) as {
        channels: { id: string; app_is_member: boolean }[];
      };
      return channels.find((one) => one.id === 'C0MANAGERS')!.app_is_member;
    };
    const inManagers = (text: string) => stage.person('say', { as: 'U0ADA', channel: 'C0MANAGERS', text });
    expect(await inManagers('/invite @scandesk')).toEqual({ ok: true });
    expect(await isIn()).toBe(true);
    expect(await inManagers('/remove @scandesk')).toEqual({ ok: true });
    expect(await isIn()).toBe(false);
  });
});
