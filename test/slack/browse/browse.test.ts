import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { gs } from '../../../src/sandbox/codereadr/sample/values.js';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { read, shownTexts } from '../block-kit/reading.js';
import { askAccount, callsSpent, connect, databaseIds, inAccount, onRecord } from '../connected.js';
import { closeAll, seesWords, submitForm } from '../operations/filling.js';
import { eventually, optionNamed, type Person, startTestApp, type TestApp, titleOf } from '../test-app.js';

interface Row {
  readonly block_id?: string;
  readonly type: string;
  readonly text?: { readonly type: string; readonly text: string };
  readonly accessory?: { readonly options: readonly { readonly text: { readonly text: string } }[] };
}

const blocksOf = (view: ShownView) => view.view.blocks as readonly Row[];
const rowsOf = (view: ShownView) => blocksOf(view).filter(({ block_id: id }) => id?.startsWith('list.row.'));
const namesOf = (view: ShownView) =>
  rowsOf(view).map(({ text }) => text!.text.split('\n')[0]!.replace(/^\*(.*)\*$/s, '$1'));
const rowOf = (view: ShownView, name: string) => {
  const found = rowsOf(view).find(({ text }) => text?.text.includes(name));
  if (!found) throw new Error(`no row of ${name} among ${namesOf(view)}`);
  return found;
};
const menuOf = (row: Row) => row.accessory?.options.map(({ text }) => text.text);
const buttonsOf = (view: ShownView) =>
  [...JSON.stringify(view.view.blocks).matchAll(/"type":"button"[^}]*"text":"([^"]+)"/g)].map((match) => match[1]);

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
  await Promise.all([closeAll(ada), closeAll(mia)]);
});

const titles = {
  services: 'Services',
  users: 'Users',
  devices: 'Devices',
  databases: 'Databases',
  questions: 'Questions',
  scans: 'Scans',
  uploads: 'Uploads',
} as const;

async function open(person: Person, typed: string): Promise<ShownView> {
  const [, kind, text] = /^(\w+) ?(.*)$/s.exec(typed) as unknown as [string, keyof typeof titles, string];
  if (kind === 'scans') {
    // Nothing of the account is kept here: its own list is offered below what the relays received.
    await person.clickMessage(await person.command(`/scandesk scans ${text || 'since 2000-01-01'}`), 'scans.live');
    return person.seesWindow(titles[kind]);
  }
  const said = await person.say(`/scandesk ${typed}`);
  expect(said).toMatchObject({ ok: true });
  return person.seesWindow(titles[kind]);
}

const choose = (person: Person, view: ShownView, row: Row, words: string) =>
  person.click(view, 'list.menu', optionNamed(row.accessory, words), row.block_id);

