import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { read } from '../block-kit/reading.js';
import { accountKey, eventually, type Person, startTestApp, type TestApp, titleOf } from '../test-app.js';

const key = (value: string) => ({ key: { 'connect.key': { type: 'plain_text_input', value } } });

async function connect(ada: Person, next = 'connect.databases'): Promise<void> {
  await ada.say('/scandesk connect');
  await ada.submit(await ada.seesWindow('Connect account'), key(accountKey));
  await ada.close(await ada.seesForm(next));
}

const option = (value: string) => ({ text: { type: 'plain_text', text: value }, value });
const entered = (service: string | null, channel: string | null, notable = 'all') => ({
  'relay.service': {
    'relay.service': { type: 'static_select', selected_option: service === null ? null : option(service) },
  },
  'relay.channel': { 'relay.channel': { type: 'conversations_select', selected_conversation: channel } },
  'relay.notable': { 'relay.notable': { type: 'radio_buttons', selected_option: option(notable) } },
});

const gateA = '1201';
const text = (view: ShownView) => read(view.view.blocks);
const urlIn = (view: ShownView) =>
  /"(http:\/\/[^"]+\/relay\/[^"]+)"/.exec(JSON.stringify(view.view.blocks))?.[1] ?? 'no address in this window';

async function scan(url: string, variables: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams({ udid: 'D-1', ...variables }) });
}

