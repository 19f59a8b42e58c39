/** A change from a card that is hours old: the barcode is read again, or the card says that it was not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.js';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import { read } from '../block-kit/reading.js';
import { askAccount, connect, databaseIds } from '../connected.js';
import { eventually, optionNamed, type Person, startTestApp, type TestApp } from '../test-app.js';

const hour = 60 * 60_000;

describe.each([
  ['without a copy of the account', '0'],
  ['with a copy of the account', '30'],
])('an old card, %s', (_, share) => {
  let offset = 0;
  const clock: Clock = { ...systemClock, now: () => Date.now() + offset };
  let testApp: TestApp;
  let ada: Person;
  let tickets = '';

  const scan = async (value: string) => {
    const scanner = `${testApp.accountUrl}/scanner/`;
    const { users, devices } = (await (await fetch(`${scanner}state`)).json()) as Record<string, { id: string }[]>;
    await fetch(`${scanner}scan`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ service_id: '1201', user_id: users?.[0]?.id, device_id: devices?.[0]?.id, value }),
    });
  };
  const add = (value: string, more: Record<string, string> = {}) =>
    askAccount(testApp, 'databases', 'addvalue', { database_id: tickets, value, ...more });
  const mark = (value: string, validity: '0' | '1') =>
    askAccount(testApp, 'databases', 'editvalue', { database_id: tickets, value, validity });
  const turned = (card: ShownMessage, words: string) =>
    eventually(async () => {
      const now = (await ada.messages()).find((message) => message.ts === card.ts);
      return now && read(now.blocks).includes(words) ? read(now.blocks) : undefined;
    }, `the card to say ${words}`);

  beforeAll(async () => {
    testApp = await startTestApp({ clock, settings: { MIRROR_SHARE: share } });
    ada = testApp.person('U0ADA');
    await connect(ada);
    tickets = (await databaseIds(testApp))['Harbour Lights Festival tickets']!;
  });
  afterAll(() => testApp?.stop());

  it('a ticket marked valid from the card of the morning is used, if it was admitted meanwhile', async () => {
    await add('OLD-1', { validity: '0', response: 'Refunded' });
    const card = await ada.command('/barcode OLD-1');
    offset += hour;
    await mark('OLD-1', '1');
    await scan('OLD-1');
    await mark('OLD-1', '0');
    offset += 8 * hour;
    await ada.clickMessage(card, 'lookup.change', optionNamed(card.blocks, 'Mark valid'));
    const marked = await turned(card, 'marked it valid');
    expect(marked).toContain('⛔ Already used');
    expect(marked).not.toContain('no admission on record');
  });

  /** Without a copy, the account alone knows what was scanned. */
  const itWithoutCopy = share === '0' ? it : () => undefined;

  itWithoutCopy('a change after which the scans cannot be read says that it is not confirmed', async () => {
    await add('OLD-2');
    const card = await ada.command('/barcode OLD-2');
    offset += 8 * hour;
    await testApp.accountFaults({ next: [{ operation: 'scans/retrieve', times: 1_000, as: '500' }] });
    await ada.clickMessage(card, 'lookup.change', optionNamed(card.blocks, 'Mark not valid'));
    const marked = await turned(card, 'marked it not valid');
    await testApp.accountFaults({ next: [] });
    expect(marked).toContain('❌ Not valid');
    expect(marked).toContain('Changed, not confirmed');
  });

  itWithoutCopy(
    'a change after which nothing can be read shows the card of the morning, with its age and no tick',
    async () => {
      await add('OLD-3', { validity: '0' });
      const card = await ada.command('/barcode OLD-3');
      offset += 8 * hour;
      // The change waits for its answer, while the account begins to fail.
      await testApp.accountFaults({
        next: [{ operation: 'databases/editvalue', times: 1, as: 'slow', delay_ms: 1_000 }],
      });
      await ada.clickMessage(card, 'lookup.change', optionNamed(card.blocks, 'Mark valid'));
      await new Promise((done) => setTimeout(done, 500));
      await testApp.accountFaults({
        next: ['databases/showvalues', 'scans/retrieve'].map((operation) => ({ operation, times: 1_000, as: '500' })),
      });
      const marked = await turned(card, 'marked it valid');
      await testApp.accountFaults({ next: [] });
      expect(marked).not.toContain('✅');
      expect(marked).toMatch(/not confirmed/);
    },
  );
});
