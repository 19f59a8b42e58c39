import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { read, shownTexts } from '../block-kit/reading.js';
import { connect, databaseIds } from '../connected.js';
import { closeAll } from '../operations/filling.js';
import { eventually, optionNamed, type Person, startTestApp, type TestApp } from '../test-app.js';

const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };

describe('/scandesk audit', () => {
  let testApp: TestApp;
  let ada: Person;
  beforeAll(async () => {
    testApp = await startTestApp();
    ada = testApp.person('U0ADA');
    await connect(ada);
  });
  afterAll(() => testApp?.stop());

  const text = (view: ShownView) => read(view.view.blocks);
  const opened = async (): Promise<ShownView> => {
    await closeAll(ada);
    await ada.say('/scandesk audit');
    return ada.seesWindow('Audit log');
  };
  const reads = (words: RegExp) =>
    eventually(async () => {
      const view = await ada.window();
      return view && words.test(text(view)) ? view : undefined;
    }, `a window that says ${words}`);

  const filtered = (filter: object) =>
    eventually(
      async () => {
        const view = await ada.window();
        const notes = view && JSON.parse(String(view.view.private_metadata || '{}'));
        return notes && JSON.stringify({ ...notes, channel: undefined }) === JSON.stringify(filter) ? view : undefined;
      },
      `a window of ${JSON.stringify(filter)}`,
    );

  const put = async (
    rows: readonly { who: string; what: string; detail?: Record<string, unknown>; outcome?: string }[],
  ) => {
    const store = await testApp.openStore();
    for (const row of rows) {
      await store.audit.add(owner, { at: Date.now(), where: 'C0STOCKROOM', detail: {}, outcome: 'ok', ...row });
    }
    await store.close();
  };

  it('/scandesk audit lists who changed which thing, when and where', async () => {
    const view = await opened();
    expect(text(view)).toMatch(/Choose databases.*Connect account/s);
    const shown = JSON.stringify(view.view);
    expect(shown).toContain('"user_id":"U0ADA"');
    expect(shown).toContain('"channel_id":"C0GENERAL"');
    expect(shown).toContain('"type":"date"');
    expect(text(view)).toContain('Kept for 400 days.');
  });

  it('/scandesk audit shows names for IDs, barcodes letter by letter, and why a change was not made', async () => {
    const { 'Stock room': stock } = await databaseIds(testApp);
    const value = ' *00*123 <!channel>';
    await put([
      { who: 'U0MIA', what: 'databases/deletevalue', detail: { database_id: stock, value, undoes: true } },
      {
        who: 'U0MIA',
        what: 'databases/update',
        detail: { database_id: '99', database_name: 'Ωmega' },
        outcome: 'account.refused 216',
      },
      { who: 'system', what: 'relay/quiet_hours', detail: { from: '22:00' }, outcome: 'account.slow' },
    ]);
    const view = await opened();
    const said = text(view);
    expect(said).toContain('Database: Stock room');
    expect(shownTexts(view.view.blocks)).toContainEqual({ how: 'exact', text: value, code: true });
    expect(said).toContain('Undoes an earlier change');
    expect(said).toMatch(/Not done: .*name.* \(code 216\)\./);
    expect(said).toContain('Database: unnamed database 99');
    expect(said).toContain('Relay: quiet hours');
    expect(said).toContain('Scandesk');
    expect(said).toContain('Not done: The scanning account took too long to respond.');
    expect(
      shownTexts(view.view.blocks).filter(({ how, text: one }) => how === 'mrkdwn' && !/Kept for/.test(one)),
    ).toEqual([]);
  });

  it('/scandesk audit can be filtered by person and by section, and the filter can be cleared', async () => {
    const view = await opened();
    await ada.click(view, 'audit.person', { selected_user: 'U0MIA' });
    const mias = await reads(/^(?!.*Connect account).*Delete a value/s);
    await ada.click(mias, 'audit.section', optionNamed(mias.view.blocks, 'Databases'));
    const both = await filtered({ who: 'U0MIA', section: 'databases' });
    expect(text(both)).toMatch(/Rename a database.*Delete a value/s);
    await ada.click(both, 'audit.anybody');
    const section = await filtered({ section: 'databases' });
    expect(text(section)).toContain('Delete a value');
    await ada.click(section, 'audit.section', optionNamed(section.view.blocks, 'Users'));
    const none = await reads(/No matching changes/);
    await ada.click(none, 'audit.section', optionNamed(none.view.blocks, 'All changes'));
    await reads(/Connect account/);
  });

  it('the changes of saved searches are among those of scans in /scandesk audit', async () => {
    await put([{ who: 'U0MIA', what: 'search/save', detail: { search: 'Refused today', channel: 'C0GENERAL' } }]);
    const view = await opened();
    await ada.click(view, 'audit.section', optionNamed(view.view.blocks, 'Scans'));
    expect(text(await filtered({ section: 'scans' }))).toContain('Save a search');
  });

  it('/scandesk audit has pages to the oldest entry, and back to the newest', async () => {
    await put(
      Array.from({ length: 23 }, (_, n) => ({
        who: 'U0ADA',
        what: 'questions/create',
        detail: { question_text: `No ${n}.` },
      })),
    );
    const first = await opened();
    expect(text(first)).toMatch(/No 22\..*No 13\./s);
    expect(text(first)).not.toContain('No 12.');
    await ada.click(first, 'audit.older');
    const second = await reads(/No 12\..*No 3\./s);
    await ada.click(second, 'audit.older');
    const third = await reads(/No 2\..*Connect account/s);
    expect(JSON.stringify(third.view)).not.toContain('audit.older');
    await ada.click(third, 'audit.newest');
    await reads(/No 22\./);
  });

  it('/scandesk audit is refused to members who are neither admins nor people with access', async () => {
    const mia = testApp.person('U0MIA');
    const told = await mia.command('/scandesk audit');
    expect(read(told.blocks)).toContain('Only workspace admins and people with access can do this.');
    expect(await mia.window()).toBeUndefined();
  });
});