describe('/scandesk relay', () => {
  let testApp: TestApp;
  let ada: Person;
  const lines: string[] = [];
  beforeAll(async () => {
    testApp = await startTestApp({ lines, settings: { POST_INTERVAL_MS: '0' } });
    ada = testApp.person('U0ADA');
    await connect(ada);
  });
  afterAll(() => testApp?.stop());
  afterEach(async () => {
    for (let view = await ada.window(); view; view = await ada.window()) await ada.close(view);
  });

  async function openForm(): Promise<ShownView> {
    await ada.say('/scandesk relay');
    await ada.click(await ada.seesWindow('Relays'), 'relay.new');
    return ada.seesWindow('New relay');
  }

  /** The top modal once it contains these words. */
  function reads(words: string, person = ada): Promise<ShownView> {
    return eventually(async () => {
      const view = await person.window();
      return view && text(view).includes(words) ? view : undefined;
    }, `a window that says “${words}”`);
  }

  async function makeRelay(channel = 'C0FRONTGATE', notable = 'all', service = gateA): Promise<ShownView> {
    await ada.submit(await openForm(), entered(service, channel, notable));
    return ada.seesWindow('Relay created');
  }

  async function manage(made: ShownView): Promise<ShownView> {
    await ada.click(made, 'relay.manage');
    return ada.seesWindow('Relay');
  }

  const postsIn = async (channel: string, barcode: string) =>
    (await ada.messages(channel)).filter((message) => read(message.blocks).includes(barcode));

  async function seesPost(channel: string, barcode: string): Promise<void> {
    await eventually(async () => (await postsIn(channel, barcode)).length > 0, `a post of ${barcode}`);
  }

  it('/scandesk relay creates a webhook URL that accepts a scan and posts it in the joined channel', async () => {
    const made = await makeRelay();
    expect(text(made)).toMatch(/shown only once\. Copy it now, or set up/);
    expect(text(made)).not.toContain('Relay created');
    expect(text(made)).toContain('open the service Gate A: tickets.');
    const url = urlIn(made);
    expect(url).toMatch(new RegExp(`^${testApp.appUrl}/relay/[\\w-]+/[\\w-]{20,}$`));
    const answer = await scan(url, { tid: '00123', sid: gateA, status: '1', text: 'Welcome' });
    expect(await answer.text()).toContain('<status>1</status>');
    await seesPost('C0FRONTGATE', '00123');
  });

  it('/scandesk relay explains how to set the service up, and which URL is replaced', async () => {
    const made = await makeRelay('C0FRONTGATE', 'all', '1206');
    expect(text(made)).toContain('Postback URL');
    expect(text(made)).toContain('This replaces the current one at 127.0.0.1:9.');
    const other = await makeRelay('C0FRONTGATE', 'all', gateA);
    expect(text(other)).toContain('real-time postback');
  });

  it('a relay from /scandesk relay can be set to post only scans that are not valid', async () => {
    const url = urlIn(await makeRelay('C0STOCKROOM', 'invalid'));
    await scan(url, { tid: 'fine-1', sid: gateA, status: '1' });
    await scan(url, { tid: 'bad-1', sid: gateA, status: '0', text: 'Already in' });
    await seesPost('C0STOCKROOM', 'bad-1');
    expect(await postsIn('C0STOCKROOM', 'fine-1')).toEqual([]);
  });

  it('a relay from /scandesk relay can be set to post the scans of any service', async () => {
    const url = urlIn(await makeRelay('C0STOCKROOM', 'all', 'any'));
    // The account may leave out the scan's id: that alone does not make the scan a direct scan.
    await scan(url, { tid: 'any-2', sid: '1206', status: '1' });
    await seesPost('C0STOCKROOM', 'any-2');
    const card = read((await ada.command('/barcode any-2')).blocks);
    expect(card).toContain('D-1');
    expect(card).not.toContain('direct scan');
    await scan(url, { tid: 'any-1', sid: '4711' });
    await seesPost('C0STOCKROOM', 'any-1');
  });

  it('/scandesk relay keeps its form until the app is invited to the chosen private channel', async () => {
    await ada.submit(await openForm(), entered(gateA, 'C0MANAGERS', 'invalid'));
    const again = await reads('Close this form, type /invite @Scandesk in that channel');
    expect(titleOf(again)).toBe('New relay');
    const blocks = JSON.stringify(again.view.blocks);
    expect(blocks).toContain('"initial_conversation":"C0MANAGERS"');
    expect(blocks).toMatch(/"initial_option":\{[^}]*"text":\{[^}]*"text":"Gate A: tickets"/);
    await testApp.post('/sandbox/invite', { as: 'U0ADA', channel: 'C0MANAGERS', user: 'U0SCANDESK1' });
    await ada.submit(again, entered(gateA, 'C0MANAGERS', 'invalid'));
    expect(text(await ada.seesWindow('Relay created'))).toContain('Only scans that are not valid');
  });

  it('/scandesk relay asks before it posts where another organization reads, and only then joins the channel', async () => {
    const since = (await testApp.calls()).length;
    await ada.submit(await openForm(), entered(gateA, 'C0PARTNER'));
    const question = await reads('This channel is shared with another organization');
    expect(titleOf(question)).toBe('New relay');
    expect(JSON.stringify(question.view.blocks)).toMatch(
      /"initial_option":\{[^}]*"text":\{[^}]*"text":"Gate A: tickets"/,
    );
    expect((await testApp.calls(since)).map((call) => call.method)).not.toContain('conversations.join');
    const agreed = { type: 'checkboxes', selected_options: [option('yes')] };
    await ada.submit(question, { 'relay.shared.C0PARTNER': { 'relay.notable': agreed } });
    const url = urlIn(await ada.seesWindow('Relay created'));
    await scan(url, { tid: 'shared-1', sid: gateA });
    await seesPost('C0PARTNER', 'shared-1');
  });

  it('/scandesk relay shows its form with the reason if Slack fails, and the form can be submitted again', async () => {
    await testApp.rules({ faults: [{ method: 'conversations.info', times: 1, as: '500' }] });
    await ada.submit(await openForm(), entered(gateA, 'C0FRONTGATE'));
    const again = await reads('Slack is having trouble right now.');
    expect(titleOf(again)).toBe('New relay');
    await ada.submit(again, entered(gateA, 'C0FRONTGATE'));
    await ada.seesWindow('Relay created');
  });

  it('/scandesk relay lists a relay with its service, channel, filter and number of scans', async () => {
    await scan(urlIn(await makeRelay('C0GENERAL')), { tid: 'listed-1', sid: gateA });
    await seesPost('C0GENERAL', 'listed-1');
    await ada.say('/scandesk relay');
    const list = await ada.seesWindow('Relays');
    expect(text(list)).toMatch(/Gate A: tickets → .* · Every scan/);
    expect(text(list)).toContain('1 scan, last ');
    expect(JSON.stringify(list.view.blocks)).toContain('"channel_id":"C0GENERAL"');
  });

  it('/scandesk relay pauses a relay, and a scan accepted during the pause is posted after Resume', async () => {
    const made = await makeRelay('C0GENERAL');
    await ada.click(await manage(made), 'relay.pause');
    const paused = await reads('Paused. Scans are still received');
    expect(text(paused)).toContain('⏸ Paused');
    expect((await scan(urlIn(made), { tid: 'waits-1', sid: gateA })).status).toBe(200);
    await ada.click(paused, 'relay.resume');
    await reads('Resumed. Waiting posts are being delivered.');
    await seesPost('C0GENERAL', 'waits-1');
  });

  it('/scandesk relay adds a second webhook URL, and the first URL works until somebody revokes it', async () => {
    const made = await makeRelay('C0GENERAL');
    await ada.click(await manage(made), 'relay.rotate');
    const another = await ada.seesWindow('New webhook URL');
    expect(text(another)).toContain('The previous URL keeps working until you revoke it');
    const [oldUrl, newUrl] = [urlIn(made), urlIn(another)];
    expect(newUrl).not.toBe(oldUrl);
    expect((await scan(oldUrl, { tid: 'old-1', sid: gateA })).status).toBe(200);
    expect((await scan(newUrl, { tid: 'new-1', sid: gateA })).status).toBe(200);
    await ada.click(another, 'relay.manage');
    const both = await ada.seesWindow('Relay');
    expect(text(both)).toContain('2 webhook URLs');
    const ends = (both.view.blocks as { block_id: string; accessory?: { action_id?: string } }[]).filter(
      ({ accessory }) => accessory?.action_id === 'relay.end_secret',
    );
    await ada.click(both, 'relay.end_secret', undefined, ends.at(-1)?.block_id);
    const one = await reads('Webhook URL revoked.');
    expect(text(one)).not.toContain('webhook URLs');
    expect(JSON.stringify(one.view.blocks)).not.toContain('relay.end_secret');
    expect((await scan(oldUrl, { tid: 'old-2', sid: gateA })).status).toBe(404);
    expect((await scan(newUrl, { tid: 'new-2', sid: gateA })).status).toBe(200);
  });

  it('/scandesk relay changes service, channel and filter of a relay, and keeps the webhook URL', async () => {
    const made = await makeRelay('C0GENERAL');
    await ada.click(await manage(made), 'relay.change');
    const form = await ada.seesWindow('Edit relay');
    expect(JSON.stringify(form.view.blocks)).toContain('"initial_conversation":"C0GENERAL"');
    await ada.submit(form, entered('any', 'C0STOCKROOM', 'invalid'));
    const changed = await reads('Saved. It applies from the next scan.');
    expect(text(changed)).toContain('Any service → ');
    await scan(urlIn(made), { tid: 'moved-1', sid: '99', status: '0' });
    await seesPost('C0STOCKROOM', 'moved-1');
  });

  it('/scandesk relay deletes a relay with a confirmation that names it, and its webhook URL answers 404', async () => {
    const made = await makeRelay('C0GENERAL');
    await ada.click(await manage(made), 'relay.view.more');
    const one = await reads('Created by');
    expect(JSON.stringify(one.view.blocks)).toContain('The relay for Gate A: tickets is deleted.');
    await ada.click(one, 'relay.remove');
    await reads('Relay deleted.');
    expect((await scan(urlIn(made), { tid: 'gone-1' })).status).toBe(404);
  });

  it('/scandesk relay is refused to members without access', async () => {
    const answer = await testApp.person('U0MIA').command('/scandesk relay');
    expect(read(answer.blocks)).toContain('Only workspace admins and people with access can do this.');
  });

  it('/scandesk relay shows a webhook URL in its window and in no message, log line or other call', async () => {
    const url = urlIn(await makeRelay('C0GENERAL'));
    const secret = url.split('/').at(-1)!;
    await scan(url, { tid: 'quiet-1', sid: gateA });
    await seesPost('C0GENERAL', 'quiet-1');
    const calls = (await testApp.calls()).filter((call) => JSON.stringify(call.body).includes(secret));
    expect(new Set(calls.map((call) => call.method))).toEqual(new Set(['views.update']));
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
    for (const channel of ['C0GENERAL', 'C0FRONTGATE', 'C0STOCKROOM']) {
      expect(JSON.stringify(await ada.messages(channel))).not.toContain(secret);
    }
  });

  describe('when the window was closed too early', () => {
    async function closeWhileSaving(values: ReturnType<typeof entered>, words: string): Promise<string> {
      const form = await openForm();
      await ada.submit(form, values);
      await ada.close((await ada.window())!);
      const told = await eventually(
        async () => (await ada.messages()).find((message) => read(message.blocks).includes(words)),
        words,
      );
      expect(told.ephemeral_for).toBe('U0ADA');
      return JSON.stringify(told);
    }

    it('/scandesk relay says in a message without the URL that a relay was created if its window closed', async () => {
      await testApp.accountFaults({ next: [{ operation: 'services/retrieve', as: 'slow', delay_ms: 1500, times: 1 }] });
      const told = await closeWhileSaving(
        entered(gateA, 'C0GENERAL'),
        'the dialog was closed before it could be shown',
      );
      expect(told).not.toContain(`${testApp.appUrl}/relay/`);
    });

    it('/scandesk relay says in a message that a relay was not saved when its window was closed', async () => {
      await testApp.rules({ faults: [{ method: 'conversations.info', times: 1, as: '500' }] });
      await closeWhileSaving(entered(gateA, 'C0FRONTGATE'), 'New relay: not saved.');
    });
  });

  it('/scandesk relay records every change in the audit log, without the secret of a webhook URL', async () => {
    const made = await makeRelay('C0GENERAL');
    await ada.click(await manage(made), 'relay.pause');
    await reads('Paused. Scans');
    const store = await testApp.openStore();
    try {
      const rows = await store.audit.list({ installation: 'T0SANDBOX1', team: 'T0SANDBOX1' }, { limit: 200 });
      const what = new Set(rows.map((row) => row.what));
      for (const done of ['create', 'change', 'pause', 'resume', 'new_address', 'end_address', 'remove']) {
        expect(what).toContain(`relay/${done}`);
      }
      expect(rows.find((row) => row.what === 'relay/create')).toMatchObject({
        who: 'U0ADA',
        where: 'C0GENERAL',
        outcome: 'ok',
        detail: { serviceIds: [gateA], channel: 'C0GENERAL', notable: 'all', relay: urlIn(made).split('/').at(-2) },
      });
      expect(JSON.stringify(rows)).not.toContain(urlIn(made).split('/').at(-1));
    } finally {
      await store.close();
    }
  });
});

