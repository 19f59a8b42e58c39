/** Cards, forms and set-ups of one connection change nothing under the next: the same ids name other records there. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { leastId } from '../../../src/database/ids.js';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import { createSetUps, type SetUp } from '../../../src/slack/relays/setup/record-store.js';
import type { Store } from '../../../src/workspaces/types.js';
import { storeReceived } from '../../helpers/scans.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { read } from '../block-kit/reading.js';
import { askAccount, connect, databaseIds, inAccount } from '../connected.js';
import { seesWords, submitForm } from '../operations/filling.js';
import { choose, closeAll, makeRelay, parts, radio, reads, typed } from '../relays/relay-stage.js';
import { accountKey, eventually, optionNamed, type Person, startTestApp, type TestApp } from '../test-app.js';

const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
const refused = 'A different account or API key is connected now, so nothing was changed.';
const notConnected = 'No scanning account is connected';

let testApp: TestApp;
let ada: Person;
let tickets = '';
beforeAll(async () => {
  testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
  ada = testApp.person('U0ADA');
  await connect(ada);
  tickets = (await databaseIds(testApp))['Harbour Lights Festival tickets']!;
});
afterAll(() => testApp.stop());
afterEach(() => closeAll(ada));

async function inStore<T>(ask: (store: Store) => Promise<T>): Promise<T> {
  const store = await testApp.openStore();
  try {
    return await ask(store);
  } finally {
    await store.close();
  }
}

/** Connects an account with the same ids, which would make any change that reaches it. */
const connectAnother = () =>
  inStore((store) =>
    store.workspaces.connect(owner, accountKey, { connectedBy: 'U0ADA', connectedAt: Date.now() + 1 }),
  );

const stands = (value: string) => inAccount(testApp, tickets, value);

const turns = (card: ShownMessage, words: string) =>
  eventually(async () => {
    const now = (await ada.messages()).find(({ ts }) => ts === card.ts);
    return now && read(now.blocks).includes(words) ? now : undefined;
  }, `the card to say ${words}`);

async function refusals(words: string): Promise<number> {
  return (await ada.messages()).filter(({ blocks }) => read(blocks).includes(words)).length;
}

async function isRefused(act: () => Promise<unknown>, words = refused): Promise<void> {
  const before = await refusals(words);
  await act();
  await eventually(async () => (await refusals(words)) > before, `the refusal: ${words}`);
}

test('a card of a former account, and its windows, change nothing at the account connected later', async () => {
  const before = await stands('HLF-000001');
  const plain = await ada.command('/barcode HLF-000001');
  const edited = await ada.command('/barcode HLF-000002');
  await ada.clickMessage(edited, 'lookup.change', optionNamed(edited.blocks, 'Edit response'));
  await ada.submit(await ada.seesWindow('Edit response'), {
    'lookup.edit.response.0': { 'lookup.edit.response': { type: 'plain_text_input', value: 'Changed' } },
  });
  await ada.seesForm('notice');
  const changed = await turns(edited, 'Changed');
  await closeAll(ada);
  const open = await ada.command('/barcode HLF-000003');
  await ada.clickMessage(open, 'lookup.change', optionNamed(open.blocks, 'Edit response'));
  const window = await ada.seesWindow('Edit response');

  await connectAnother();
  await ada.submit(window, {
    'lookup.edit.response.0': { 'lookup.edit.response': { type: 'plain_text_input', value: 'For another account' } },
  });
  await reads(ada, refused);
  expect((await stands('HLF-000003'))?.response).not.toContain('another account');
  await closeAll(ada);
  await isRefused(() =>
    ada.clickMessage(
      plain,
      'lookup.change',
      optionNamed(plain.blocks, before?.valid ? 'Mark not valid' : 'Mark valid'),
    ),
  );
  expect(await stands('HLF-000001')).toEqual(before);
  await isRefused(() => ada.clickMessage(changed, 'lookup.undo'));
  expect((await stands('HLF-000002'))?.response).toBe('Changed');

  const fresh = await ada.command('/barcode HLF-000001');
  await ada.clickMessage(
    fresh,
    'lookup.change',
    optionNamed(fresh.blocks, before?.valid ? 'Mark not valid' : 'Mark valid'),
  );
  await ada.clickMessage(await turns(fresh, 'marked it'), 'lookup.undo');
  await turns(fresh, 'undid');
});

/** Stores 20 received scans of one barcode: more than a page of results, and more than a card, shows. */
const receiveScans = (store: Store, relay: string) =>
  storeReceived(
    store,
    Array.from({ length: 20 }, (_, n) => {
      const at = Date.now() - n * 60_000;
      return { ...owner, id: `${leastId(at)}${relay.length}`, relay_id: relay, received_at: at, tid: 'HLF-000001' };
    }),
  );

/** The messages that show scans of the account: search results, and the cards of one and of two barcodes. */
async function shownOfAccount() {
  const found = await ada.command('/scans last 7 days');
  const card = await ada.command('/barcode HLF-000001');
  const several = await ada.command('/barcode HLF-000001 HLF-000002');
  return { found, card, several };
}

