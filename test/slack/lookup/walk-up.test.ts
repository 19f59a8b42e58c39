/** Somebody at the gate with an unknown barcode, which is added to the relay's database and let in. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.js';
import { relaySettingsSchema } from '../../../src/relay/index.js';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import { relaysOf } from '../../helpers/relay.js';
import { read } from '../block-kit/reading.js';
import { askAccount, connect, databaseIds, inAccount, onRecord } from '../connected.js';
import { closeAll, makeRelay, parts, reads, scan, select, typed } from '../relays/relay-stage.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };

describe('adding an unknown barcode at the gate', () => {
  let offset = 0;
  const clock: Clock = { ...systemClock, now: () => Date.now() + offset };
  let testApp: TestApp;
  let ada: Person;
  let mia: Person;
  let tickets: string;
  let stock: string;
  let relay: { id: string; url: string };

  const validatesWith = async (relayId: string, ...databaseIds: string[]) => {
    const store = await testApp.openStore();
    const { judging } = relaySettingsSchema.parse({ judging: { kind: 'database', databaseIds, unknown: 'reject' } });
    await relaysOf(store).update(owner, relayId, ({ settings }) => ({ settings: { ...settings, judging } }));
    await store.close();
  };
  const entered = (response: string, more: Readonly<Record<string, ReturnType<typeof select>>> = {}) =>
    parts({ 'lookup.walk_up.response': typed(response), ...more }, 'lookup.walk_up');
  const turns = (card: ShownMessage, words: string) =>
    eventually(async () => {
      const now = (await ada.messages()).find(({ ts }) => ts === card.ts);
      return now && read(now.blocks).includes(words) ? now : undefined;
    }, `the card to say ${words}`);
  const offers = ({ blocks }: ShownMessage) => JSON.stringify(blocks).includes('Add and let in');
  const press = async (card: ShownMessage) => {
    await ada.clickMessage(card, 'lookup.walk_up');
    return await ada.seesForm('lookup.walk_up');
  };

  beforeAll(async () => {
    testApp = await startTestApp({
      clock,
      settings: { POST_INTERVAL_MS: '0', MIRROR_SHARE: '30', ACCOUNT_CALLS_PER_MINUTE: '6000' },
    });
    ada = testApp.person('U0ADA');
    mia = testApp.person('U0MIA');
    await connect(ada);
    relay = await makeRelay(ada, { channel: 'C0FRONTGATE' });
    await closeAll(ada);
    const ids = await databaseIds(testApp);
    tickets = ids['Harbour Lights Festival tickets']!;
    stock = ids['Stock room']!;
  }, 60_000);
  afterEach(async () => {
    await testApp.accountFaults({ next: [], api_key_refused: false });
    await closeAll(ada);
  });
  afterAll(() => testApp?.stop());

  it('Add and let in is offered to people with access for an unknown barcode, if a relay uses a database', async () => {
    expect(offers(await ada.command('/barcode WALK-UP-0'))).toBe(false);
    await validatesWith(relay.id, tickets);
    const card = await ada.command('/barcode WALK-UP-0');
    expect(offers(card)).toBe(true);
    expect(read(card.blocks)).toContain('❔ Unknown');
    expect(offers(await mia.command('/barcode WALK-UP-0'))).toBe(false);
    expect(offers(await ada.command('/barcode HLF-000001'))).toBe(false);
  });

  it('Add and let in is still offered on a card that its reader has shared', async () => {
    const card = await ada.command('/barcode WALK-UP-0');
    await ada.clickMessage(card, 'lookup.share');
    expect(offers(await turns(card, 'You shared this here.'))).toBe(true);
  });

  it('Add and let in is not offered while the account cannot confirm that no database has the barcode', async () => {
    // A younger copy is sure that it does not hold a barcode.
    offset += 70_000;
    await testApp.accountFaults({ next: [{ as: 'reset', times: 1_000 }] });
    const card = await ada.command('/barcode WALK-UP-DOWN');
    expect(read(card.blocks)).not.toContain('❔ Unknown');
    expect(offers(card)).toBe(false);
  });

  it('Add and let in adds a barcode in one step: the card says valid, the relay admits it, and Undo removes it', async () => {
    const value = ' 007 wALK ';
    expect(await scan(relay.url, { tid: value })).toContain('<status>0</status>');
    const card = await ada.command(`/barcode "${value}"`);
    const form = await press(card);
    expect(JSON.stringify(form.view.blocks)).toMatch(/"initial_option":\{[^}]*Harbour Lights Festival tickets/);
    await ada.submit(form, entered('Guest of the band'));
    expect(read((await ada.seesForm('notice')).view.blocks)).toMatch(
      /^✅ Added to Harbour Lights Festival tickets\. You can undo this on the card\./,
    );
    const added = await turns(card, 'added this barcode to Harbour Lights Festival tickets');
    expect(read(added.blocks)).toContain('Valid in the database');
    expect(read(added.blocks)).toContain('Guest of the band');
    expect(offers(added)).toBe(false);
    expect(await inAccount(testApp, tickets, value)).toEqual({ valid: true, response: 'Guest of the band' });
    expect(await inAccount(testApp, tickets, value.trim())).toBeUndefined();
    expect((await onRecord(testApp))[0]).toMatchObject({
      what: 'databases/addvalue',
      who: 'U0ADA',
      outcome: 'ok',
      detail: { database_id: tickets, value },
    });
    await eventually(
      async () => (await scan(relay.url, { tid: value })).includes('<status>1</status>'),
      'the relay to let it in',
    );
    await ada.clickMessage(added, 'lookup.undo');
    await turns(card, 'undid a change');
    expect(await inAccount(testApp, tickets, value)).toBeUndefined();
  });

  it('Add and let in changes nothing for a barcode that was added meanwhile, and shows its state', async () => {
    const card = await ada.command('/barcode 0042');
    const form = await press(card);
    await askAccount(testApp, 'databases', 'addvalue', { database_id: tickets, value: '0042', response: 'Theirs' });
    await ada.submit(form, entered('Mine'));
    const notice = read((await ada.seesForm('notice')).view.blocks);
    expect(notice).toContain('Nothing was added: this barcode has been added to Harbour Lights Festival tickets');
    expect(notice).toContain('Theirs');
    const now = await turns(card, '✅ Valid, no admission on record');
    expect(offers(now)).toBe(false);
    expect(await inAccount(testApp, tickets, '0042')).toEqual({ valid: true, response: 'Theirs' });
  });

  it('Add and let in adds a barcode once, though it is clicked on two cards', async () => {
    const [card, same] = [await ada.command('/barcode 0043'), await ada.command('/barcode 0043')];
    await ada.submit(await press(card), entered('First'));
    await turns(card, 'added this barcode');
    await closeAll(ada);
    await ada.submit(await press(same), entered('Second'));
    expect(read((await ada.seesForm('notice')).view.blocks)).toContain('Nothing was added');
    await turns(same, 'First');
  });

  it('Add and let in asks for a new lookup where its card is too old', async () => {
    const card = await ada.command('/barcode WALK-UP-OLD');
    offset += 16 * 60_000;
    await ada.clickMessage(card, 'lookup.walk_up');
    await reads(ada, 'This card may be out of date. Look up the barcode again, then add it.');
  });

  it('Add and let in asks for a database where relays validate with several', async () => {
    await validatesWith(relay.id, stock, tickets);
    const form = await press(await ada.command('/barcode 0044'));
    expect(JSON.stringify(form.view.blocks)).not.toContain('initial_option');
    const unanswered = await ada.submit(form, entered('Shelf 1'));
    expect(JSON.stringify(unanswered)).toContain('lookup.walk_up.choice');
    const blocks = form.view.blocks as { element?: { options?: { text: { text: string }; value: string }[] } }[];
    const options = blocks.flatMap(({ element }) => element?.options ?? []);
    expect(options.map(({ text }) => text.text).sort()).toEqual(['Harbour Lights Festival tickets', 'Stock room']);
    const { value } = options.find(({ text }) => text.text === 'Stock room')!;
    await ada.submit(form, entered('Shelf 1', { 'lookup.walk_up.choice': select(value) }));
    await ada.seesForm('notice');
    expect(await inAccount(testApp, stock, '0044')).toEqual({ valid: true, response: 'Shelf 1' });
    expect(await inAccount(testApp, tickets, '0044')).toBeUndefined();
  });
});
