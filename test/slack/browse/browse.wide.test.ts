import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { read } from '../block-kit/reading.js';
import { connect } from '../connected.js';
import { closeAll, seesWords, submitForm } from '../operations/filling.js';
import { optionNamed, type Person, startTestApp, type TestApp } from '../test-app.js';

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

describe('an item’s actions', () => {
  it('a list of databases offers its actions again after each of two renames', async () => {
    let list = await open(ada, 'databases');
    for (const name of ['Crib', 'Tool crib']) {
      await choose(ada, list, rowsOf(list).find(({ text }) => /crib/i.test(text!.text))!, 'More actions…');
      const more = await ada.seesWindow('More actions');
      expect(buttonsOf(more)).toContain('Empty');
      await ada.close(more);
      list = await ada.seesWindow('Databases');
      await choose(ada, list, rowsOf(list).find(({ text }) => /crib/i.test(text!.text))!, 'Rename');
      await submitForm(ada, await ada.seesWindow('Rename a database'), { database_name: name });
      list = await seesWords(ada, new RegExp(`^✅ Renamed .* to ${name}\\.`));
      await choose(ada, list, rowOf(list, name), 'More actions…');
      await ada.seesWindow('More actions');
      const again = (await ada.window())!;
      await ada.close(again);
      list = await ada.seesWindow('Databases');
    }
  });
});

describe('/scandesk limits', () => {
  it('/scandesk limits says when the account has no limit of API calls', async () => {
    const other = await startTestApp({ limits: { minute: -1, day: -1 } });
    try {
      await connect(other.person('U0ADA'));
      const answer = await other.person('U0MIA').command('/scandesk limits');
      expect(read(answer.blocks)).toContain('This minute: unlimited.');
    } finally {
      await other.stop();
    }
  });
});
