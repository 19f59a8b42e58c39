/** Forms of a workspace and its lists, which somebody else changes while they are open. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../../src/workspaces/types.js';
import { connect } from '../connected.js';
import { openNewList } from '../places/list-form.js';
import { closeAll, option, radio, reads, redrawn, text, typed } from '../relays/relay-stage.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
const notSaved = 'Not saved: this was changed while your form was open.';
const users = (...ids: string[]) => ({ 'access.users': { type: 'multi_users_select', selected_users: ids } });

describe('a form whose settings somebody else changes while it is open', () => {
  let testApp: TestApp;
  let ada: Person;
  let store: Store;
  beforeAll(async () => {
    testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
    ada = testApp.person('U0ADA');
    await connect(ada);
    store = await testApp.openStore();
  }, 60_000);
  afterAll(async () => {
    await store?.close();
    await testApp?.stop();
  });
  afterEach(() => closeAll(ada));

  it('access that was changed meanwhile is not overwritten before the form says so', async () => {
    await ada.say('/scandesk access');
    const form = await ada.seesForm('access');
    await store.workspaces.change(owner, { managers: { users: ['U0BEN'], groups: [] } });
    await ada.submit(form, { users: users('U0MIA') });
    const again = await reads(ada, notSaved);
    expect((await store.workspaces.settings(owner)).managers?.users).toEqual(['U0BEN']);
    expect(JSON.stringify(again.view.blocks)).toContain('U0MIA');
    await ada.submit(again, { users: users('U0MIA') });
    await reads(ada, 'Access updated.');
    expect((await store.workspaces.settings(owner)).managers?.users).toEqual(['U0MIA']);
  });

  it('databases that were chosen meanwhile are not overwritten before the form says so', async () => {
    await ada.say('/scandesk connect');
    await ada.click(await ada.seesForm('connection'), 'connect.databases');
    const form = await ada.seesForm('connect.databases');
    const [, first = ''] = /"database\.row\.(\d+)"/.exec(JSON.stringify(form.view.blocks)) ?? [];
    await ada.click(form, 'connect.database.move', { type: 'overflow', selected_option: option(`leave:${first}`) });
    const fewer = await redrawn(ada, form);
    await store.workspaces.change(owner, { lookupDatabases: [first] });
    await ada.submit(fewer);
    const again = await reads(ada, notSaved);
    expect((await store.workspaces.settings(owner)).lookupDatabases).toEqual([first]);
    expect(JSON.stringify(again.view.blocks)).not.toContain(`database.row.${first}`);
    await ada.submit(again);
    await reads(ada, 'Saved.');
    expect((await store.workspaces.settings(owner)).lookupDatabases).not.toContain(first);
  });

  it('a list that was changed meanwhile is not overwritten before its form, as it was entered, says so', async () => {
    await openNewList(ada);
    const blank = await ada.seesForm('places.form');
    await ada.optionsIn(blank, 'places.in.services', 'relay.pick.service', '1201');
    const service = { type: 'multi_external_select', selected_options: [option('1201')] };
    await ada.submit(blank, {
      'places.name': { 'places.field': typed('Hall') },
      'places.in.services': { 'relay.pick.service': service },
    });
    await ada.submit(await ada.seesForm('places.save'));
    await ada.click(await reads(ada, 'Saved. Scans are being counted.'), 'places.edit');
    await ada.submit(await ada.seesForm('places.form'), { 'places.name': { 'places.field': typed('North hall') } });
    const preview = await ada.seesForm('places.save');
    await store.db.updateTable('place_lists').set({ name: 'South hall' }).execute();
    await ada.submit(preview);
    const again = await reads(ada, notSaved);
    expect(JSON.stringify(again.view.blocks)).toContain('North hall');
    const nameOf = async () => (await store.db.selectFrom('place_lists').select('name').executeTakeFirst())?.name;
    expect(await nameOf()).toBe('South hall');
    await ada.submit(again);
    await ada.submit(await ada.seesForm('places.save'));
    expect(text(await reads(ada, 'Saved. Scans are being counted.'))).toContain('North hall');
    expect(await nameOf()).toBe('North hall');
  });

  it('the appearance of posts keeps what is chosen for full posts while one line is chosen', async () => {
    await ada.say('/scandesk posts', 'C0FRONTGATE');
    const form = await ada.seesForm('posts.appearance');
    const none = { type: 'checkboxes', selected_options: [] };
    await ada.click(form, 'posts.redraw', none, 'posts.shows');
    const bare = await redrawn(ada, form);
    await ada.click(bare, 'posts.redraw', radio('line'), 'posts.look');
    const line = await redrawn(ada, bare);
    await ada.click(line, 'posts.redraw', radio('full'), 'posts.look');
    const full = await eventually(async () => {
      const view = await ada.window();
      return view && view.hash !== line.hash && text(view).includes('Also show') ? view : undefined;
    }, 'the form of full posts');
    expect(text(full)).not.toContain('Wristband handed out?');
  });
});
