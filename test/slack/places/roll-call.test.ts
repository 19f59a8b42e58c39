/** The roll call of a list: a search, a page at a time, and who may see it. */
import { DateTime } from 'luxon';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, nameManager, onRecord } from '../connected.js';
import { closeAll, makeRelay, option, reads, scan, select, text, typed } from '../relays/relay-stage.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';
import { openNewList, wholeListForm } from './list-form.js';

const inside = 60;

describe('the roll call', () => {
  let testApp: TestApp;
  let ada: Person;
  let mia: Person;

  beforeAll(async () => {
    testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
    ada = testApp.person('U0ADA');
    mia = testApp.person('U0MIA');
    await connect(ada);
    const relay = await makeRelay(ada, { channel: 'C0FRONTGATE', notable: 'invalid' });
    await closeAll(ada);
    const dayBegan = DateTime.now().setZone('Europe/Berlin').minus({ hours: 6 }).toFormat('HH:00');
    await openNewList(ada);
    await ada.submit(await wholeListForm(ada), {
      'places.name': { 'places.field': typed('Main hall') },
      'places.in.property': { 'places.field': typed('direction=in') },
      'places.hour': { 'places.field': select(dayBegan) },
      'places.zone': { 'relay.pick.zone': { type: 'external_select', selected_option: option('Europe/Berlin') } },
      'places.rollCall': { 'places.field': { type: 'multi_users_select', selected_users: ['U0MIA'] } },
    });
    await ada.submit(await ada.seesForm('places.save'));
    await reads(ada, 'Saved. Scans are being counted.');
    await closeAll(ada);
    for (let n = 0; n < inside; n += 1) {
      const tid = `T-${String(n).padStart(2, '0')}`;
      await scan(relay.url, { tid, status: '1', sid: '9', direction: 'in' });
    }
    await eventually(async () => JSON.stringify(await figures(ada)).includes(`${inside} inside`), 'all inside');
  }, 60_000);
  afterAll(() => testApp?.stop());

  const figures = (person: Person) => person.command('/scandesk inside');
  const open = async (person: Person) => {
    await closeAll(person);
    await person.clickMessage(await figures(person), 'places.roll');
    return person.seesForm('places.roll');
  };

  it('a roll call shows 50 people at a time, and its viewing is in the audit log', async () => {
    const first = await open(ada);
    expect(text(first)).toContain('1 to 50 of 60.');
    expect(text(first)).toContain('You see this because workspace admins and owners may.');
    expect(text(first)).toContain('T-49');
    expect(text(first)).not.toContain('T-50');
    await ada.click(first, 'places.roll.more');
    const second = text(await reads(ada, '51 to 60 of 60.'));
    expect(second).toContain('T-59');
    expect(second).not.toContain('T-49');
    await ada.click((await ada.window())!, 'places.roll.back');
    await reads(ada, '1 to 50 of 60.');
    expect((await onRecord(testApp))[0]).toMatchObject({
      ...{ what: 'places/roll_call', who: 'U0ADA' },
      detail: { list: 'Main hall' },
    });
  });

  it('a roll call finds people by a part of their barcode', async () => {
    await ada.click(await open(ada), 'places.roll.search', typed('t-4'));
    const found = await eventually(async () => {
      const view = await ada.window();
      return view && !text(view).includes('T-01') && text(view).includes('T-40') ? text(view) : undefined;
    }, 'what was found');
    expect(found).toContain('Main hall · 60 inside');
    expect(found).toContain('T-49');
    await ada.submit((await ada.window())!, { 'places.roll.search': { 'places.roll.search': typed('nobody') } });
    await reads(ada, 'Nobody inside matches this.');
    await closeAll(ada);
  });

  it('a member sees a roll call only while its list names them, even with access to make changes', async () => {
    const seen = await open(mia);
    expect(text(seen)).toContain('T-00');
    expect(text(seen)).toContain('You see this because the list permits it.');
    await nameManager(ada, 'U0MIA');
    await ada.clickMessage(await figures(ada), 'places.lists');
    await ada.click(await ada.seesWindow('Lists'), 'places.edit');
    await ada.submit(await wholeListForm(ada), {
      'places.rollCall': { 'places.field': { type: 'multi_users_select', selected_users: [] } },
    });
    await ada.submit(await ada.seesForm('places.save'));
    await reads(ada, 'Main hall · 60 inside');
    await closeAll(ada);
    await mia.click(seen, 'places.roll.more');
    const refused = await reads(mia, 'admin');
    expect(text(refused)).not.toContain('T-');
    await closeAll(mia);
    expect(JSON.stringify(await figures(mia))).not.toContain('places.roll');
  });
});
