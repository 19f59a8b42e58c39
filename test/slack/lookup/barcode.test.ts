import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sharedValue } from '../../../src/sandbox/codereadr/sample/values.js';
import type { ShownMessage, ShownView } from '../../../src/sandbox/slack/api.js';
import { visible } from '../../../src/slack/block-kit/text.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { read, shownTexts } from '../block-kit/reading.js';
import { connect } from '../connected.js';
import { clockFromFullMinute, eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

const headline = (message: ShownMessage) =>
  read((message.blocks as { type: string }[]).filter(({ type }) => type === 'header'));
const barcodeOn = (message: ShownMessage) => shownTexts(message.blocks).find((shown) => shown.code)?.text;
const actionsOf = (blocks: unknown) =>
  [...JSON.stringify(blocks).matchAll(/"action_id":"([^"]+)"/g)].map((match) => match[1]);

describe('/barcode', () => {
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
  afterEach(() => testApp.accountFaults({ next: [], api_key_refused: false }));

  it('/barcode answers with a card that only the person who typed the command sees', async () => {
    const card = await mia.command(`/barcode ${sharedValue}`);
    expect(card.ephemeral_for).toBe('U0MIA');
    expect(headline(card)).toBe('⚠️ Valid in Stock room, not valid in Tool crib');
    expect(read(card.blocks)).toMatch(/Bin C-11: 18 V battery pack, new.*18 V battery pack: out for repair/s);
    expect((await ada.messages()).some((message) => message.ts === card.ts)).toBe(false);
  });

  it.each([
    ['1e5', '1e5'],
    ['0x1F', '0x1F'],
    ['true', 'true'],
    ['A&B <1>', 'A&B <1>'],
    ['*BOLT* _M8_ ~x~', '*BOLT* _M8_ ~x~'],
    ['`tick`', '`tick`'],
    [':100:', ':100:'],
    ['<!channel>', '<!channel>'],
    ['Grün/ÄÖ Ω 部品', 'Grün/ÄÖ Ω 部品'],
    ['O\'Brien "B"', 'O\'Brien "B"'],
    ['" PALLET 7 "', ' PALLET 7 '],
    ['“ PALLET 7 ”', ' PALLET 7 '],
    ['010401234567890110LOT42\\x1d17261231', '010401234567890110LOT42\u001d17261231'],
  ])('/barcode finds %s exactly and shows it letter by letter', async (text, value) => {
    const card = await mia.command(`/barcode ${text}`);
    expect(headline(card)).toMatch(/^✅ Valid, /);
    expect(barcodeOn(card)).toBe(visible(value));
  });

  it.each(['PALLET 7', '00123', '“help”', '"help"', '<@U0ADA>', 'https://example.com/a?b=1&c=2', '𝒳'.repeat(500)])(
    '/barcode %s shows the typed barcode unchanged, and says that no database has the barcode',
    async (text) => {
      const card = await mia.command(`/barcode ${text}`);
      expect(headline(card)).toBe('❔ Unknown');
      expect(read(card.blocks)).toContain('Not in Harbour Lights Festival tickets, Stock room or Tool crib');
      expect(barcodeOn(card)).toBe(text.replace(/^["“](.*)["”]$/, '$1'));
      expect(read(card.blocks)).toContain('No scans.');
    },
  );

  it.each([' help', ' HELP'])('“/barcode%s” shows the help', async (text) => {
    const help = await mia.command(`/barcode${text}`);
    expect(read(help.blocks)).toContain('/barcode VALUE');
  });

  it('/barcode explains that a text is too long, or that its quotes are empty', async () => {
    expect(read((await mia.command(`/barcode ${'x'.repeat(501)}`)).blocks)).toContain(
      'has 501 characters. A barcode can have up to 500.',
    );
    const unseen = await mia.command(`/barcode ${'\\x1d'.repeat(300)}`);
    expect(read(unseen.blocks)).toContain(
      'has 300 characters. A barcode can have up to 500, fewer where many can’t be seen.',
    );
    expect(read((await mia.command('/barcode ""')).blocks)).toContain('nothing between the quotes');
  });

  it('/barcode names the chosen database that it searched, and those that it did not search', async () => {
    await ada.say('/scandesk connect');
    await ada.click(await ada.seesWindow('Connection'), 'connect.databases');
    let form = await ada.seesForm('connect.databases');
    const move = (value: string) => ({ selected_option: { text: { type: 'plain_text', text: 'x' }, value } });
    for (const id of ['1021', '1023']) {
      await ada.click(form, 'connect.database.move', move(`leave:${id}`), `database.row.${id}`);
      form = await eventually(async () => {
        const view = await ada.window();
        return view && !JSON.stringify(view.view.blocks).includes(`leave:${id}`) ? view : undefined;
      }, 'the database to leave the list');
    }
    await ada.submit(form);
    await ada.close(await ada.seesForm('connection'));
    const card = await mia.command('/barcode nowhere');
    expect(read(card.blocks)).toContain('❔ UnknownNot in Stock room');
    expect(read(card.blocks)).toContain('Not searched: Harbour Lights Festival tickets, Tool crib.');
    await ada.say('/scandesk connect');
    await ada.click(await ada.seesWindow('Connection'), 'connect.databases');
    await ada.click(await ada.seesForm('connect.databases'), 'connect.database.all');
    form = await eventually(async () => {
      const view = await ada.window();
      return view && JSON.stringify(view.view.blocks).includes('leave:1021') ? view : undefined;
    }, 'every database to be asked again');
    await ada.submit(form);
    await ada.close(await ada.seesForm('connection'));
  });

  it('/barcode refuses a guest, without a button', async () => {
    const answer = await testApp.person('U0GUS').command(`/barcode ${sharedValue}`, 'C0FRONTGATE');
    expect(read(answer.blocks)).toContain('Guests can’t use Scandesk.');
    expect(JSON.stringify(answer.blocks)).not.toContain('"type":"button"');
  });

  describe('when the account fails', () => {
    const everything = (as: string, more: object = {}) => ({ next: [{ as, times: 1000, ...more }] });

    it.each([
      ['refuses the key', { api_key_refused: true }, 'refused the connected API key'],
      ['cannot be reached', everything('reset'), 'can’t be reached right now'],
      ['sends broken XML', everything('truncated'), 'sent a response that can’t be read'],
      ['sends an HTML page', everything('html'), 'sent a response that can’t be read'],
      ['is unable to answer now', everything('refused', { code: '2' }), 'couldn’t do this right now'],
    ])('/barcode explains the failure of an account that %s, with a reference', async (_, body, words) => {
      await testApp.accountFaults(body);
      const answer = await mia.command('/barcode nowhere-yet');
      expect(read(answer.blocks)).toContain(words);
      expect(read(answer.blocks)).toContain('Reference ');
      expect(answer.ephemeral_for).toBe('U0MIA');
    });

    it('/barcode says on its card that a database could not be searched', async () => {
      await testApp.accountFaults({
        next: [{ operation: 'databases/showvalues', as: 'refused', code: '10', times: 1 }],
      });
      const card = await mia.command('/barcode nowhere-yet');
      expect(headline(card)).toMatch(/^⚠️ Not checked: .* could not be searched$/);
    });

    it('/barcode offers Try again if a database was not searched, which replaces the card in place', async () => {
      await testApp.accountFaults({
        next: [{ operation: 'databases/showvalues', as: 'refused', code: '10', times: 1 }],
      });
      const card = await mia.command('/barcode HLF-000009');
      expect(read(card.blocks)).toContain(' could not be searched');
      await mia.clickMessage(card, 'lookup.again');
      const again = await eventually(
        async () =>
          (await mia.messages()).find(
            ({ ts, blocks }) => ts === card.ts && !read(blocks).includes('could not be searched'),
          ),
        'the card, whole',
      );
      expect(read(again.blocks)).toContain('In Harbour Lights Festival tickets');
      expect(actionsOf(again.blocks)).not.toContain('lookup.again');
    });

    it('/barcode shows the result when only one call to the account fails', async () => {
      await testApp.accountFaults({ next: [{ operation: 'scans/retrieve', as: 'reset', times: 1 }] });
      const card = await mia.command('/barcode HLF-000001');
      expect(headline(card)).toBe('⛔ Already used at Gate A: tickets');
    });
  });

  it('/barcode says that Scandesk is searching the account while it is slow, and then shows the card', async () => {
    await testApp.accountFaults({ next: [{ operation: 'scans/retrieve', as: 'slow', delay_ms: 4000, times: 1 }] });
    const first = await mia.command('/barcode HLF-000002');
    expect(read(first.blocks)).toMatch(/^Searching the account for HLF-000002/);
    const card = await eventually(
      async () => (await mia.messages()).find((message) => message.ts > first.ts),
      'the card after the line',
    );
    expect(headline(card)).toBe('❌ Not valid: Refunded');
  });

  describe('Share here', () => {
    it('Share here posts the card for everybody, even where the app is no member, and names the person', async () => {
      const card = await mia.command('/barcode HLF-000001', 'C0STOCKROOM');
      expect(await mia.clickMessage(card, 'lookup.share')).toMatchObject({ ok: true });
      const shared = await eventually(
        async () => (await ada.messages('C0STOCKROOM')).find((message) => !message.ephemeral_for),
        'the shared card',
      );
      expect(headline(shared)).toBe('⛔ Already used at Gate A: tickets');
      expect(read(shared.blocks)).toContain('Shared by <@U0MIA>');
      expect(actionsOf(shared.blocks)).toEqual([]);
      const own = await eventually(async () => {
        const message = (await mia.messages('C0STOCKROOM')).find((each) => each.ts === card.ts);
        return message && read(message.blocks).includes('You shared this here.') ? message : undefined;
      }, 'the own card to say so');
      expect(actionsOf(own.blocks)).not.toContain('lookup.share');
    });

    it('Share here posts the card once, though it is clicked twice at the same time', async () => {
      const card = await mia.command('/barcode HLF-000007', 'C0STOCKROOM');
      await Promise.all([mia.clickMessage(card, 'lookup.share'), mia.clickMessage(card, 'lookup.share')]);
      await eventually(async () => {
        const own = (await mia.messages('C0STOCKROOM')).find((message) => message.ts === card.ts);
        return own?.edited && read(own.blocks).includes('You shared this here.');
      }, 'the own card to say so');
      const posts = (await ada.messages('C0STOCKROOM')).filter((message) => barcodeOn(message) === 'HLF-000007');
      expect(posts).toHaveLength(1);
    });

    it('Share here makes no call to the account', async () => {
      const card = await mia.command('/barcode HLF-000004', 'C0STOCKROOM');
      await testApp.forbidAccountCalls();
      await mia.clickMessage(card, 'lookup.share');
      await eventually(
        async () =>
          (await ada.messages('C0STOCKROOM')).find((message) => JSON.stringify(message).includes('HLF-000004')),
        'the shared card',
      );
    });
  });

  describe('All scans', () => {
    const pageOf = (view: ShownView) => read(view.view.blocks);

    it('All scans pages through all scans of a barcode', async () => {
      for (let n = 0; n < 23; n += 1) {
        const scan = { service_id: '1203', device_id: '574', user_id: '704', value: 'PAGED-1' };
        await fetch(`${testApp.accountUrl}/scanner/scan`, { method: 'POST', body: JSON.stringify(scan) });
      }
      const card = await mia.command('/barcode PAGED-1');
      expect(read(card.blocks)).toContain('Scanned 23 times');
      expect(read(card.blocks)).toContain('Showing the last 5.');
      await mia.clickMessage(card, 'lookup.scans');
      const first = await mia.seesWindow('Scans of this barcode');
      expect(pageOf(first)).toContain('Scans 1 to 10, newest first.');
      expect(actionsOf(first.view.blocks)).toEqual(['lookup.older']);
      const turn = async (view: ShownView, action: string, words: string) => {
        await mia.click(view, action);
        return eventually(async () => {
          const now = await mia.window();
          return now && pageOf(now).includes(words) ? now : undefined;
        }, words);
      };
      const second = await turn(first, 'lookup.older', 'Scans 11 to 20');
      const third = await turn(second, 'lookup.older', 'Scans 21 to 23');
      expect(actionsOf(third.view.blocks)).toEqual(['lookup.newer']);
      await mia.close(await turn(third, 'lookup.newer', 'Scans 11 to 20'));
    });

    it('All scans pages through the scans of a barcode of 500 characters', async () => {
      const value = `]d2${'7'.repeat(495)}\u001d9`;
      for (let n = 0; n < 11; n += 1) {
        const scan = { service_id: '1203', device_id: '574', user_id: '704', value };
        await fetch(`${testApp.accountUrl}/scanner/scan`, { method: 'POST', body: JSON.stringify(scan) });
      }
      const card = await mia.command(`/barcode ${value.replace('\u001d', '\\x1d')}`);
      expect(barcodeOn(card)).toBe(visible(value));
      expect(read(card.blocks)).toContain('Scanned 11 times');
      await mia.clickMessage(card, 'lookup.scans');
      const first = await mia.seesWindow('Scans of this barcode');
      await mia.click(first, 'lookup.older');
      await eventually(async () => {
        const now = await mia.window();
        return now && pageOf(now).includes('Scans 11 to 11') ? now : undefined;
      }, 'Scans 11 to 11');
      await mia.close(first);
    });

    it('All scans opens a window with the lookup’s scans, without a call to the account', async () => {
      const card = await mia.command('/barcode PAGED-1');
      await testApp.forbidAccountCalls();
      await mia.clickMessage(card, 'lookup.scans');
      const window = await mia.seesWindow('Scans of this barcode');
      expect(pageOf(window)).toContain('Scans 1 to 10');
      await mia.close(window);
    });
  });
});

describe('/barcode without an account', () => {
  it('/barcode without an account says who can connect one, and offers admins a button to connect', async () => {
    const testApp = await startTestApp();
    try {
      const answer = await testApp.person('U0MIA').command('/barcode 00123');
      expect(read(answer.blocks)).toContain('No scanning account is connected yet.');
      expect(read(answer.blocks)).toMatch(/Ask a workspace admin \(.*\) to connect one with \/scandesk connect\./);
      expect(actionsOf(answer.blocks)).not.toContain('connect.open');
      const toAdmin = await testApp.person('U0ADA').command('/barcode 00123');
      expect(read(toAdmin.blocks)).toContain('Connect one with /scandesk connect.');
      expect(actionsOf(toAdmin.blocks)).toContain('connect.open');
    } finally {
      await testApp.stop();
    }
  });
});

describe('/barcode with few API calls', () => {
  wideIt('/barcode says how few API calls are left, and once the calls run out, when the limit resets', async () => {
    const testApp = await startTestApp({ clock: clockFromFullMinute(), limits: { minute: 12, day: -1 } });
    try {
      const ada = testApp.person('U0ADA');
      await connect(ada);
      const answers: string[] = [];
      const said = (words: RegExp) => answers.some((answer) => words.test(answer));
      await eventually(async () => {
        const { blocks } = await ada.command(`/barcode HLF-00000${answers.length % 10}`);
        answers.push(read(blocks) + JSON.stringify(blocks));
        return (
          said(/^HLF-.* of 12 API calls? left for the whole account this minute/s) &&
          said(/^The account has no API calls left this minute/)
        );
      }, 'the calls to run out');
      expect(answers.find((answer) => answer.startsWith('The account has no API calls'))).toContain(
        'The limit resets at {time',
      );
    } finally {
      await testApp.stop();
    }
  });
});
