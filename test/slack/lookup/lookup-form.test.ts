/** The lookup form and several barcodes at once, as a person meets them in Slack. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ShownMessage, ShownView } from '../../../src/sandbox/slack/api.js';
import { read } from '../block-kit/reading.js';
import { callsSpent, connect } from '../connected.js';
import { accountKey, eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

const title = 'Look up barcodes';
const header = ({ blocks }: { readonly blocks?: unknown }) =>
  read((blocks as { type: string }[]).filter(({ type }) => type === 'header'));
const typed = (value: string) => ({
  'lookup.form.barcodes': { 'lookup.form.field': { type: 'plain_text_input', value } },
});

describe('the lookup form', () => {
  let testApp: TestApp;
  let ada: Person;
  let mia: Person;
  beforeAll(async () => {
    testApp = await startTestApp();
    ada = testApp.person('U0ADA');
    mia = testApp.person('U0MIA');
    await connect(ada);
  });
  afterAll(() => testApp?.stop());
  afterEach(async () => {
    await testApp.accountFaults({ next: [] });
    for (let view = await mia.window(); view; view = await mia.window()) {
      await mia.close(view);
    }
  });

  const open = async (channel?: string) => {
    await mia.say('/barcode', channel);
    return await mia.seesWindow(title);
  };
  /** The modal once it contains the words. */
  const shows = (words: string) =>
    eventually(async () => {
      const view = await mia.window();
      return view && read(view.view.blocks).includes(words) ? view : undefined;
    }, `a window with ${words}`);
  const submit = async (view: ShownView, value: string, words: string) => {
    await mia.submit(view, typed(value));
    return await shows(words);
  };

  it('the lookup form opens by /barcode alone, answers in place, and lists the barcode as recent', async () => {
    const form = await open();
    expect(read(form.view.blocks)).not.toContain('HLF-000001');
    const answer = await submit(form, ' HLF-000001 ', 'Already used');
    expect(JSON.stringify(answer.view.blocks)).not.toContain('lookup.change');
    await mia.click(answer, 'lookup.form');
    const again = await shows('Recent lookups');
    expect(read(again.view.blocks)).toMatch(/HLF-000001Already used<!date\^\d+\^, as of \{date[^>]*>Look up/);
    await mia.click(again, 'lookup.recent');
    await shows('⛔ Already used at Gate A: tickets');
  });

  it('the lookup form repeats no text that looks like an API key, nor the connected key in quotes', async () => {
    for (const key of ['9f7a0c52d1e84b6f3a7c5e9d0b1f2a34', `"${accountKey}"`]) {
      const answer = await submit(await open(), `HLF-000001\n${key}`, 'looks like an API key');
      expect(JSON.stringify(answer.view)).not.toContain(key.replaceAll('"', ''));
    }
  });

  it('the lookup form asks for a barcode where the field is empty', async () => {
    const form = await open();
    expect(await mia.submit(form, typed('  \n '))).toMatchObject({
      errors: { 'lookup.form.barcodes': 'Enter a barcode.' },
    });
  });

  it('the lookup form answers several lines in one card, whose lines open the cards of their barcodes', async () => {
    const answer = await submit(await open(), 'HLF-000001\nNOT-THERE\nHLF-000001', '2 barcodes');
    expect(header({ blocks: answer.view.blocks })).toBe('2 barcodes: 1 already used, 1 unknown');
    await mia.click(answer, 'lookup.open');
    await shows('1 other scan');
  });

  it('the lookup form shares an answer once in the channel of /barcode, and asks first where outsiders read', async () => {
    const before = new Set((await ada.messages()).map(({ ts }) => ts));
    const answer = await submit(await open(), 'HLF-000001\nHLF-000002', '2 barcodes');
    await mia.click(answer, 'lookup.several.share');
    await shows('You shared this here.');
    const shared = (await ada.messages()).filter(({ ts }) => !before.has(ts));
    expect(shared.map(header)).toEqual(['2 barcodes: 1 already used, 1 not valid']);
    expect(read(shared[0]!.blocks)).toContain('Shared by <@U0MIA>');

    const partner = await submit(await open('C0PARTNER'), 'HLF-000001', '⛔ Already used at Gate A: tickets');
    await mia.click(partner, 'lookup.share');
    await shows('People there will see this too.');
  });

  it('the lookup form says in its window that the account can’t be reached', async () => {
    const form = await open();
    await testApp.accountFaults({ next: [{ as: 'reset', times: 1_000 }] });
    await mia.submit(form, typed('HLF-000001'));
    await shows('The scanning account can’t be reached right now.');
  });

  it('the lookup form opens the scans of a barcode above its card', async () => {
    for (let n = 0; n < 6; n += 1) {
      const scan = { service_id: '1203', device_id: '574', user_id: '704', value: 'OFTEN-1' };
      await fetch(`${testApp.accountUrl}/scanner/scan`, { method: 'POST', body: JSON.stringify(scan) });
    }
    const answer = await submit(await open(), 'OFTEN-1', 'Showing the last 5.');
    await mia.click(answer, 'lookup.scans');
    await mia.close(await mia.seesWindow('Scans of this barcode'));
    await shows('New lookup');
  });
});