describe('lists', () => {
  it.each(Object.keys(titles) as (keyof typeof titles)[])(
    'a list of %s opens for a member without access, with one API call at most',
    async (kind) => {
      const spent = await callsSpent(testApp, async () => {
        const view = await open(mia, kind);
        expect(rowsOf(view).length).toBeGreaterThan(0);
        expect(rowsOf(view).length).toBeLessThanOrEqual(10);
      });
      expect(spent).toBeLessThanOrEqual(1);
      const again = await callsSpent(testApp, async () => {
        await closeAll(mia);
        await open(mia, kind);
      });
      expect(again).toBeLessThanOrEqual(kind === 'scans' || kind === 'uploads' ? 1 : 0);
    },
  );

  it('a list is refused to guests', async () => {
    const guest = testApp.person('U0GUS');
    const answer = await guest.command('/scandesk services', 'C0FRONTGATE');
    expect(read(answer.blocks)).toContain('Guests can’t use Scandesk');
    expect(await guest.window()).toBeUndefined();
  });

  wideIt('a list of uploads shows IDs until a person asks for the names', async () => {
    await askAccount(testApp, 'services', 'update', { service_id: '1206', description: 'a change' });
    const cold = await startTestApp();
    try {
      const person = cold.person('U0ADA');
      await connect(person);
      await person.say('/scandesk uploads');
      const view = await person.seesWindow('Uploads');
      expect(read(view.view.blocks)).toMatch(/service \d+.*user \d+.*device \d+/s);
      await person.click(view, 'list.names');
      const named = await eventually(async () => {
        const now = await person.window();
        return now && !JSON.stringify(now.view).includes('list.names') ? now : undefined;
      }, 'names');
      expect(read(named.view.blocks)).toMatch(/Gate B: tickets, offline.*jonas\.gate.*Gate B phone/s);
    } finally {
      await cold.stop();
    }
  });

  it('a list shows a service name with formatting characters as plain text, letter by letter', async () => {
    const name = '*Gate* _C_ <!here> `x` :tada:';
    await askAccount(testApp, 'services', 'create', { validation_method: 'record', service_name: name });
    await ada.say('/scandesk call services create validation_method=record service_name="Gate D"');
    await eventually(
      async () => (await ada.messages()).find(({ blocks }) => read(blocks).includes('Created the service Gate D')),
      'a service',
    );
    const view = await open(ada, 'services');
    expect(rowOf(view, 'Gate D').text?.type).toBe('mrkdwn');
    expect(rowOf(view, name).text).toMatchObject({ type: 'plain_text', emoji: false });
    expect(rowOf(view, name).text?.text.startsWith(`${name}\n`)).toBe(true);
  });

  it('a list of services is searched by command and in the window, and says how many services match', async () => {
    const view = await open(mia, 'services gate');
    expect(namesOf(view).every((name) => /gate/i.test(name))).toBe(true);
    expect(read(view.view.blocks)).toMatch(/\d+ of \d+ services match “gate”\./);
    const block = blocksOf(view).find(({ type }) => type === 'input')!.block_id!;
    await mia.submit(view, { [block]: { 'list.query': { type: 'plain_text_input', value: 'Tool Crib' } } });
    const found = await seesWords(mia, 'matches “Tool Crib”');
    expect(namesOf(found)).toEqual(['Tool crib: return']);
    await mia.submit(found, { [block]: { 'list.query': { type: 'plain_text_input', value: 'no such thing' } } });
    expect(
      namesOf(await seesWords(mia, /No service matches “no such thing”\. Clear the search to see all \d+\./)),
    ).toEqual([]);
    await mia.submit((await mia.window())!, { [block]: { 'list.query': { type: 'plain_text_input', value: '' } } });
    expect(namesOf(await seesWords(mia, /^Search.*\d+ services\./s)).length).toBeGreaterThan(3);
  });

  it('a list of 24 questions has three pages, which show each question once', async () => {
    for (let n = 1; n <= 23; n += 1) {
      await askAccount(testApp, 'questions', 'create', { question_text: `Leaf ${String(n).padStart(2, '0')}?` });
    }
    await ada.say('/scandesk call questions create question_text="Leaf 24?"');
    await eventually(
      async () => (await ada.messages()).some(({ blocks }) => read(blocks).includes('Created the question Leaf 24?')),
      'the last question',
    );
    const first = await open(mia, 'questions leaf');
    expect(namesOf(first)).toHaveLength(10);
    expect(read(first.view.blocks)).toContain('24 of 29 questions match “leaf”. Showing 1–10.');
    await mia.click(first, 'list.after');
    const second = await seesWords(mia, 'Showing 11–20');
    await mia.click(second, 'list.after');
    const third = await seesWords(mia, 'Showing 21–24');
    expect(buttonsOf(third)).toEqual(['← Previous']);
    await mia.click(third, 'list.before');
    await seesWords(mia, 'Showing 11–20');
    expect(new Set([...namesOf(first), ...namesOf(second), ...namesOf(third)]).size).toBe(24);
  });

  it('/scandesk uploads says that the account’s response can’t be read, and opens no list', async () => {
    await testApp.accountFaults({ next: [{ as: 'html', times: 5 }] });
    expect(read((await mia.command('/scandesk uploads')).blocks)).toContain('a response that can’t be read');
    expect(await mia.window()).toBeUndefined();
  });
});

