import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { read } from '../block-kit/reading.js';
import { auditOf } from '../operations/filling.js';
import { accountKey, eventually, type Person, startTestApp, type TestApp } from '../test-app.js';
import {
  choose,
  closeAll,
  connect,
  makeRelay,
  openRelay,
  option,
  parts,
  radio,
  reads,
  redrawn,
  scan,
  text,
  ticked,
  typed,
} from './relay-stage.js';

const field = 'relay.service.field';

describe('setting a service up from Slack', () => {
  let testApp: TestApp;
  let ada: Person;
  const lines: string[] = [];
  beforeAll(async () => {
    testApp = await startTestApp({ lines, settings: { POST_INTERVAL_MS: '0' } });
    ada = testApp.person('U0ADA');
    await connect(ada);
  });
  afterAll(() => testApp?.stop());
  afterEach(() => closeAll(ada));

  async function call(variables: Record<string, string>): Promise<string> {
    const body = new URLSearchParams({ api_key: accountKey, ...variables });
    return (await fetch(`${testApp.accountUrl}/api/`, { method: 'POST', body })).text();
  }
  /** The postback URL that the account reports for a service; empty if there is none. */
  const postbackOf = async (id: string) =>
    /<postback>([^<]*)<\/postback>/.exec(
      await call({ section: 'services', action: 'retrieve', service_id: id }),
    )?.[1] ?? '';

  /** Creates a relay, and opens the set-up form on top of the window that shows its webhook URL. */
  async function openForm(
    more: Parameters<typeof makeRelay>[1] = {},
  ): Promise<{ form: ShownView; url: string; id: string }> {
    const { made, url, id } = await makeRelay(ada, { channel: 'C0FRONTGATE', ...more });
    await ada.click(made, 'relay.service.open');
    return { form: await ada.seesWindow('Set up a service'), url, id };
  }
  /** Scans as a device does; resolves to what the device shows. */
  const scanned = async (service: string, value: string) => {
    const answer = await fetch(`${testApp.accountUrl}/scanner/scan`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ service_id: service, device_id: '571', user_id: '701', value }),
    });
    return JSON.stringify(await answer.json());
  };
  /** The form once it also has the fields that come with a default. */
  const changed = async (form: ShownView) => {
    await ada.click(form, 'relay.service.change');
    return redrawn(ada, form);
  };
  const ended = () => ada.seesWindow('Service set up');
  const undo = (view: ShownView) => ada.click(view, 'relay.service.undo');

  it('a set-up names the old URL, sets the relay’s URL, sends a test scan, and its undo restores the old', async () => {
    const before = await postbackOf('1206');
    expect(before).not.toBe('');
    const { form, url } = await openForm({ service: '1206' });
    expect(text(form)).toContain('This replaces its postback URL: it posts to 127.0.0.1:9');
    expect(text(form)).toContain('The account resets this setting with every change');
    await ada.submit(
      await changed(form),
      parts({ 'service.symbologies': { type: 'multi_static_select', selected_options: [option('34')] } }, field),
    );
    const done = await ended();
    expect(text(done)).toContain('Done. Everything works.');
    expect(text(done)).toContain('posts to this relay now; the account confirms it.');
    expect(await postbackOf('1206')).toBe(url);
    const [, value = ''] = /(SCANDESK-TEST-\w+)/.exec(text(done)) ?? [];
    const posts = (await ada.messages('C0FRONTGATE')).filter((message) => read(message.blocks).includes(value));
    expect(posts).toHaveLength(1);
    expect(read(posts[0]!.blocks)).toContain('🧪 Test scan · This relay works');
    await undo(done);
    const back = await reads(ada, 'again. Not restored, because the account never reported them');
    expect(text(back)).toContain('now those you chose');
    expect(await postbackOf('1206')).toBe(before);
    expect(JSON.stringify(back.view.blocks)).not.toContain('relay.service.undo');
  });

  wideIt('a second set-up enters a new URL, and its undo restores the URL from before the first set-up', async () => {
    const before = await postbackOf('1206');
    const { made, url, id } = await makeRelay(ada, { service: '1206' });
    await ada.click(made, 'relay.manage');
    await ada.click(await ada.seesWindow('Relay'), 'relay.service.open');
    await ada.submit(await ada.seesWindow('Set up a service'));
    await ended();
    const first = await postbackOf('1206');
    expect(first).not.toBe(url);
    expect(first).toContain(`/relay/${id}/`);
    await ada.close((await ada.window())!);
    expect(await ada.window()).toBeUndefined();
    await ada.click(await openRelay(ada, id), 'relay.service.open');
    const again = await ada.seesWindow('Set up a service');
    expect(text(again)).toContain('This service already posts to this relay.');
    expect(text(again)).toContain('VIP lounge was set up by ');
    await ada.submit(again);
    await ended();
    expect(await postbackOf('1206')).not.toBe(first);
    await undo((await ada.window())!);
    await reads(ada, 'again. Not restored');
    expect(await postbackOf('1206')).toBe(before);
  });

  wideIt(
    'after a set-up, a service that validates scans still decides the result, and the relay posts them',
    async () => {
      const { form } = await openForm({ service: '1201' });
      expect(text(form)).toContain('This service has no postback URL yet.');
      expect(text(form)).toContain('Devices show: the service’s response');
      expect(text(form)).not.toContain('Which response do devices show?');
      await ada.submit(form);
      await ended();
      expect(await scanned('1201', 'never heard of')).toContain('"invalid"');
      await eventually(
        async () =>
          (await ada.messages('C0FRONTGATE')).some((message) => read(message.blocks).includes('never heard of')),
        'the scan in the channel',
      );
      await undo((await ada.window())!);
      const back = await reads(ada, 'has no postback URL again.');
      expect(text(back)).toContain('postback options');
      expect(await postbackOf('1201')).toBe('');
    },
  );

  wideIt('a set-up can make devices show the relay’s response instead of the service’s', async () => {
    const open = await changed((await openForm({ service: '1201' })).form);
    expect(text(open)).toContain('Which response do devices show?');
    expect(JSON.stringify(open.view.blocks)).not.toContain('relay.service.change');
    await ada.submit(open, parts({ 'service.answers': radio('relay') }, field));
    const done = await ended();
    const sent = (await auditOf(testApp)).filter(({ what }) => what === 'services/update').map(({ detail }) => detail);
    expect(sent.filter((detail) => JSON.stringify(detail).includes('"postback_receiver_only":false'))).toHaveLength(1);
    await undo(done);
    await reads(ada, 'has no postback URL again.');
  });

  it('a set-up says which step the account refused, changes nothing, and offers no undo', async () => {
    const before = await postbackOf('1206');
    const { form } = await openForm({ service: '1206' });
    await testApp.accountFaults({ next: [{ operation: 'services/update', as: 'refused', code: '2', times: 1 }] });
    await ada.submit(form);
    const failed = await reads(ada, 'Not everything worked.');
    expect(text(failed)).toContain('The webhook URL was not set for VIP lounge.');
    expect(JSON.stringify(failed.view.blocks)).not.toContain('relay.service.undo');
    expect(await postbackOf('1206')).toBe(before);
  });

  it('a set-up for direct scans creates a service that a chosen user can access, and its undo deletes it', async () => {
    const { form, id } = await openForm({ service: '1206' });
    expect(form.view).toBeDefined();
    const direct = await choose(ada, 'service.mode', radio('direct'), 'relay.service.redraw');
    expect(text(direct)).toContain('can’t be switched to direct scans, so Scandesk creates a new one');
    expect(text(direct)).toContain('Device pages: recent scans and barcode lookup');
    const all = await changed(direct);
    const users = await ada.options(all, 'relay.pick.user', '');
    const user = users.options[0]!;
    await ada.submit(all, {
      ...parts({ 'service.name': typed('Gate direct'), 'service.pages': ticked('yes') }, field),
      'service.users': { 'relay.pick.user': { type: 'multi_external_select', selected_options: [option(user.value)] } },
    });
    const done = await ended();
    expect(text(done)).toContain('Gate direct was created. Its devices post directly to Scandesk.');
    expect(text(done)).toContain('One user has access.');
    expect(text(done)).toContain('This relay now also posts scans from Gate direct.');
    expect(text(done)).toContain('It was posted in ');
    const told = await call({ section: 'services', action: 'retrieve' });
    const [, made = ''] = /<service id="(\d+)">\s*<name>Gate direct<\/name>/.exec(told) ?? [];
    expect(await postbackOf(made)).toContain(`/relay/${id}/`);
    // A device sends scans that got no answer again by itself.
    const device = (path: string, body: unknown) =>
      fetch(`${testApp.accountUrl}/scanner/${path}`, { method: 'POST', body: JSON.stringify(body) });
    await device('faults', { lost_answers: 1 });
    for (const value of ['KEPT-1', 'KEPT-2']) {
      await device('scan', { service_id: made, device_id: '571', user_id: user.value, value });
    }
    const kept = await fetch(`${testApp.accountUrl}/scanner/kept?device_id=571`);
    expect(await kept.json()).toEqual({ kept: [] });
    await undo(done);
    await reads(ada, 'Gate direct was deleted.');
    expect(await call({ section: 'services', action: 'retrieve' })).not.toContain('Gate direct');
  });

  it('a set-up says that its test scan was refused, as expected, for lack of the relay’s secret property', async () => {
    const { made, url } = await makeRelay(ada, { service: '1206' });
    await ada.click(made, 'relay.manage');
    await ada.click(await ada.seesWindow('Relay'), 'relay.security');
    await ada.submit(
      await ada.seesWindow('Security'),
      parts({ 'security.property': typed('proof'), 'security.value': typed('canary-proof-3') }),
    );
    await ada.click(await reads(ada, 'a secret property'), 'relay.service.open');
    await ada.submit(await ada.seesWindow('Set up a service'));
    const done = await ended();
    expect(text(done)).toContain('was refused, as expected, because it does not have the secret property');
    await undo(done);
    await reads(ada, 'again. Not restored');
    expect(await scan(url, { tid: 'x' })).toBe('');
  });

  it('a relay’s test scan counts towards no limit or number of scans, and is in no preview of rules', async () => {
    const { made, url } = await makeRelay(ada, { service: 'any', channel: 'C0STOCKROOM' });
    await ada.click(made, 'relay.manage');
    await ada.click(await ada.seesWindow('Relay'), 'relay.judging');
    await ada.seesWindow('Validation');
    const form = await choose(ada, 'judging.limit', { type: 'static_select', selected_option: option('relay') });
    await ada.submit(form, parts({ 'judging.limit.n': { type: 'number_input', value: '1' } }));
    await reads(ada, 'limit: 1 in total');
    expect(await scan(url, { tid: 'SCANDESK-TEST-A', scandesk_test: '1' })).toContain('This relay works');
    expect(await scan(url, { tid: 'first' })).toContain('<status>1</status>');
    // A test scan has both the property scandesk_test and a barcode that begins with SCANDESK-TEST.
    expect(await scan(url, { tid: 'second', scandesk_test: '1' })).toContain('<status>0</status>');
    expect(await scan(url, { tid: 'SCANDESK-TEST-B' })).toContain('<status>0</status>');
    await ada.click((await ada.window())!, 'relay.rules');
    expect(text(await ada.seesWindow('Rules and alerts'))).not.toContain('SCANDESK-TEST-A');
    await closeAll(ada);
    await ada.say('/scandesk relay');
    expect(text(await ada.seesWindow('Relays'))).toContain('3 scans, last');
  });

  it('a relay’s device pages show scans and lookups until their URLs are revoked; no log has the URLs', async () => {
    const { made, url } = await makeRelay(ada);
    await scan(url, { tid: '00123', udid: 'D-9', status: '1', text: 'Welcome' });
    await ada.click(made, 'relay.manage');
    await ada.click(await ada.seesWindow('Relay'), 'relay.pages.open');
    await ada.click(await reads(ada, 'There are no page URLs yet.'), 'relay.pages.new');
    const shown = await reads(ada, 'Copy them now');
    const [history = '', lookup = ''] = JSON.stringify(shown.view.blocks).match(/http:\/\/[^"]+\/pages\/[^"]+/g) ?? [];
    const page = await (await fetch(`${history}?udid=D-9`)).text();
    expect(page).toContain('00123');
    const known = await (await fetch(`${lookup}?value=HLF-000004`)).text();
    expect(known).toContain('✓ Valid');
    expect(known).toContain('Harbour Lights Festival tickets');
    await ada.click(shown, 'relay.pages.end');
    const gone = await reads(ada, 'All page URLs revoked.');
    expect(JSON.stringify(gone.view)).not.toContain('/pages/');
    expect((await fetch(history)).status).toBe(404);
    for (const secret of [history, lookup].map((address) => address.split('/').at(-2)!)) {
      expect(lines.filter((line) => line.includes(secret))).toEqual([]);
      const told = (await testApp.calls()).filter((each) => JSON.stringify(each.body).includes(secret));
      expect(told.every(({ method }) => method.startsWith('views.'))).toBe(true);
    }
  });

  it('set-ups record their steps in the audit log, and a webhook URL is in no log, record or message', async () => {
    const { form, url } = await openForm({ service: '1206' });
    const secret = url.split('/').at(-1)!;
    await ada.submit(form);
    await undo(await ended());
    await reads(ada, 'again. Not restored');
    const rows = await auditOf(testApp);
    const what = rows.map((row) => row.what);
    for (const each of ['services/update', 'services/create', 'services/delete', 'relay/test', 'relay/new_pages']) {
      expect(what).toContain(each);
    }
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(JSON.stringify(rows)).not.toContain('s3cr3t');
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
    const calls = (await testApp.calls()).filter((each) => JSON.stringify(each.body).includes(secret));
    expect(new Set(calls.map(({ method }) => method))).toEqual(new Set(['views.update']));
  });
});