describe('/scandesk relay without an account', () => {
  it('/scandesk relay without an account says in its window that /scandesk connect comes first', async () => {
    const testApp = await startTestApp();
    try {
      const ada = testApp.person('U0ADA');
      await ada.say('/scandesk relay');
      await ada.click(await ada.seesWindow('Relays'), 'relay.new');
      const view = await eventually(async () => {
        const top = await ada.window();
        return top && text(top).includes('No scanning account is connected yet.') ? top : undefined;
      }, 'the reason');
      expect(text(view)).toContain('/scandesk connect');
    } finally {
      await testApp.stop();
    }
  });
});

describe('/scandesk relay with many services', () => {
  it('/scandesk relay with many services finds services by search, and creates a relay for one service', async () => {
    const services = Array.from(
      { length: 150 },
      (_, n) =>
        `<service id="${n + 1}"><name>Gate ${n + 1}</name><validationmethod>record</validationmethod></service>`,
    );
    const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
      request.resume();
      request.on('end', () =>
        response.end(
          `<?xml version="1.0"?><xml><status>1</status><minute left="20" limit="30"/><day left="-1" limit="-1"/>${services.join('')}</xml>`,
        ),
      );
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const testApp = await startTestApp({ settings: { ACCOUNT_API_URL: `http://127.0.0.1:${port}/api/` } });
    try {
      const ada = testApp.person('U0ADA');
      await connect(ada, 'connection');
      await ada.say('/scandesk relay');
      await ada.click(await ada.seesWindow('Relays'), 'relay.new');
      const form = await ada.seesWindow('New relay');
      const offered = await ada.options(form, 'relay.service', 'gate 14');
      expect(offered.options.map((each) => each.text.text)).toEqual([
        'Any service',
        'Gate 14',
        ...Array.from({ length: 10 }, (_, n) => `Gate ${140 + n}`),
      ]);
      await ada.submit(form, {
        ...entered('x', 'C0GENERAL'),
        'relay.service': { 'relay.service': { type: 'external_select', selected_option: option('149') } },
      });
      expect(text(await ada.seesWindow('Relay created'))).toContain('Gate 149');
    } finally {
      await testApp.stop();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
  });
});