describe('lists of scans', () => {
  it('a list of scans is newest first, with times in the reader’s zone and values as in the account', async () => {
    const value = ` *00*1${gs}<!here>`;
    const scan = { service_id: '1203', device_id: '574', user_id: '704', value };
    await fetch(`${testApp.accountUrl}/scanner/scan`, { method: 'POST', body: JSON.stringify(scan) });
    const view = await open(mia, 'scans');
    const texts = shownTexts(view.view.blocks);
    expect(texts.find(({ code }) => code)).toEqual({ how: 'exact', code: true, text: ' *00*1<!here>' });
    expect(rowsOf(view)[0]?.text).toMatchObject({ type: 'plain_text', text: ' *00*1<!here>' });
    expect(JSON.stringify(view.view.blocks)).toMatch(/"type":"date","timestamp":\d+/);
  });

  it('a list of scans is searched by up to 100 characters of a barcode, with \\x1d for a separator', async () => {
    const view = await open(mia, `scans "*00*1${'\\x1d'}"`);
    expect(rowsOf(view)).toHaveLength(0);
    await closeAll(mia);
    const found = await open(mia, 'scans *00*1\\x1d');
    expect(rowsOf(found)).toHaveLength(1);
    const block = blocksOf(found).find(({ type }) => type === 'input')!.block_id!;
    const long = { 'list.query': { type: 'plain_text_input', value: 'x'.repeat(101) } };
    expect(await mia.submit(found, { [block]: long })).toMatchObject({
      errors: { [block]: 'Search by up to 100 characters of a barcode.' },
    });
    await closeAll(mia);
    expect(read((await mia.command(`/scandesk scans ${'x'.repeat(101)}`)).blocks)).toContain('Nothing found.');
  });

  it('a list of scans has pages, which show each scan once, and a way back to the newest scans', async () => {
    const seen: string[] = [];
    let view = await open(mia, 'scans');
    for (let page = 0; page < 3; page += 1) {
      const ids = rowsOf(view).map(({ block_id: id }) => id!);
      seen.push(...ids);
      await mia.click(view, 'list.after');
      view = await eventually(async () => {
        const now = await mia.window();
        return now && rowsOf(now).length > 0 && rowsOf(now)[0]!.block_id !== ids[0] ? now : undefined;
      }, 'another page');
    }
    expect(new Set(seen).size).toBe(30);
    await mia.click(view, 'list.before');
    await eventually(async () => rowsOf((await mia.window())!)[0]?.block_id === seen[0], 'the newest');
  });

  it('a list of services opens the scans of a chosen service, and Back returns to the services', async () => {
    const services = await open(mia, 'services');
    await choose(mia, services, rowOf(services, 'VIP lounge'), 'Show scans');
    const scans = await seesWords(mia, 'Scans of service VIP lounge, newest first.');
    expect(read(scans.view.blocks)).not.toContain('Gate B');
    await mia.click(scans, 'list.back');
    await seesWords(mia, /\d+ services\./);
  });

  it('a scan’s menu in a list opens the card of the scanned barcode, without buttons', async () => {
    const scans = await open(mia, 'scans HLF-0000');
    await choose(mia, scans, rowsOf(scans)[0]!, 'Look up the barcode');
    const card = await mia.seesWindow('Barcode');
    expect(read(card.view.blocks)).toMatch(/^HLF-0000\d\d.*Harbour Lights Festival tickets/s);
    expect(buttonsOf(card)).toEqual([]);
  });
});

describe('the values of a database', () => {
  const stock = async (person: Person) => {
    const databases = await open(person, 'databases');
    await choose(person, databases, rowOf(databases, 'Stock room'), 'Show values');
    return person.seesWindow('Values');
  };

  it('a database’s values are listed without IDs, for one API call, in pages that repeat no value', async () => {
    const databases = await open(mia, 'databases');
    const spent = await callsSpent(testApp, async () => {
      await choose(mia, databases, rowOf(databases, 'Stock room'), 'Show values');
      const view = await mia.seesWindow('Values');
      expect(rowsOf(view)).toHaveLength(10);
      expect(rowsOf(view).every(({ text }) => /\n(✅ Valid|❌ Not valid)/.test(text!.text))).toBe(true);
      expect(read(view.view.blocks)).not.toMatch(/\bID\b/);
      expect(menuOf(rowsOf(view)[0]!)).toEqual(['Look up']);
    });
    expect(spent).toBe(1);
    const first = (await mia.window())!;
    await mia.click(first, 'list.after');
    const second = await eventually(async () => {
      const now = await mia.window();
      return now && namesOf(now)[0] !== namesOf(first)[0] && namesOf(now).length > 0 ? now : undefined;
    }, 'another page');
    expect(namesOf(second).filter((name) => namesOf(first).includes(name))).toEqual([]);
    await mia.click(second, 'list.back');
    await seesWords(mia, /\d+ databases\./);
  });

  it('a database’s values are searched by part of the barcode, or of the response if no barcode matches', async () => {
    const { 'Stock room': id } = await databaseIds(testApp);
    await askAccount(testApp, 'databases', 'upsertvalue', {
      database_id: id!,
      value: '00777-Q',
      response: 'Shelf Möwe',
    });
    const view = await stock(mia);
    const enter = (text: string) => mia.click(view, 'list.query', { type: 'plain_text_input', value: text });
    await enter('0777-');
    expect(namesOf(await seesWords(mia, 'with “0777-”'))).toEqual(['00777-Q']);
    await enter('lf Möwe');
    expect(namesOf(await seesWords(mia, 'Values of Stock room whose response contains “lf Möwe”.'))).toEqual([
      '00777-Q',
    ]);
    await enter('nothing like it');
    await seesWords(mia, 'Nothing in Stock room matches “nothing like it”.');
    await enter('x'.repeat(101));
    await seesWords(mia, '⚠️ Search by up to 100 characters of a barcode.');
  });

  it('the menu of a database’s value looks up, changes and deletes exactly that value', async () => {
    const { 'Stock room': id } = await databaseIds(testApp);
    const barcode = `0*7*"${'\\'}<b>& 1`;
    await askAccount(testApp, 'databases', 'upsertvalue', { database_id: id!, value: barcode, response: 'Before' });
    const view = await stock(ada);
    await ada.click(view, 'list.query', { type: 'plain_text_input', value: '0*7*' });
    const found = await seesWords(ada, 'with “0*7*”');
    expect(menuOf(rowsOf(found)[0]!)).toEqual(['Look up', 'Edit response', 'Delete']);
    expect(buttonsOf(found)).toEqual(['← Databases', 'Add or edit a value', 'Advanced search', 'Export']);

    await choose(ada, found, rowsOf(found)[0]!, 'Look up');
    expect(read((await ada.seesWindow('Barcode')).view.blocks)).toContain('Before');
    await ada.close((await ada.window())!);

    await choose(ada, found, rowsOf(found)[0]!, 'Edit response');
    const form = await ada.seesWindow('Edit a value');
    expect(JSON.stringify(form.view)).not.toContain('v.database_id');
    await submitForm(ada, form, { response: 'After' });
    const changed = await seesWords(ada, /^✅ Updated .*with “0\*7\*”.*After/s);
    expect(await inAccount(testApp, id!, barcode)).toEqual({ valid: true, response: 'After' });

    await choose(ada, changed, rowsOf(changed)[0]!, 'Delete');
    await ada.submit(
      await eventually(async () => {
        const now = await ada.window();
        return now?.callback_id === 'form.confirm' ? now : undefined;
      }, 'the question'),
    );
    await seesWords(ada, /^✅ Deleted .*Nothing in Stock room matches/s);
    expect(await inAccount(testApp, id!, barcode)).toBeUndefined();
  });
});

