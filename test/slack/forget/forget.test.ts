import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import type { Store } from '../../../src/workspaces/types.js';
import { gate, postScan, relaysOf, scanForm } from '../../helpers/relay.js';
import { read } from '../block-kit/reading.js';
import { connect, nameManager, onRecord } from '../connected.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

const text = (view: ShownView) => read(view.view.blocks);
const secret = 'HLF-CANARY 07';
const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };

describe('forgetting a barcode', () => {
  let testApp: TestApp;
  let store: Store;
  let ada: Person;
  let relayUrl: string;

  beforeAll(async () => {
    testApp = await startTestApp({ settings: { MIRROR_SHARE: '30' } });
    ada = testApp.person('U0ADA');
    store = await testApp.openStore();
    await connect(ada);
    const { path } = await relaysOf(store).create({ ...gate, owner, channel: 'C0GENERAL', notable: 'invalid' });
    relayUrl = `${testApp.appUrl}${path}`;
  });
  afterAll(async () => {
    await store?.close();
    await testApp?.stop();
  });

  const keep = (kept: boolean) => {
    const option = { text: { type: 'plain_text', text: 'Keep counting it', emoji: false }, value: 'keep' };
    return { 'forget.counts': { 'forget.field': { type: 'checkboxes', selected_options: kept ? [option] : [] } } };
  };
  /** The names of the tables with a row that holds the text. */
  const tablesWith = async (value: string) => {
    const tables = [
      'keyv',
      'audit',
      'received_scans',
      'watches',
      'mutes',
      'account_scans',
      'mirrored_values',
      'counters',
    ] as const;
    const found: string[] = [];
    for (const table of tables) {
      const rows = await store.db.selectFrom(table).selectAll().execute();
      const written = JSON.stringify(value).slice(1, -1);
      found.push(...rows.filter((row) => JSON.stringify(row).includes(written)).map(() => table));
    }
    return [...new Set(found)];
  };

  it('forgetting a barcode is refused without access, and asks for the barcode if none was typed', async () => {
    const mia = testApp.person('U0MIA');
    expect(read((await mia.command(`/scandesk forget "${secret}"`)).blocks)).toContain('people with access');
    expect((await ada.command('/scandesk forget')).text).toBe(
      'Which barcode? Type it after the command: /scandesk forget VALUE',
    );
    expect((await ada.command('/scandesk forget ""')).text).toContain('There is nothing between the quotes.');
  });

  it('forgetting a barcode lists its data, deletes them after confirmation, and is audited without the barcode', async () => {
    for (const tid of [secret, secret, 'HLF-CANARY 08']) {
      expect((await postScan(relayUrl, scanForm({ tid }))).status).toBe(200);
    }
    await ada.command(`/scandesk watch "${secret}"`);
    await ada.command(`/barcode "${secret}"`);
    await ada.command(`/barcode "${secret}", HLF-000001`);
    await eventually(async () => (await tablesWith(secret)).includes('keyv'), 'the stored card');
    expect((await tablesWith(secret)).sort()).toEqual(['audit', 'keyv', 'received_scans', 'watches']);

    await ada.say(`/scandesk forget "${secret}"`);
    const asked = await ada.seesWindow('Forget a barcode');
    expect(text(asked)).toContain(secret);
    expect(text(asked)).toContain('2 scans received by relays');
    expect(text(asked)).toContain('1 watch or mute');
    expect(await tablesWith(secret)).toContain('received_scans');

    await ada.submit(asked, keep(true));
    const done = await ada.seesWindow('Barcode forgotten');
    expect(text(done)).toContain('Deleted: 2 scans');
    expect(await tablesWith(secret)).toEqual([]);
    expect(await tablesWith('HLF-CANARY 08')).toContain('received_scans');
    const [newest, ...earlier] = await onRecord(testApp);
    expect(newest).toMatchObject({ what: 'workspace/forget', who: 'U0ADA', detail: { scans: 2 } });
    expect(earlier.find(({ what }) => what === 'relay/watch')?.detail).toMatchObject({ value: '(forgotten)' });
    await ada.close(done);
  });

  it('forgetting a barcode a second time reports 0 deleted scans', async () => {
    await ada.say(`/scandesk forget "${secret}"`);
    const asked = await ada.seesWindow('Forget a barcode');
    expect(text(asked)).toContain('0 scans received by relays');
    await ada.submit(asked, keep(false));
    expect(text(await ada.seesWindow('Barcode forgotten'))).toContain('Deleted: 0 scans.');
  });

  it('forgetting a barcode reads \\x1d in the command as a GS1 separator, and deletes the barcode’s scan', async () => {
    const gs1 = '0104006381333931\u001d10AB';
    expect((await postScan(relayUrl, scanForm({ tid: gs1 }))).status).toBe(200);
    await ada.say('/scandesk forget 0104006381333931\\x1d10AB');
    const asked = await ada.seesWindow('Forget a barcode');
    expect(text(asked)).toContain('1 scan received by relays');
    await ada.submit(asked, keep(true));
    await ada.seesWindow('Barcode forgotten');
    expect(await tablesWith(gs1)).toEqual([]);
  });

  it('forgetting a barcode checks the person’s access again at the confirmation', async () => {
    await nameManager(ada, 'U0MIA');
    const mia = testApp.person('U0MIA');
    await mia.say('/scandesk forget "HLF-CANARY 08"');
    const asked = await mia.seesWindow('Forget a barcode');
    await store.workspaces.change(owner, { managers: { users: [], groups: [] } });
    await mia.submit(asked, keep(true));
    await eventually(async () => text((await mia.window())!).includes('people with access'), 'the refusal');
    expect(await tablesWith('HLF-CANARY 08')).toContain('received_scans');
  });
});

