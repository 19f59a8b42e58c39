/** An evening at the gate: a list is made with a preview, scans are counted, and every surface says the same figure. */
import { DateTime } from 'luxon';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { read } from '../block-kit/reading.js';
import { connect, onRecord } from '../connected.js';
import { closeAll, makeRelay, option, reads, scan, text, typed } from '../relays/relay-stage.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';
import { wholeListForm } from './list-form.js';

describe('who is inside', () => {
  let testApp: TestApp;
  let ada: Person;
  let mia: Person;
  let relay: { id: string; url: string };

  beforeAll(async () => {
    testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
    ada = testApp.person('U0ADA');
    mia = testApp.person('U0MIA');
    await connect(ada);
    relay = await makeRelay(ada, { channel: 'C0FRONTGATE' });
    await closeAll(ada);
    await pass('T-1', 'in');
    await pass('T-2', 'in');
  }, 60_000);
  afterAll(() => testApp?.stop());

  const dayBegan = DateTime.now().setZone('Europe/Berlin').minus({ hours: 6 }).toFormat('HH:00');
  const pass = (tid: string, direction: 'in' | 'out') =>
    scan(relay.url, { tid, status: '1', text: 'Welcome', sid: '9', direction });
  const inside = async (person: Person, command = '/scandesk inside') =>
    read((await person.command(command)).blocks as never);
  const untilInside = (count: number, person = mia) =>
    eventually(async () => {
      const answer = await inside(person);
      return answer.includes(`Main hall · ${count} inside`) ? answer : undefined;
    }, `${count} inside`);
  const formValues = (name: string) => ({
    'places.name': { 'places.field': typed(name) },
    'places.in.property': { 'places.field': typed('direction=in') },
    'places.out.property': { 'places.field': typed('direction=out') },
    'places.hour': { 'places.field': { type: 'static_select', selected_option: option(dayBegan) } },
    'places.zone': { 'relay.pick.zone': { type: 'external_select', selected_option: option('Europe/Berlin') } },
  });

  it('/scandesk inside says that no list counts yet, and offers a member no button to manage lists', async () => {
    expect(await inside(mia)).toContain('No list counts who is inside yet.');
    expect(JSON.stringify(await mia.command('/scandesk inside'))).not.toMatch(/places\.(lists|new)/);
  });

  it('a list counts scans, and its preview says how many it would have counted', async () => {
    await ada.clickMessage(await ada.command('/scandesk inside'), 'places.new');
    const form = await wholeListForm(ada);
    const placeholders = JSON.stringify(form.view.blocks).match(/direction=\w+/g);
    expect(placeholders).toEqual(['direction=in', 'direction=out']);
    await ada.submit(form, {
      'places.name': { 'places.field': typed('Main hall') },
      'places.zone': formValues('')['places.zone'],
    });
    const { errors } = await ada.seesForm('places.form');
    expect(errors).toEqual({ 'places.in.services': expect.stringContaining('Say which scans mean in') });
    await ada.submit(await wholeListForm(ada), formValues('Main hall'));
    const preview = await ada.seesForm('places.save');
    expect(read(preview.view.blocks)).toContain('Main hall');
    expect(JSON.stringify(preview.view.blocks)).toContain('Since the day began');
    await ada.click(preview, 'places.span', { type: 'static_select', selected_option: option('1') }, 'places.span');
    expect(text(await reads(ada, '2 inside now: 2 scans in, 0 scans out, of 2 scans'))).toContain('Gates: ');
    await ada.submit((await ada.window())!);
    // Earlier scans are counted before the list is shown.
    expect(text(await reads(ada, 'Saved. Scans are being counted.'))).toContain('Main hall · 2 inside');
    await closeAll(ada);
    expect((await onRecord(testApp))[0]).toMatchObject({ what: 'places/create', detail: { list: 'Main hall' } });
    await untilInside(2);
  });

  it('/scandesk inside, /scans inside and App Home show one figure of a list, and cards inside or left', async () => {
    await pass('T-3', 'in');
    await pass('T-4', 'in');
    await untilInside(4);
    await pass('T-4', 'out');
    const answer = await untilInside(3);
    const blocks = ((await ada.command('/scandesk inside')).blocks ?? []) as { type: string }[];
    const rows = blocks.filter(({ type }) => type === 'actions');
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).toMatch(/export\.inside.*places\.roll.*places\.lists/);
    expect(answer).toContain('4 in, 1 out');
    // Figures that are the same, of the last hour, the day and the only gate, are said once.
    expect(answer).toMatch(/D-1: 4 in, 1 out since .*, all in the last hour · peak/);
    expect(answer.match(/4 in, 1 out/g)).toHaveLength(1);
    // The barcode came in and went out within one second: nobody was inside at the second's end.
    expect(answer).toMatch(/peak [34] at/);
    expect(await inside(mia, '/scans inside "main hall"')).toContain('Main hall · 3 inside');
    expect(await inside(mia, '/scandesk inside nowhere')).toContain(
      'There is no list “nowhere”. There are: Main hall.',
    );
    const card = async (value: string) => read((await mia.command(`/barcode ${value}`)).blocks as never);
    expect(await card('T-3')).toMatch(/Main hall: inside since .*, D-1/);
    expect(await card('T-4')).toMatch(/Main hall: left .*, D-1/);
    expect(await card('T-5')).not.toContain('Main hall');
    await mia.openHome();
    await eventually(async () => {
      const home = await mia.home();
      return home && text(home).includes('Main hall · 3 inside');
    }, 'App Home');
  });

  it('the window of all lists names scans that would look wrong, as a list’s preview does', async () => {
    await pass('T-3', 'in');
    await eventually(async () => (await inside(ada)).includes('of a barcode that was inside already'), 'a repeated in');
    await ada.clickMessage(await ada.command('/scandesk inside'), 'places.lists');
    expect(text(await ada.seesWindow('Lists'))).toMatch(/⚠️ 1 scan in of a barcode that was inside already/);
    await closeAll(ada);
  });

  it('a saved list whose sides name as many services and devices as a form takes can be edited', async () => {
    const store = await testApp.openStore();
    const row = await store.db.selectFrom('place_lists').select('settings').executeTakeFirstOrThrow();
    const before = JSON.parse(row.settings);
    const ids = (side: string, length: number) =>
      Array.from({ length: 15 }, (_, n) => `${side}${n}`.padEnd(length, '0'));
    const many = (side: string, rest: object[]) => [
      { kind: 'from', what: 'service', ids: ids(side, 20) },
      { kind: 'from', what: 'device', ids: ids(side, 60) },
      ...rest,
    ];
    const settings = JSON.stringify({ ...before, in: many('8', before.in), out: many('9', before.out) });
    await store.db.updateTable('place_lists').set({ settings }).execute();
    await store.close();
    await ada.clickMessage(await ada.command('/scandesk inside'), 'places.lists');
    await ada.click(await ada.seesWindow('Lists'), 'places.edit');
    await ada.submit(await wholeListForm(ada));
    await ada.submit(await ada.seesForm('places.save'));
    await reads(ada, 'Saved. Scans are being counted.');
    await closeAll(ada);
  });

  it('a list starts from 0 after a reset, and is not shown any more once deleted', async () => {
    await ada.clickMessage(await ada.command('/scandesk inside'), 'places.lists');
    await ada.click(await ada.seesWindow('Lists'), 'places.reset');
    await reads(ada, 'Reset. Everyone counts as outside from now on.');
    await untilInside(0);
    await ada.click((await ada.window())!, 'places.delete');
    await reads(ada, 'List deleted.');
    expect(await inside(mia)).toContain('No list counts who is inside yet.');
  });
});
