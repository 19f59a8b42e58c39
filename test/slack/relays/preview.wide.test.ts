import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { read, shownTexts } from '../block-kit/reading.js';
import { accountKey, eventually, type Person, startTestApp, type TestApp } from '../test-app.js';
import { choose, closeAll, connect, makeRelay, radio, reads, scan, select, text } from './relay-stage.js';

const gateA = '1201';
const vip = '1206';
const channelOf = (id: string) => ({ type: 'conversations_select', selected_conversation: id });

/** Barcodes that the form says would have been posted. */
const previewed = (view: ShownView) =>
  shownTexts(view.view.blocks)
    .filter(({ code }) => code)
    .map((shown) => shown.text)
    .sort();

describe('the preview of recent scans in the form of a relay', () => {
  let testApp: TestApp;
  let ada: Person;
  let sideDoor = '';
  beforeAll(async () => {
    testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
    ada = testApp.person('U0ADA');
    await connect(ada);
    // The service is created before anybody lists services: their names are cached for minutes.
    const made = await account({
      ...{ section: 'services', action: 'create', service_name: 'Side door' },
      ...{ validation_method: 'database', database_id: '1021' },
    });
    sideDoor = /<id>(\d+)<\/id>/.exec(made)?.[1] ?? '';
    await account({ section: 'services', action: 'adduserpermission', service_id: sideDoor, user_id: '701' });
  });
  async function account(variables: Record<string, string>): Promise<string> {
    const body = new URLSearchParams({ api_key: accountKey, ...variables });
    return (await fetch(`${testApp.accountUrl}/api/`, { method: 'POST', body })).text();
  }

  afterAll(() => testApp?.stop());
  afterEach(() => closeAll(ada));

  let round = 0;
  /** The barcodes posted of these scans, once a last scan, which every relay here posts, is in the channel. */
  async function posted(url: string, scans: readonly Record<string, string>[], channel: string): Promise<string[]> {
    round += 1;
    const last = `LAST-${round}`;
    for (const each of [...scans, { tid: last, status: '0' }]) {
      await scan(url, each);
    }
    const texts = await eventually(async () => {
      const all = (await ada.messages(channel)).map((message) => read(message.blocks));
      return all.some((each) => each.includes(last)) ? all : undefined;
    }, 'the last scan in the channel');
    return scans.map(({ tid }) => tid ?? '').filter((tid) => texts.some((each) => each.includes(tid)));
  }

  const scans = (name: string): Record<string, string>[] => [
    { tid: `${name}-valid-a`, sid: gateA, status: '1' },
    { tid: `${name}-invalid-a`, sid: gateA, status: '0', text: 'no' },
    { tid: `${name}-unsure-a`, sid: gateA, status: '-1' },
    { tid: `${name}-valid-vip`, sid: vip, status: '1' },
    { tid: `${name}-invalid-vip`, sid: vip, status: '0' },
    { tid: `${name}-unjudged-vip`, sid: vip },
    { tid: `${name}-nowhere`, status: '0' },
  ];

  const manage = async (made: ShownView) => {
    await ada.click(made, 'relay.manage');
    await ada.click(await ada.seesWindow('Relay'), 'relay.change');
    return ada.seesWindow('Edit relay');
  };

  it.each([
    ['any', 'all'],
    ['any', 'invalid'],
    [gateA, 'all'],
    [gateA, 'invalid'],
    [vip, 'invalid'],
  ])(
    'the preview in a relay’s form with service “%s” and filter “%s” shows the scans that the relay then posts',
    async (service, notable) => {
      const { made, url } = await makeRelay(ada, { channel: 'C0GENERAL' });
      const name = `C-${service}-${notable}`;
      for (const each of scans(name)) {
        await scan(url, each);
      }
      const form = await manage(made);
      expect(text(form)).toContain(
        'Of this relay’s 7 recent scans and the account’s 93 before them, 100 would have been',
      );
      await choose(ada, 'relay.channel', channelOf('C0FRONTGATE'), 'relay.channel');
      if (notable !== 'all') {
        await choose(ada, 'relay.notable', radio(notable), 'relay.notable');
      }
      const chosen =
        service === 'any'
          ? (await ada.window())!
          : await choose(ada, 'relay.service', select(service), 'relay.service');
      // The preview has the account's scans, too.
      const told = previewed(chosen).filter((tid) => tid.startsWith(name));
      expect(JSON.stringify(chosen.view.blocks)).toContain('"channel_id":"C0FRONTGATE"');
      await ada.submit(chosen);
      await reads(ada, 'Saved. It applies from the next scan.');
      expect((await posted(url, scans(name), 'C0FRONTGATE')).sort()).toEqual(told);
    },
  );

  it('a relay’s preview that loads late does not replace the window that shows the new webhook URL', async () => {
    await ada.say('/scandesk relay');
    await ada.click(await ada.seesWindow('Relays'), 'relay.new');
    const form = await ada.seesWindow('New relay');
    const since = (await testApp.calls()).length;
    await testApp.accountFaults({ next: [{ operation: 'scans/retrieve', as: 'slow', delay_ms: 1500, times: 1 }] });
    await ada.click(form, 'relay.service', select('1203'), 'relay.service');
    await ada.submit(form);
    await ada.seesWindow('Relay created');
    await eventually(
      async () => (await testApp.calls(since)).find(({ error }) => error === 'hash_conflict'),
      'the form to come late',
    );
    expect(text((await ada.window())!)).toContain('Copy it now');
  });

  it('a relay’s preview that loads too slowly is left out with a notice, and shown after a later choice', async () => {
    await ada.say('/scandesk relay');
    await ada.click(await ada.seesWindow('Relays'), 'relay.new');
    await ada.seesWindow('New relay');
    await testApp.accountFaults({ next: [{ operation: 'scans/retrieve', as: 'slow', delay_ms: 4500, times: 1 }] });
    const late = await choose(ada, 'relay.service', select('1204'), 'relay.service');
    expect(text(late)).toContain('Loading recent scans takes longer than usual.');
    await eventually(async () => {
      const again = await choose(ada, 'relay.notable', radio('invalid'), 'relay.notable');
      return text(again).includes('Of this service’s ') ? again : undefined;
    }, 'its last scans');
  });
});