test.each([
  ['another account is connected', connectAnother, refused],
  ['the account is disconnected', () => inStore((store) => store.workspaces.disconnect(owner)), notConnected],
] as const)(
  'a former account’s answers are not shared, paged or exported once %s, and the refusal says so',
  async (change, make, words) => {
    await connectAnother();
    await inStore((store) => receiveScans(store, change));
    const { found, card, several } = await shownOfAccount();
    await make();
    for (const [message, button] of [
      [card, 'lookup.share'],
      [card, 'lookup.scans'],
      [several, 'lookup.several.share'],
      [found, 'scans.share'],
      [found, 'scans.older'],
      [found, 'export.scans'],
    ] as const) {
      await isRefused(() => ada.clickMessage(message, button), words);
    }
    expect((await ada.messages()).some(({ blocks }) => read(blocks).includes('Shared by'))).toBe(false);
    await connectAnother();
  },
);

test('a form or confirmation for one account is not sent to another account that was connected afterwards', async () => {
  await ada.say(`/scandesk call databases addvalue database_id=${tickets}`);
  const form = await ada.seesWindow('Add a value');
  await connectAnother();
  await submitForm(ada, form, { value: 'FOR-ANOTHER' });
  await reads(ada, refused);
  expect(await stands('FOR-ANOTHER')).toBeUndefined();
  await closeAll(ada);

  await ada.say('/scandesk call services delete service_id=1203');
  const question = await ada.seesWindow('Delete this service?');
  await connectAnother();
  await ada.submit(question);
  await seesWords(ada, refused);
  expect(await askAccount(testApp, 'services', 'retrieve')).toContain('<service id="1203">');
});

const field = 'relay.service.field';

/** A relay with a service that was set up for it, and the window that offers to undo it. */
async function setUp(mode: 'there' | 'direct', name = '') {
  const { made, id, url } = await makeRelay(ada, { service: '1206' });
  await ada.click(made, 'relay.service.open');
  const form = await ada.seesWindow('Set up a service');
  if (mode === 'direct') {
    const direct = await choose(ada, 'service.mode', radio('direct'), 'relay.service.redraw');
    await ada.submit(direct, parts({ 'service.name': typed(name) }, field));
  } else {
    await ada.submit(form);
  }
  return { done: await ada.seesWindow('Service set up'), id, url };
}

const postbackOf = async (id: string) =>
  /<postback>([^<]*)<\/postback>/.exec(await askAccount(testApp, 'services', 'retrieve', { service_id: id }))?.[1] ??
  '';

wideIt('the undo of a set-up deletes and changes no service of another account', async () => {
  const { done: made } = await setUp('direct', 'Gate direct');
  await connectAnother();
  await ada.click(made, 'relay.service.undo');
  await reads(ada, 'Gate direct was set up while another account or API key was connected, so nothing was changed.');
  expect(read((await ada.window())!.view.blocks)).toContain('delete it on that account’s website');
  expect(await askAccount(testApp, 'services', 'retrieve')).toContain('Gate direct');
  await closeAll(ada);

  const before = await postbackOf('1206');
  const { done: changed, url, id } = await setUp('there');
  await connectAnother();
  await ada.click(changed, 'relay.service.undo');
  await reads(ada, 'on that account’s website, enter its previous postback URL (127.0.0.1:9');
  expect(await postbackOf('1206')).toBe(url);

  // A set-up stored without its connection, by an older version, is undone all the same.
  await inStore(async (store) => {
    const setUps = createSetUps({ store });
    const [known] = await setUps.list(owner, id);
    const { connectedAt: _, ...old } = known!;
    await setUps.add(owner, id, old);
  });
  await ada.click((await ada.window())!, 'relay.service.undo');
  await reads(ada, 'again. Not restored');
  expect(await postbackOf('1206')).toBe(before);
});

test('an open set-up form enters its URL at no service of another account', async () => {
  const before = await postbackOf('1206');
  const { made } = await makeRelay(ada, { service: '1206' });
  await ada.click(made, 'relay.service.open');
  const form = await ada.seesWindow('Set up a service');
  await connectAnother();
  await ada.submit(form);
  await reads(ada, refused);
  expect(await postbackOf('1206')).toBe(before);
});

wideIt(
  'a set-up whose old URL cannot be unsealed is listed, and its undo reports that and changes nothing',
  async () => {
    const before = await postbackOf('1206');
    const { done, id, url } = await setUp('there');
    const remembered = await inStore(async (store) => {
      const broken = store.sealer.seal('x', { purpose: 'service-url', installation: 'T0OTHER', record: 'other' });
      const [known] = await createSetUps({ store }).list(owner, id);
      await store.revise('relay-services', `${owner.installation}:${owner.team}:${id}`, (records) =>
        (records as object[]).map((record) => ({ ...record, before: broken })),
      );
      return known!;
    });
    await ada.click(done, 'relay.service.undo');
    const told = await reads(ada, 'can’t be read because its encryption key is gone. Nothing was changed.');
    expect(read(told.view.blocks)).toContain('127.0.0.1:9');
    expect(JSON.stringify(told.view.blocks)).not.toContain('nowhere again');
    expect(await postbackOf('1206')).toBe(url);

    // Set up once more, the service is still not taken for one that had no URL before.
    await ada.submit(told);
    const again = await ada.seesWindow('Service set up');
    await ada.click(again, 'relay.service.undo');
    await reads(ada, 'can’t be read because');
    await inStore((store) => createSetUps({ store }).add(owner, id, remembered satisfies SetUp));
    await ada.click((await ada.window())!, 'relay.service.undo');
    await reads(ada, 'again. Not restored');
    expect(await postbackOf('1206')).toBe(before);
  },
);
