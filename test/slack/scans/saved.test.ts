/** Saved searches: saved below results, found by name and in the form, renamed and deleted by who may. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { type ScanQuery, savedSearches } from '../../../src/search/index.js';
import type { Store } from '../../../src/workspaces/types.js';
import { read } from '../block-kit/reading.js';
import { connect } from '../connected.js';
import { eventually, optionNamed, type Person, startTestApp, type TestApp } from '../test-app.js';

const text = (value: string) => ({ 'scans.field': { type: 'plain_text_input', value } });

describe('saved searches', () => {
  let testApp: TestApp;
  let ada: Person;
  let mia: Person;
  const shown = (view: { readonly view: { readonly blocks?: unknown } }) => read(view.view.blocks as never);
  const said = (message: { readonly blocks?: unknown }) => read(message.blocks as never);

  beforeAll(async () => {
    testApp = await startTestApp();
    ada = testApp.person('U0ADA');
    mia = testApp.person('U0MIA');
    await connect(ada);
  }, 60_000);
  afterAll(() => testApp?.stop());

  const save = async (person: Person, typed: string, name: string, list?: 'channel') => {
    await person.clickMessage(await person.command(typed), 'scans.save');
    const form = await person.seesForm('scans.save');
    await person.submit(form, {
      'scans.save.name': text(name),
      ...(list
        ? { 'scans.save.list': { 'scans.field': optionNamed(form.view.blocks, 'Everyone in this channel') } }
        : {}),
    });
    return await eventually(async () => {
      const view = await person.window();
      return view && view.callback_id !== 'loading' && view.view !== form.view ? view : undefined;
    }, 'what came of it');
  };

  it('saved searches are saved below results, for the person or the channel, and found by name', async () => {
    expect(shown(await save(mia, '/scans today invalid service:gate', 'Gate refusals'))).toContain(
      'saved:"Gate refusals"',
    );
    await save(mia, '/scans yesterday', 'Yesterday', 'channel');
    const found = said(await mia.command('/scans saved:"gate refusals"'));
    expect(found).toContain('Gate refusals\nScans today · not valid · service “gate”');
    const changed = said(await mia.command('/scans saved:"Gate refusals" yesterday'));
    expect(changed).toContain('Scans yesterday · not valid · service “gate”');
    expect(changed).not.toContain('Gate refusals');
    expect(said(await ada.command('/scans saved:yesterday'))).toContain('Yesterday\nScans yesterday');
    const missed = said(await ada.command('/scans saved:"gate refusals"'));
    expect(missed).toContain('No saved search is called “gate refusals”');
    expect(missed).toContain('Saved here: Yesterday.');
    expect(said(await ada.command('/scans saved:yesterday', 'C0STOCKROOM'))).toContain('Nothing is saved here yet.');
  });

  it('saved searches with a name that is in use or in quotes are refused, and the form keeps its values', async () => {
    const again = await save(mia, '/scans today', 'GATE refusals');
    expect(shown(again)).toContain('Another saved search has this name');
    expect(JSON.stringify(again.view.blocks)).toContain('GATE refusals');
    const refused = await mia.submit(again, { 'scans.save.name': text('the "gate"') });
    expect(JSON.stringify(refused)).toContain('without quotation marks');
    await mia.close(again);
  });

  it('saved searches fill the form, and their name stands above unchanged results', async () => {
    await mia.say('/scans');
    const form = await mia.seesForm('scans.search');
    await mia.click(form, 'scans.saved', optionNamed(form.view.blocks, 'Gate refusals'));
    const filled = await eventually(async () => {
      const view = await mia.window();
      return JSON.stringify(view?.view.blocks).includes('part:gate') ? view : undefined;
    }, 'the filled form');
    await mia.submit(filled);
    expect(shown(await mia.seesForm('scans.results'))).toContain('Gate refusals\nScans today · not valid');
    await mia.click(await mia.seesForm('scans.results'), 'scans.form');
    await mia.close(await mia.seesForm('scans.search'));
  });

  it('saved searches of a channel show who saved them, and an admin renames and deletes a member’s', async () => {
    await save(ada, '/scans last week', 'Last week', 'channel');
    await mia.say('/scans');
    await mia.click(await mia.seesForm('scans.search'), 'scans.saved.list');
    const seen = await mia.seesForm('scans.saved.list');
    const deletable = (seen.view.blocks as { accessory?: unknown; block_id?: string }[]).filter(({ block_id: id }) =>
      id?.startsWith('scans.saved.'),
    );
    expect(shown(seen)).toContain('Last week · saved by');
    expect(deletable).toHaveLength(2);

    await ada.say('/scans');
    await ada.click(await ada.seesForm('scans.search'), 'scans.saved.list');
    const both = await ada.seesForm('scans.saved.list');
    const [id] = deletable.map(({ block_id: block }) => block!).filter((block) => block.includes('C0GENERAL'));
    await ada.click(both, 'scans.saved.rename', undefined, id);
    const rename = await ada.seesForm('scans.saved.rename');
    await ada.submit(rename, { 'scans.save.name': text('The day before') });
    const renamed = await ada.seesForm('notice');
    expect(shown(renamed)).toContain('Renamed to “The day before”');
    await ada.close(renamed);
    const list = await ada.seesForm('scans.saved.list');
    expect(shown(list)).toContain('The day before · saved by');
    await ada.click(list, 'scans.saved.delete', undefined, id);
    const rest = await eventually(async () => {
      const view = await ada.window();
      return view && shown(view).includes('Deleted.') ? view : undefined;
    }, 'the list without it');
    expect(shown(rest)).not.toContain('The day before');

    const store = await testApp.openStore();
    try {
      const [connection] = await store.workspaces.connections();
      const rows = await store.audit.list(connection!.owner, { limit: 10, sections: ['search'] });
      expect(rows.map(({ who, what, detail }) => [who, what, detail.search])).toEqual([
        ['U0ADA', 'search/delete', 'The day before'],
        ['U0ADA', 'search/rename', 'The day before'],
        ['U0ADA', 'search/save', 'Last week'],
        ['U0MIA', 'search/save', 'Yesterday'],
        ['U0MIA', 'search/save', 'Gate refusals'],
      ]);
    } finally {
      await store.close();
    }
  });

  const inStore = async <T>(ask: (store: Store) => Promise<T>): Promise<T> => {
    const store = await testApp.openStore();
    try {
      return await ask(store);
    } finally {
      await store.close();
    }
  };
  const saveFor = (who: string, name: string, query: ScanQuery) =>
    inStore(async (store) => {
      const [connection] = await store.workspaces.connections();
      const deps = { store, random: systemRandom, clock: systemClock };
      await savedSearches.save(deps, connection!.owner, { name, query, savedBy: who });
    });

  it('saved searches keep their relay in the form, where it can be removed', async () => {
    await saveFor('U0MIA', 'At the main gate', { when: 'today', relay: { id: 'relay-1', name: 'Main gate' } });
    await mia.say('/scans');
    const form = await mia.seesForm('scans.search');
    await mia.click(form, 'scans.saved', optionNamed(form.view.blocks, 'At the main gate'));
    const filled = await eventually(async () => {
      const view = await mia.window();
      return JSON.stringify(view?.view.blocks).includes('relay-1') ? view : undefined;
    }, 'the filled form');
    await mia.submit(filled);
    const results = await mia.seesForm('scans.results');
    expect(shown(results)).toContain('At the main gate\nScans today · relay “Main gate”');
    await mia.click(results, 'scans.form');
    const again = await mia.seesForm('scans.search');
    const relay = (again.view.blocks as { block_id?: string }[]).find(({ block_id: id }) => id === 'scans.relay');
    expect(JSON.stringify(relay)).toContain('"Main gate"');
    await mia.submit(again, {
      'scans.relay': { 'scans.field': { type: 'multi_static_select', selected_options: [] } },
    });
    const without = await mia.seesForm('scans.results');
    expect(shown(without)).not.toContain('Main gate');
    await mia.close(without);
  });

  it('saved searches of a person who left are listed to admins alone, who rename and delete them', async () => {
    await saveFor('U0GONE', 'Left behind', { when: 'today' });
    await saveFor('U0MIA', 'Still hers', { when: 'today' });
    const listOf = async (person: Person) => {
      await person.say('/scans');
      await person.click(await person.seesForm('scans.search'), 'scans.saved.list');
      return await person.seesForm('scans.saved.list');
    };
    const hers = await listOf(mia);
    expect(shown(hers)).not.toContain('Left behind');
    await mia.close(hers);
    const list = await listOf(ada);
    expect(shown(list)).toContain('Saved by people who left');
    expect(shown(list)).toContain('Left behind');
    expect(shown(list)).not.toContain('Still hers');
    const block = (list.view.blocks as { block_id?: string }[]).find(({ block_id: id }) => id?.includes('U0GONE'));
    await ada.click(list, 'scans.saved.rename', undefined, block?.block_id);
    const rename = await ada.seesForm('scans.saved.rename');
    await ada.submit(rename, { 'scans.save.name': text('Taken over') });
    await ada.close(await ada.seesForm('notice'));
    const renamed = await ada.seesForm('scans.saved.list');
    expect(shown(renamed)).toContain('Taken over');
    await ada.click(renamed, 'scans.saved.delete', undefined, block?.block_id);
    const rest = await eventually(async () => {
      const view = await ada.window();
      return view && shown(view).includes('Deleted.') ? view : undefined;
    }, 'the list without it');
    expect(shown(rest)).not.toContain('Taken over');
    await ada.close(rest);
  });
});
