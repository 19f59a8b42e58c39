import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sharedValue } from '../../../src/sandbox/codereadr/sample/values.js';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import { read } from '../block-kit/reading.js';
import { askAccount, connect, databaseIds, inAccount, nameManager, onRecord } from '../connected.js';
import { closeAll } from '../operations/filling.js';
import { eventually, optionNamed, type Person, startTestApp, type TestApp } from '../test-app.js';

const headline = (message: ShownMessage) =>
  read((message.blocks as { type: string }[]).filter(({ type }) => type === 'header'));
interface Menu {
  readonly elements?: readonly { readonly type: string; readonly options?: readonly { text: { text: string } }[] }[];
}
const menuOf = ({ blocks }: ShownMessage) =>
  (blocks as Menu[]).flatMap(({ elements = [] }) =>
    elements.flatMap(({ type, options = [] }) => (type === 'overflow' ? options.map(({ text }) => text.text) : [])),
  );
const buttonsOf = (message: ShownMessage) =>
  [...JSON.stringify(message.blocks).matchAll(/"action_id":"([^"]+)"/g)].map((match) => match[1]);

describe('a card for people with access', () => {
  let testApp: TestApp;
  let ada: Person;
  let mia: Person;
  let ids: Readonly<Record<string, string>>;
  let tickets = '';
  let stock = '';
  beforeAll(async () => {
    testApp = await startTestApp();
    ada = testApp.person('U0ADA');
    mia = testApp.person('U0MIA');
    await connect(ada);
    ids = await databaseIds(testApp);
    tickets = ids['Harbour Lights Festival tickets']!;
    stock = ids['Stock room']!;
  });
  afterAll(() => testApp?.stop());
  afterEach(async () => {
    await testApp.accountFaults({ next: [], api_key_refused: false });
    await closeAll(ada);
  });

  const stands = (database: string, value: string) => inAccount(testApp, database, value);

  /** The card's message once it contains the words. */
  const turns = (person: Person, card: ShownMessage, words: string | RegExp) =>
    eventually(async () => {
      const now = (await person.messages()).find((message) => message.ts === card.ts);
      const text = now && read(now.blocks);
      return text && (typeof words === 'string' ? text.includes(words) : words.test(text)) ? now : undefined;
    }, `the card to say ${words}`);

  const choose = (card: ShownMessage, words: string) =>
    ada.clickMessage(card, 'lookup.change', optionNamed(card.blocks, words));

  const edit = async (card: ShownMessage, entered: { response?: string; valid?: boolean }, index = 0) => {
    await choose(card, 'Edit response');
    const view = await ada.seesWindow('Edit response');
    await ada.submit(view, {
      ...(entered.response === undefined
        ? {}
        : {
            [`lookup.edit.response.${index}`]: {
              'lookup.edit.response': { type: 'plain_text_input', value: entered.response },
            },
          }),
      ...(entered.valid === undefined
        ? {}
        : {
            [`lookup.edit.valid.${index}`]: {
              'lookup.edit.valid': {
                type: 'radio_buttons',
                ...optionNamed(view.view.blocks, entered.valid ? 'Valid' : 'Not valid'),
              },
            },
          }),
    });
    return view;
  };

  const windowSays = (words: string) =>
    eventually(async () => {
      const view = await ada.window();
      return view && read(view.view.blocks).includes(words) ? view : undefined;
    }, `a window that says ${words}`);

  it('a card for people with access has Share here, and a menu with the changes to a barcode', async () => {
    const card = await ada.command('/barcode HLF-000001');
    expect(buttonsOf(card)).toEqual(['lookup.share', 'lookup.change']);
    expect(menuOf(card)).toEqual(['Edit response', 'Mark not valid', 'Add to another database']);
  });

  it('a card marks a barcode not valid in place, names the person, and undoes the change', async () => {
    const before = await stands(tickets, 'HLF-000001');
    const card = await ada.command('/barcode HLF-000001');
    await choose(card, 'Mark not valid');
    const marked = await turns(ada, card, 'marked it not valid in Harbour Lights Festival tickets');
    expect(headline(marked)).toBe('❌ Not valid: Adult, three days');
    expect(JSON.stringify(marked.blocks)).toContain('"user_id":"U0ADA"');
    expect(await stands(tickets, 'HLF-000001')).toEqual({ ...before, valid: false });
    expect(menuOf(marked)).toContain('Mark valid');
    await ada.clickMessage(marked, 'lookup.undo');
    const undone = await turns(ada, card, 'undid a change');
    expect(headline(undone)).toBe('⛔ Already used at Gate A: tickets');
    expect(buttonsOf(undone)).not.toContain('lookup.undo');
    expect(await stands(tickets, 'HLF-000001')).toEqual(before);
  });

  it('a card marks a barcode with separators not valid, and says that the account leaves them out', async () => {
    const value = '010401234567890110LOT42\u001d17261231';
    const before = await stands(stock, value);
    const card = await ada.command('/barcode 010401234567890110LOT42\\x1d17261231');
    const text = read(card.blocks);
    expect(text).toContain('010401234567890110LOT42␝17261231');
    expect(text).toContain('Bin B-01: GS1, lot 42');
    expect(text).toContain('The account’s responses leave out control characters such as ␝');
    await choose(card, 'Mark not valid');
    const marked = await turns(ada, card, 'marked it not valid in Stock room');
    expect(await stands(stock, value)).toEqual({ ...before, valid: false });
    await ada.clickMessage(marked, 'lookup.undo');
    await turns(ada, card, 'undid a change');
    expect(await stands(stock, value)).toEqual(before);
    const stripped = await ada.command('/barcode 010401234567890110LOT4217261231');
    expect(read(stripped.blocks)).toContain('type each one as \\x1d');
  });

  it('a card’s changes are in the audit log, with the earlier state', async () => {
    const card = await ada.command('/barcode HLF-000003');
    const before = await stands(tickets, 'HLF-000003');
    await choose(card, before?.valid ? 'Mark not valid' : 'Mark valid');
    await ada.clickMessage(await turns(ada, card, 'marked it'), 'lookup.undo');
    await turns(ada, card, 'undid');
    const [undo, mark] = await onRecord(testApp);
    expect(mark).toMatchObject({
      what: 'databases/editvalue',
      who: 'U0ADA',
      where: 'C0GENERAL',
      outcome: 'ok',
      detail: { database_id: tickets, value: 'HLF-000003', validity: !before?.valid, was: before },
    });
    expect(undo).toMatchObject({ what: 'databases/editvalue', detail: { validity: before?.valid, undoes: true } });
  });

  it('a card’s Edit response saves the response letter by letter, in place', async () => {
    const value = 'O\'Brien "B"';
    const before = await stands(stock, value);
    const card = await ada.command(`/barcode ${value}`);
    const response = 'Bin *A-11*: <here> & `now`\nsecond line';
    await edit(card, { response });
    const done = read((await ada.seesForm('notice')).view.blocks);
    expect(done).toMatch(/^✅ Saved in Stock room\. You can undo this on the card\./);
    expect(done).toContain(response);
    const edited = await turns(ada, card, 'changed the response in Stock room');
    expect(read(edited.blocks)).toContain(response);
    expect(await stands(stock, value)).toEqual({ valid: true, response });
    await ada.clickMessage(edited, 'lookup.undo');
    await turns(ada, card, 'undid a change');
    expect(await stands(stock, value)).toEqual(before);
  });

  it('a card’s Edit response empties a response, and Undo restores it', async () => {
    const card = await ada.command('/barcode 1e5');
    const before = await stands(stock, '1e5');
    await edit(card, { response: '', valid: false });
    const edited = await turns(ada, card, 'changed the response and marked it not valid');
    expect(await stands(stock, '1e5')).toEqual({ valid: false, response: '' });
    await ada.clickMessage(edited, 'lookup.undo');
    await turns(ada, card, 'undid a change');
    expect(await stands(stock, '1e5')).toEqual(before);
  });

  it('a card’s Edit response, submitted without a change, says that nothing has changed yet', async () => {
    const card = await ada.command('/barcode 0x1F');
    await edit(card, {});
    await windowSays('Nothing has changed yet');
  });

  it('a card whose message can no longer be updated is sent as a direct message after a change', async () => {
    const card = await ada.command('/barcode true');
    await choose(card, 'Edit response');
    const view = await ada.seesWindow('Edit response');
    await testApp.rules({ faults: [{ method: 'response_url', times: 1, as: '500' }] });
    await ada.submit(view, {
      'lookup.edit.response.0': { 'lookup.edit.response': { type: 'plain_text_input', value: 'a word, still' } },
    });
    const fresh = await eventually(
      async () => (await ada.directMessages()).find((each) => read(each.blocks).includes('a word, still')),
      'a new card',
    );
    expect(buttonsOf(fresh)).toContain('lookup.undo');
    await ada.clickMessage(fresh, 'lookup.undo');
    await eventually(
      async () => (await ada.directMessages()).find((each) => read(each.blocks).includes('undid a change')),
      'the new card to change',
    );
    expect((await stands(stock, 'true'))?.response).toBe('Bin A-03: just a word');
  });

  it('a card’s response_url is sealed in the store', async () => {
    const card = await ada.command('/barcode HLF-000004');
    await choose(card, 'Edit response');
    await ada.seesWindow('Edit response');
    const { readdir, readFile } = await import('node:fs/promises');
    const folder = testApp.databaseFile.replace(/\/[^/]+$/, '');
    const bytes = await Promise.all((await readdir(folder)).map((name) => readFile(`${folder}/${name}`, 'latin1')));
    expect(bytes.join('')).toContain('card-place');
    expect(bytes.join('')).not.toContain('/response/');
  });

  it('a card’s change does not overwrite another person’s newer change', async () => {
    const card = await ada.command('/barcode HLF-000005');
    await askAccount(testApp, 'databases', 'editvalue', {
      database_id: tickets,
      value: 'HLF-000005',
      response: 'Mine',
    });
    const before = await stands(tickets, 'HLF-000005');
    await choose(card, before?.valid ? 'Mark not valid' : 'Mark valid');
    const now = await turns(ada, card, 'Nothing was changed.');
    expect(read(now.blocks)).toContain('Mine');
    expect(buttonsOf(now)).not.toContain('lookup.undo');
    expect(await stands(tickets, 'HLF-000005')).toEqual(before);
  });

  it('a card’s Edit response asks again if the response was changed meanwhile, and saves at the second submit', async () => {
    const card = await ada.command('/barcode HLF-000006');
    await choose(card, 'Edit response');
    const view = await ada.seesWindow('Edit response');
    await askAccount(testApp, 'databases', 'editvalue', {
      database_id: tickets,
      value: 'HLF-000006',
      response: 'Theirs',
    });
    const entered = {
      'lookup.edit.response.0': { 'lookup.edit.response': { type: 'plain_text_input', value: 'Ours' } },
    };
    await ada.submit(view, entered);
    const again = await windowSays('the response “Theirs”');
    expect(JSON.stringify(again.view)).toContain('"initial_value":"Ours"');
    expect((await stands(tickets, 'HLF-000006'))?.response).toBe('Theirs');
    await ada.submit(again, entered);
    const edited = await turns(ada, card, 'changed the response');
    expect((await stands(tickets, 'HLF-000006'))?.response).toBe('Ours');
    await ada.clickMessage(edited, 'lookup.undo');
    await turns(ada, card, 'undid a change');
    expect((await stands(tickets, 'HLF-000006'))?.response).toBe('Theirs');
  });

  it('a card’s Undo changes nothing if somebody changed the response again in the meantime', async () => {
    const card = await ada.command('/barcode HLF-000007');
    await edit(card, { response: 'First' });
    const edited = await turns(ada, card, 'changed the response');
    await askAccount(testApp, 'databases', 'editvalue', {
      database_id: tickets,
      value: 'HLF-000007',
      response: 'Later',
    });
    await ada.clickMessage(edited, 'lookup.undo');
    const now = await turns(ada, card, 'Nothing was changed.');
    expect(read(now.blocks)).toContain('Later');
    expect((await stands(tickets, 'HLF-000007'))?.response).toBe('Later');
  });

  it('a card’s change is made once, though it is clicked twice at the same time', async () => {
    const card = await ada.command('/barcode HLF-000008');
    const before = (await onRecord(testApp)).length;
    const { valid } = (await stands(tickets, 'HLF-000008'))!;
    const words = valid ? 'Mark not valid' : 'Mark valid';
    await Promise.all([choose(card, words), choose(card, words)]);
    const marked = await turns(ada, card, 'marked it');
    await ada.clickMessage(marked, 'lookup.undo');
    await turns(ada, card, 'undid');
    expect((await onRecord(testApp)).length).toBe(before + 2);
  });

  it('a card of a barcode in two databases offers changes by database, and edits the chosen response', async () => {
    const card = await ada.command(`/barcode ${sharedValue}`);
    expect(menuOf(card)).toEqual([
      'Edit response',
      'Mark not valid in Stock room',
      'Mark valid in Tool crib',
      'Add to another database',
    ]);
    await choose(card, 'Edit response');
    const view = await ada.seesWindow('Edit response');
    await ada.click(view, 'lookup.edit.database', optionNamed(view.view.blocks, 'Tool crib'));
    const crib = await eventually(async () => {
      const now = await ada.window();
      return JSON.stringify(now).includes('"initial_value":"18 V battery pack: out for repair"') ? now : undefined;
    }, 'the other database’s response');
    await ada.submit(crib, {
      'lookup.edit.response.1': { 'lookup.edit.response': { type: 'plain_text_input', value: 'Back on Friday' } },
    });
    await turns(ada, card, 'changed the response in Tool crib');
    expect((await stands(ids['Tool crib']!, sharedValue))?.response).toBe('Back on Friday');
  });

  it('a card’s change is sent with the database’s own spelling if the database ignores case', async () => {
    const card = await ada.command('/barcode hlf-000009');
    const { valid } = (await stands(tickets, 'HLF-000009'))!;
    await choose(card, valid ? 'Mark not valid' : 'Mark valid');
    await turns(ada, card, 'marked it');
    expect((await stands(tickets, 'HLF-000009'))?.valid).toBe(!valid);
    expect(
      await askAccount(testApp, 'databases', 'showvalues', { database_id: tickets, value: 'HLF-000009' }),
    ).toContain('<id>HLF-000009</id>');
  });

  it('a card adds an unknown barcode to a database letter by letter, and Undo removes the barcode again', async () => {
    const value = ' New*1 ';
    const card = await ada.command(`/barcode "${value}"`);
    expect(headline(card)).toContain('❔ Unknown');
    expect(buttonsOf(card)).toEqual(['lookup.share', 'lookup.add']);
    await ada.clickMessage(card, 'lookup.add');
    const form = await ada.seesWindow('Add a value');
    await ada.submit(form, {
      'v.database_id': {
        'form.field': {
          type: 'static_select',
          selected_option: { value: stock, text: { type: 'plain_text', text: 'x' } },
        },
      },
      'v.response': { 'form.field': { type: 'plain_text_input', value: 'Shelf 9' } },
    });
    const added = await turns(ada, card, 'added this barcode to Stock room');
    expect(headline(added)).toBe('✅ Valid, no admission on record');
    expect(await stands(stock, value)).toEqual({ valid: true, response: 'Shelf 9' });
    await ada.clickMessage(added, 'lookup.undo');
    const undone = await turns(ada, card, 'undid a change');
    expect(headline(undone)).toContain('❔ Unknown');
    expect(await stands(stock, value)).toBeUndefined();
  });

  it('a shared card shows the last change, without buttons for changes', async () => {
    const card = await ada.command('/barcode HLF-000010');
    await edit(card, { response: 'Shared' });
    const edited = await turns(ada, card, 'changed the response');
    await ada.clickMessage(edited, 'lookup.share');
    const shared = await eventually(
      async () =>
        (await mia.messages()).find((message) => !message.ephemeral_for && read(message.blocks).includes('Shared by')),
      'the shared card',
    );
    expect(read(shared.blocks)).toContain('changed the response');
    expect(buttonsOf(shared)).toEqual([]);
    const own = await turns(ada, card, 'You shared this here.');
    expect(buttonsOf(own)).toEqual(['lookup.undo', 'lookup.change']);
  });

  it('a card’s change that fails at the account is explained in words, and changes nothing', async () => {
    const card = await ada.command('/barcode HLF-000011');
    const before = await stands(tickets, 'HLF-000011');
    await testApp.accountFaults({ next: [{ as: 'html', times: 1 }] });
    const said = new Set((await ada.messages()).map((message) => message.ts));
    await choose(card, before?.valid ? 'Mark not valid' : 'Mark valid');
    const told = await eventually(
      async () => (await ada.messages()).find(({ ts }) => !said.has(ts)),
      'a word about it',
    );
    expect(read(told.blocks)).toContain('The scanning account sent a response that can’t be read.');
    expect(await stands(tickets, 'HLF-000011')).toEqual(before);
  });

  it('a card’s Edit response keeps the entered text when the account fails', async () => {
    const card = await ada.command('/barcode HLF-000012');
    await choose(card, 'Edit response');
    const view = await ada.seesWindow('Edit response');
    await testApp.accountFaults({ next: [{ as: 'html', times: 1 }] });
    await ada.submit(view, {
      'lookup.edit.response.0': { 'lookup.edit.response': { type: 'plain_text_input', value: 'Typed with care' } },
    });
    const again = await windowSays('can’t be read');
    expect(JSON.stringify(again.view)).toContain('"initial_value":"Typed with care"');
  });

  describe('a card for people without access', () => {
    it('a card for people without access has no button but Share here', async () => {
      const card = await mia.command('/barcode HLF-000001');
      expect(buttonsOf(card)).toEqual(['lookup.share']);
      const unknown = await mia.command('/barcode nowhere-to-be-found');
      expect(buttonsOf(unknown)).toEqual(['lookup.share']);
    });

    it('a card’s change is refused to a person who lost access in the meantime, and changes nothing', async () => {
      await nameManager(ada, 'U0MIA');
      const card = await eventually(async () => {
        const shown = await mia.command('/barcode HLF-000001');
        return buttonsOf(shown).includes('lookup.change') ? shown : undefined;
      }, 'a card with a menu');
      await nameManager(ada, 'U0ADA');
      const before = await stands(tickets, 'HLF-000001');
      const said = new Set((await mia.messages()).map((message) => message.ts));
      await mia.clickMessage(card, 'lookup.change', optionNamed(card.blocks, 'Mark not valid'));
      const told = await eventually(async () => (await mia.messages()).find(({ ts }) => !said.has(ts)), 'a refusal');
      expect(read(told.blocks)).toContain('Only workspace admins and people with access can do this.');
      expect(await stands(tickets, 'HLF-000001')).toEqual(before);
    });
  });
});