describe('an item’s actions', () => {
  it('the menu of a database has four actions and “More actions…”, which opens the remaining actions', async () => {
    const databases = await open(ada, 'databases');
    expect(menuOf(rowOf(databases, 'Stock room'))).toEqual([
      'Show values',
      'Add or edit a value',
      'Upload a spreadsheet',
      'Rename',
      'More actions…',
    ]);
    await choose(ada, databases, rowOf(databases, 'Stock room'), 'More actions…');
    const more = await ada.seesWindow('More actions');
    expect(read(more.view.blocks)).toContain('Stock room');
    expect(buttonsOf(more)).toEqual(['Add or edit values', 'Delete a value', 'Empty', 'Delete']);
  });

  it('lists offer a member without access only actions that show or search something', async () => {
    const offered: Record<string, unknown> = {};
    for (const kind of Object.keys(titles)) {
      const view = await open(mia, kind);
      offered[kind] = [menuOf(rowsOf(view)[0]!) ?? [], buttonsOf(view).filter((words) => !/→|names/.test(words!))];
      await closeAll(mia);
    }
    expect(offered).toEqual({
      services: [['Show scans', 'Show uploads'], []],
      users: [['Show scans'], []],
      devices: [['Show scans', 'Show uploads'], []],
      databases: [['Show values'], []],
      questions: [[], []],
      scans: [['Look up the barcode'], ['Advanced search']],
      uploads: [['Show scans'], ['Search uploads']],
    });
  });

  it('Rename in a database’s menu opens a form for this database, and then the list shows the result', async () => {
    const { 'Tool crib': id } = await databaseIds(testApp);
    const list = await open(ada, 'databases');
    await choose(ada, list, rowOf(list, 'Tool crib'), 'Rename');
    const form = await ada.seesWindow('Rename a database');
    expect(JSON.stringify(form.view)).not.toContain('v.database_id');
    expect(read(form.view.blocks)).toContain('Tool crib');
    await submitForm(ada, form, { database_name: 'Tool shed' });
    const again = await seesWords(ada, /^✅ Renamed the database Tool crib .* to Tool shed\./);
    expect(titleOf(again)).toBe('Databases');
    expect(namesOf(again)).toContain('Tool shed');

    // The item's menu opens the next form in the list's place: Slack stacks three modals at most.
    await choose(ada, again, rowOf(again, 'Tool shed'), 'Rename');
    const second = await ada.seesWindow('Rename a database');
    expect(second.id).toBe(again.id);
    await ada.close(second);
    const first = await ada.seesWindow('Databases');
    expect(first.id).toBe(list.id);
    expect(namesOf(first)).toContain('Tool shed');
    expect(read(first.view.blocks)).not.toContain('✅');
    await choose(ada, first, rowOf(first, 'Tool shed'), 'Rename');
    await submitForm(ada, await ada.seesWindow('Rename a database'), { database_name: 'Tool crib' });
    const last = await seesWords(ada, /^✅ Renamed the database Tool shed .* to Tool crib\./);
    await ada.close(last);
    expect(await ada.window()).toBeUndefined();
    expect((await onRecord(testApp))[0]).toMatchObject({
      what: 'databases/update',
      where: 'C0GENERAL',
      detail: { database_id: id },
    });
  });

  it('the confirmation of a database’s deletion from a list names the database and counts its values', async () => {
    await askAccount(testApp, 'databases', 'create', { database_name: 'Doomed' });
    const { Doomed: id } = await databaseIds(testApp);
    await askAccount(testApp, 'databases', 'addvalue', { database_id: id!, value: 'gone soon' });
    await ada.say('/scandesk call databases update database_id=1022 database_name="Stock room"');
    const list = await eventually(async () => {
      await closeAll(ada);
      const view = await open(ada, 'databases');
      return namesOf(view).includes('Doomed') ? view : undefined;
    }, 'the new database');
    await choose(ada, list, rowOf(list, 'Doomed'), 'More actions…');
    const more = await ada.seesWindow('More actions');
    const button = JSON.stringify(more.view.blocks);
    const block = (more.view.blocks as { block_id: string; elements?: { text?: { text: string } }[] }[]).find((each) =>
      each.elements?.some(({ text }) => text?.text === 'Delete'),
    )!.block_id;
    expect(button).toContain('"style":"danger"');
    await ada.click(more, 'list.more', undefined, block);
    const confirm = await ada.seesWindow('Delete a database?');
    expect(read(confirm.view.blocks)).toMatch(/Doomed.*1 value/s);
    await ada.submit(confirm);
    const left = await seesWords(ada, /^✅ Deleted the database .*Details: Doomed/s);
    expect(titleOf(left)).toBe('Databases');
    expect(namesOf(left)).not.toContain('Doomed');
    expect(await databaseIds(testApp)).not.toHaveProperty('Doomed');
  });

  it('a list of questions offers to create a question, and then says that the question was created', async () => {
    const list = await open(ada, 'questions');
    await ada.click(list, 'list.beside');
    await submitForm(ada, await ada.seesWindow('Create a question'), { question_text: 'Brand new?' });
    await seesWords(ada, /^✅ Created the question Brand new\? \(ID \d+\)\..*30 questions/s);
  });

  it('a forged click on Delete in a list is refused to a member without access, and deletes nothing', async () => {
    const list = await open(mia, 'services');
    const row = rowOf(list, 'VIP lounge');
    const forged = JSON.stringify({ list: 'services', id: '1206', deed: 'delete' });
    const payload = {
      type: 'block_actions',
      user: { id: 'U0MIA', team_id: 'T0SANDBOX1' },
      team: { id: 'T0SANDBOX1', domain: 'harbour-hall' },
      api_app_id: 'A0',
      token: 'x',
      trigger_id: 'none',
      container: { type: 'view', view_id: list.id },
      view: { ...list.view, id: list.id, team_id: 'T0SANDBOX1', state: { values: {} } },
      actions: [
        {
          type: 'overflow',
          block_id: row.block_id,
          action_id: 'list.menu',
          selected_option: { text: { type: 'plain_text', text: 'Delete' }, value: forged },
          action_ts: '1.1',
        },
      ],
    };
    await testApp.signed(new URLSearchParams({ payload: JSON.stringify(payload) }).toString());
    const told = await eventually(async () => {
      const everywhere = [...(await mia.messages()), ...(await mia.directMessages())];
      return everywhere.find(({ blocks }) => read(blocks).includes('Only workspace admins and people with access'));
    }, 'a refusal');
    expect(told).toBeDefined();
    expect(await askAccount(testApp, 'services', 'retrieve', { service_id: '1206' })).toContain('<status>1</status>');
  });
});

describe('/scandesk limits', () => {
  it('/scandesk limits shows how many API calls are left, and when the quota resets', async () => {
    const answer = await mia.command('/scandesk limits');
    expect(read(answer.blocks)).toMatch(/This minute: \d+ of 1,000; .*Today: 99,\d{3} of 100,000; /s);
    expect(JSON.stringify(answer.blocks)).toContain('"format":"resets {date_short_pretty} at {time}"');
  });
});
