import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { read } from '../block-kit/reading.js';
import { askAccount, connect } from '../connected.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

const tickets = '1021';
const hostile = '*Smith* <!channel> :100: <https://evil.example|here>';

interface Element {
  readonly action_id?: string;
  readonly text?: { readonly text: string; readonly emoji?: boolean };
}

const buttonsOf = ({ blocks }: ShownMessage) =>
  (blocks as { elements?: Element[]; accessory?: Element }[])
    .flatMap((block) => [...(block.elements ?? []), ...(block.accessory ? [block.accessory] : [])])
    .filter(({ action_id }) => action_id?.startsWith('lookup.open.'));

describe('an unknown barcode', () => {
  let testApp: TestApp;
  let ada: Person;
  let mia: Person;

  const call = (action: string, variables: Record<string, string>) =>
    askAccount(testApp, 'databases', action, { database_id: tickets, ...variables });

  beforeAll(async () => {
    testApp = await startTestApp({ settings: { MIRROR_SHARE: '100' } });
    ada = testApp.person('U0ADA');
    mia = testApp.person('U0MIA');
    await call('addvalue', { value: 'GUEST-77', response: hostile, validity: '1' });
    await call('addvalue', { value: '9501101530003', response: 'Pallet', validity: '1' });
    await connect(ada);
  });
  afterAll(() => testApp?.stop());

  /** The card once the copy is complete. */
  const cardWith = (text: string, words: string) =>
    eventually(async () => {
      const card = await mia.command(`/barcode ${text}`);
      return read(card.blocks).includes(words) ? card : undefined;
    }, `a card of ${text} that says “${words}”`);

  it('an unknown barcode’s card offers close barcodes, and a clicked one is looked up in place', async () => {
    const card = await cardWith('HLF-00000l', 'HLF-000001');
    expect(read(card.blocks)).toContain('❔ Unknown');
    expect(buttonsOf(card)[0]?.text).toMatchObject({ text: 'HLF-000001', emoji: false });
    await mia.clickMessage(card, 'lookup.open.0');
    const other = await eventually(
      async () => (await mia.messages()).find(({ ts, blocks }) => ts === card.ts && !read(blocks).includes('Unknown')),
      'the card of the other barcode',
    );
    expect(read(other.blocks)).toMatch(/^HLF-000001/);
  });

  it('an unknown barcode’s card with a wrong check digit offers the corrected barcode first, and explains it', async () => {
    const card = await cardWith('9501101530004', 'Did you mean');
    expect(buttonsOf(card)[0]?.text?.text).toBe('9501101530003');
    expect(read(card.blocks)).toContain('its check digit doesn’t match');
  });

  wideIt('an unknown barcode’s card finds values by their response, shown letter by letter', async () => {
    const card = await cardWith('smith', 'Values whose response mentions “smith”');
    const sections = (card.blocks as { type: string; fields?: Element['text'][] }[]).filter(
      ({ type }) => type === 'section',
    );
    expect(sections.map(({ fields }) => fields)).toEqual([
      [
        expect.objectContaining({ type: 'plain_text', emoji: false, text: 'GUEST-77' }),
        expect.objectContaining({ type: 'plain_text', emoji: false, text: expect.stringContaining(hostile) }),
      ],
    ]);
    expect(buttonsOf(card).map(({ text }) => text?.text)).toEqual(['Look up']);
    expect(read((await cardWith('channel SMITH', 'GUEST-77')).blocks)).toContain('mentions “channel SMITH”');
    expect(read((await cardWith('Smith, channel', 'GUEST-77')).blocks)).toContain('mentions “Smith, channel”');
    // Two barcodes are told apart, though nothing is found of either.
    expect(read((await mia.command('/barcode smith-1, smith-2')).blocks)).toContain('2 barcodes: 2 unknown');
  });

  it('an unknown barcode’s card offers no suggestions where no value is similar', async () => {
    const card = await mia.command('/barcode nothing-like-it-anywhere');
    expect(buttonsOf(card)).toEqual([]);
    expect(read(card.blocks)).not.toContain('mentions');
  });
});