describe('several barcodes after /barcode', () => {
  let testApp: TestApp;
  let mia: Person;
  beforeAll(async () => {
    testApp = await startTestApp();
    mia = testApp.person('U0MIA');
    await connect(testApp.person('U0ADA'));
  });
  afterAll(() => testApp?.stop());

  const turns = ({ ts }: ShownMessage, words: string) =>
    eventually(async () => {
      const now = (await mia.messages()).find((message) => message.ts === ts);
      return now && read(now.blocks).includes(words) ? now : undefined;
    }, `the card to say ${words}`);

  it('several barcodes after /barcode give one card, which opens each barcode, is shared and refreshed', async () => {
    const card = await mia.command('/barcode HLF-000001, HLF-000002 NOT-THERE');
    expect(card.ephemeral_for).toBe('U0MIA');
    expect(header(card)).toBe('3 barcodes: 1 already used, 1 not valid, 1 unknown');
    expect(read(card.blocks)).toContain('Put the barcode in quotes');
    const before = new Set((await mia.messages()).map(({ ts }) => ts));
    await mia.clickMessage(card, 'lookup.open');
    const own = await eventually(
      async () => (await mia.messages()).find(({ ts }) => !before.has(ts)),
      'the card of one barcode',
    );
    expect(header(own)).toBe('⛔ Already used at Gate A: tickets');
    await mia.clickMessage(card, 'lookup.several.share');
    const shared = await turns(card, 'You shared this here.');
    await mia.clickMessage(shared, 'lookup.several.again');
    await eventually(async () => {
      const now = (await mia.messages()).find(({ ts }) => ts === card.ts);
      return now && !read(now.blocks).includes('You shared this here.');
    }, 'the refreshed card');
  });

  it('several words after /barcode are one barcode where a database holds them as one', async () => {
    const card = await mia.command('/barcode A&B <1>');
    expect(header(card)).toMatch(/^✅ Valid/);
    expect(JSON.stringify(card.blocks)).not.toContain('lookup.open');
  });

  it('several words after /barcode are one unknown barcode where no part is found', async () => {
    const card = await mia.command('/barcode NOT THERE');
    expect(header(card)).toMatch(/^❔ Unknown/);
  });

  it('several words after /barcode that are one known barcode cost as few API calls as one word', async () => {
    const spent = (text: string) => callsSpent(testApp, () => mia.command(`/barcode ${text}`));
    expect(await spent('A&B <1>')).toBe(await spent('HLF-000003'));
  });
});

describe('several barcodes with few calls left', () => {
  let testApp: TestApp;
  let mia: Person;
  beforeAll(async () => {
    testApp = await startTestApp({ limits: { minute: 16, day: 1_000 } });
    mia = testApp.person('U0MIA');
    await connect(testApp.person('U0ADA'));
  });
  afterAll(() => testApp?.stop());

  it('several barcodes with too few API calls left are all listed, some as not checked for lack of calls', async () => {
    const barcodes = Array.from({ length: 12 }, (_, at) => `HLF-0000${at + 10}`);
    await mia.say('/barcode');
    await mia.submit(await mia.seesWindow(title), typed(barcodes.join('\n')));
    const answer = await eventually(async () => {
      const view = await mia.window();
      return view && read(view.view.blocks).includes('12 barcodes') ? view : undefined;
    }, 'the answer');
    const text = read(answer.view.blocks);
    expect(text).toContain('not checked');
    expect(text).toContain('No API calls left');
    for (const barcode of barcodes) {
      expect(text).toContain(barcode);
    }
  });
});
