import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { read, shownTexts } from '../block-kit/reading.js';
import { accountKey, eventually, type Person, startTestApp, type TestApp } from '../test-app.js';
import {
  choose,
  closeAll,
  connect,
  makeRelay,
  openRelay,
  option,
  radio,
  reads,
  scan,
  select,
  text,
} from './relay-stage.js';

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

  const manage = async (made: ShownView) => {
    await ada.click(made, 'relay.manage');
    await ada.click(await ada.seesWindow('Relay'), 'relay.change');
    return ada.seesWindow('Edit relay');
  };

  wideIt('the preview of a relay with rules follows the rules, and saving keeps the hidden filter', async () => {
    const { made, url } = await makeRelay(ada, { channel: 'C0GENERAL', notable: 'invalid' });
    await scan(url, { tid: 'ruled-1', status: '0' });
    await ada.click(made, 'relay.manage');
    await ada.click(await ada.seesWindow('Relay'), 'relay.rules');
    await ada.click(await ada.seesWindow('Rules and alerts'), 'relay.rule.add');
    await ada.seesWindow('New rule');
    await choose(ada, 'rule.when', select('result:valid'));
    await ada.submit(await choose(ada, 'rule.others.invalid', radio('only')));
    await ada.close(await ada.seesWindow('Rule saved'));
    await ada.close(await ada.seesWindow('Rules and alerts'));
    await ada.click(await ada.seesWindow('Relay'), 'relay.change');
    const form = await ada.seesWindow('Edit relay');
    expect(text(form)).toContain('Its 1 rule decides which scans are posted, and where.');
    expect(text(form)).toMatch(
      /Of this relay’s 1 recent scan and the account’s 99 before it, \d+ would have been posted:/,
    );
    expect(JSON.stringify(form.view.blocks)).not.toContain('relay.notable');
    await ada.submit(form);
    const saved = await reads(ada, 'Saved. It applies from the next scan.');
    await ada.click(saved, 'relay.rules');
    await ada.seesWindow('Rules and alerts');
    const rules = (await ada.window())!;
    const menu = JSON.stringify(rules.view.blocks).match(/remove:[\w-]+/)![0];
    await ada.click(rules, 'relay.rule.menu', { type: 'overflow', selected_option: option(menu) });
    await ada.submit(await ada.seesWindow('Delete this rule?'));
    expect(text(await reads(ada, 'Rule deleted.'))).toContain('Only scans that are not valid are posted');
  });

  wideIt(
    'a relay with two services keeps both when its form is saved, and posts only scans of both services',
    async () => {
      const { made, url, id } = await makeRelay(ada, { service: gateA, channel: 'C0GENERAL' });
      await ada.click(made, 'relay.service.open');
      await ada.options(await ada.seesWindow('Set up a service'), 'relay.service.pick', 'vip');
      const other = await choose(
        ada,
        'service.id',
        { type: 'external_select', selected_option: option(vip) },
        'relay.service.pick',
      );
      await ada.submit(other);
      const done = await ada.seesWindow('Service set up');
      await ada.close(done);
      await ada.click(await openRelay(ada, id), 'relay.change');
      const form = await ada.seesWindow('Edit relay');
      expect(JSON.stringify(form.view.blocks)).toContain('"initial_option":{"value":"several"');
      await ada.submit(form, {
        'relay.channel': { 'relay.channel': channelOf('C0STOCKROOM') },
      });
      await reads(ada, 'Saved. It applies from the next scan.');
      const both = [
        { tid: 'both-a', sid: gateA },
        { tid: 'both-vip', sid: vip },
        { tid: 'neither', sid: '4711' },
      ];
      expect(await posted(url, both, 'C0STOCKROOM')).toEqual(['both-a', 'both-vip']);
      await ada.click((await ada.window())!, 'relay.service.open');
      const again = await ada.seesWindow('Set up a service');
      await ada.click(again, 'relay.service.undo');
      await reads(ada, 'again. Not restored');
    },
  );

  it('the preview of a new relay shows the recorded scans that the relay posts once it receives them', async () => {
    const values = ['HLF-000004', '<!channel> *nobody* `knows`', 'HLF-000005', ' no '];
    for (const value of values) {
      await fetch(`${testApp.accountUrl}/scanner/scan`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ service_id: sideDoor, device_id: '571', user_id: '701', value }),
      });
    }
    await ada.say('/scandesk relay', 'C0STOCKROOM');
    await ada.click(await ada.seesWindow('Relays'), 'relay.new');
    const form = await ada.seesWindow('New relay');
    expect(text(form)).toContain('Choose a service and a channel');
    const all = await choose(ada, 'relay.service', select(sideDoor), 'relay.service');
    expect(text(all)).toContain('Of this service’s 4 recent scans, 4 would have been posted:');
    expect(previewed(all)).toEqual([...values].sort());
    const chosen = await choose(ada, 'relay.notable', radio('invalid'), 'relay.notable');
    const told = previewed(chosen);
    expect(told.length).toBeGreaterThan(0);
    expect(told.length).toBeLessThan(4);
    await ada.submit(chosen);
    const [, url = ''] =
      /"(http:\/\/[^"]+\/relay\/[^"]+)"/.exec(JSON.stringify((await ada.seesWindow('Relay created')).view.blocks)) ??
      [];
    const recorded = await account({ section: 'scans', action: 'retrieve', service_id: sideDoor });
    const replayed = [...recorded.matchAll(/<status>(-?\d)<\/status>\s*<tid>([^<]*)<\/tid>/g)].map(
      ([, status = '', tid = '']) => ({ status, tid: unescaped(tid), sid: sideDoor }),
    );
    expect(replayed).toHaveLength(4);
    expect((await posted(url, replayed, 'C0STOCKROOM')).sort()).toEqual(told);
  });

  it('every preview of a young relay has the account’s scans of its service before its own, and says whose they are', async () => {
    const { made, url, id } = await makeRelay(ada, { service: sideDoor });
    const form = await manage(made);
    expect(text(form)).toContain('Of this service’s 4 recent scans, 4 would have been posted:');
    await scan(url, { tid: 'young-1', sid: sideDoor, status: '1' });
    await closeAll(ada);
    const both = 'Of this relay’s 1 recent scan and this service’s 4 before it,';
    await ada.click(await openRelay(ada, id), 'relay.judging');
    await ada.seesWindow('Validation');
    expect(text(await choose(ada, 'judging.again', select('ever')))).toContain(`${both} none would have had`);
    await ada.close((await ada.window())!);
    await ada.click(await ada.seesWindow('Relay'), 'relay.rules');
    expect(text(await ada.seesWindow('Rules and alerts'))).toContain(`${both} 5 would have been posted:`);
    await ada.click((await ada.window())!, 'relay.rule.add');
    await ada.seesWindow('New rule');
    expect(text(await choose(ada, 'rule.about', radio('burst')))).toContain(`${both} none would have opened an alert`);
  });

  it('the preview of a new relay takes the recorded scans of a service with a postback URL for valid', async () => {
    await ada.say('/scandesk relay');
    await ada.click(await ada.seesWindow('Relays'), 'relay.new');
    await ada.seesWindow('New relay');
    const chosen = await choose(ada, 'relay.service', select(vip), 'relay.service');
    expect(text(chosen)).toMatch(/Of this service’s (last 100 scans|\d+ recent scans), \d+ would have been posted/);
    const invalid = await choose(ada, 'relay.notable', radio('invalid'), 'relay.notable');
    expect(text(invalid)).toContain(', none would have been posted.');
  });

  it('the preview of a relay shows the last choice, however fast choices follow each other', async () => {
    const { made, url } = await makeRelay(ada, { channel: 'C0GENERAL' });
    await scan(url, { tid: 'fast-valid', status: '1' });
    await scan(url, { tid: 'fast-invalid', status: '0' });
    const form = await manage(made);
    await Promise.all([
      ada.click(form, 'relay.notable', radio('invalid'), 'relay.notable'),
      ada.click(form, 'relay.channel', channelOf('C0STOCKROOM'), 'relay.channel'),
    ]);
    for (const service of [gateA, 'any', vip, 'any']) {
      await ada.click(form, 'relay.service', select(service), 'relay.service');
    }
    const shown = await eventually(async () => {
      const view = (await ada.window())!;
      const blocks = JSON.stringify(view.view.blocks);
      return blocks.includes('"channel_id":"C0STOCKROOM"') && !blocks.includes('fast-valid') ? view : undefined;
    }, 'what the last choices make of the scans');
    expect(previewed(shown)).toContain('fast-invalid');
  });

  it('a relay’s preview says if scans could not be loaded, and requests loaded scans no second time', async () => {
    await ada.say('/scandesk relay');
    await ada.click(await ada.seesWindow('Relays'), 'relay.new');
    await ada.seesWindow('New relay');
    await testApp.accountFaults({
      next: [{ operation: 'scans/retrieve', as: 'refused', code: '10', times: 1 }],
    });
    const untold = await choose(ada, 'relay.service', select('1202'), 'relay.service');
    expect(text(untold)).toContain('Recent scans could not be loaded for a preview.');
    await choose(ada, 'relay.notable', radio('invalid'), 'relay.notable');
    await reads(ada, 'would have been posted');
    await testApp.forbidAccountCalls();
    const again = await choose(ada, 'relay.notable', radio('all'), 'relay.notable');
    expect(text(again)).toContain('would have been posted');
    await testApp.accountFaults({ next: [] });
    expect(await ada.submit(again)).toMatchObject({ ok: true });
    await ada.seesWindow('Relay created');
  });
});

function unescaped(xml: string): string {
  const names: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return xml.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => names[name]!);
}