describe('erasing all data', () => {
  let testApp: TestApp;
  let store: Store;
  let ada: Person;
  let relayUrl: string;

  beforeAll(async () => {
    testApp = await startTestApp();
    ada = testApp.person('U0ADA');
    store = await testApp.openStore();
    await connect(ada);
    const { path } = await relaysOf(store).create({ ...gate, owner, channel: 'C0GENERAL', notable: 'invalid' });
    relayUrl = `${testApp.appUrl}${path}`;
  });
  afterAll(async () => {
    await store?.close();
    await testApp?.stop();
  });
  const count = async (table: 'received_scans' | 'relays' | 'watches' | 'outbox' | 'counters') =>
    (await store.db.selectFrom(table).selectAll().execute()).length;

  it('erasing all data is for admins alone, not for other people with access', async () => {
    await nameManager(ada, 'U0MIA');
    const mia = testApp.person('U0MIA');
    await mia.say('/scandesk connect');
    const window = await mia.seesWindow('Connection');
    await mia.click(window, 'erase.open');
    await eventually(async () => text((await mia.window())!).includes('admin'), 'the refusal');
    expect(await store.audit.list(owner, { limit: 5, sections: ['workspace/erase'] })).toEqual([]);
  });

  it('erasing all data is confirmed twice, carried out, and reported; relays and the connection stay', async () => {
    for (let n = 0; n < 5; n++) {
      expect((await postScan(relayUrl, scanForm())).status).toBe(200);
    }
    await ada.command('/scandesk watch HLF-000004');
    await ada.say('/scandesk connect');
    await ada.click(await ada.seesWindow('Connection'), 'erase.open');
    const first = await eventually(async () => {
      const view = await ada.window();
      return view?.callback_id === 'erase' ? view : undefined;
    }, 'the first confirmation');
    expect(text(first)).toContain('5 scans received by relays');
    expect(text(first)).toContain('1 watch or mute');
    expect(text(first)).toContain('Relays with their webhook URLs and settings');
    await ada.submit(first);
    const second = await eventually(async () => {
      const view = await ada.window();
      return view?.callback_id === 'erase.confirm' ? view : undefined;
    }, 'the second confirmation');
    expect(await count('received_scans')).toBe(5);

    const typed = (value: string) => ({ 'erase.word': { 'erase.field': { type: 'plain_text_input', value } } });
    expect((await ada.submit(second, typed('yes'))).errors).toEqual({ 'erase.word': 'Type ERASE.' });
    expect(await count('received_scans')).toBe(5);
    await ada.submit(second, typed('erase'));
    await ada.seesWindow('Erasing data');
    const told = await eventually(
      async () => (await ada.directMessages()).find((message) => message.text.includes('is erased')),
      'the message that it is done',
    );
    expect(told.text).toBe('The data of this workspace is erased.');
    expect([await count('received_scans'), await count('watches')]).toEqual([0, 0]);
    expect(await store.db.selectFrom('outbox').select('kind').execute()).toEqual([{ kind: 'notice' }]);
    expect(await count('relays')).toBe(1);
    expect(await store.workspaces.connection(owner)).toBeDefined();
    const recorded = await onRecord(testApp);
    expect(recorded.slice(0, 2).map(({ what, who }) => [what, who])).toEqual([
      ['workspace/erased', 'U0ADA'],
      ['workspace/erase', 'U0ADA'],
    ]);
    expect((await postScan(relayUrl, scanForm())).status).toBe(200);
    expect(await count('received_scans')).toBe(1);
  });

  it('erasing all data is reported as begun, not as done, if Slack fails to update its window', async () => {
    await testApp.rules({ faults: [{ method: 'views.update', as: '500', times: 20 }] });
    const before = new Set([...(await ada.messages()), ...(await ada.directMessages())].map(({ ts }) => ts));
    await ada.say('/scandesk erase');
    await ada.submit(await ada.seesForm('erase'));
    const second = await ada.seesForm('erase.confirm');
    await ada.submit(second, { 'erase.word': { 'erase.field': { type: 'plain_text_input', value: 'ERASE' } } });
    const told = await eventually(async () => {
      const all = [...(await ada.messages()), ...(await ada.directMessages())];
      return all.find(({ ts, blocks }) => !before.has(ts) && read(blocks).includes('The data is being erased.'));
    }, 'that it began');
    expect(read(told.blocks)).not.toContain('Done');
    await testApp.rules({ faults: [] });
  });
});
