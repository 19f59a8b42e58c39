/** The form of a new list: what it asks, and what it gives back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { connect } from '../connected.js';
import { closeAll, option, reads, text, typed } from '../relays/relay-stage.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';
import { openNewList, wholeListForm } from './list-form.js';

describe('the form of a list', () => {
  let testApp: TestApp;
  let ada: Person;
  beforeAll(async () => {
    testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
    ada = testApp.person('U0ADA');
    await connect(ada);
  }, 60_000);
  afterAll(() => testApp?.stop());

  const openNew = async () => {
    await openNewList(ada);
    return ada.seesForm('places.form');
  };
  const fieldsOf = ({ view }: ShownView) =>
    (view.blocks as { type: string; block_id?: string }[]).flatMap((block) =>
      block.type === 'input' ? (block.block_id ?? '') : [],
    );
  const enteredIn = ({ view }: ShownView, value: string) => JSON.stringify(view.blocks).includes(`"${value}"`);
  const lists = async () => {
    const store = await testApp.openStore();
    const rows = await store.db.selectFrom('place_lists').select(['name', 'settings']).execute();
    await store.close();
    return rows.map(({ name, settings }) => ({ name, ...JSON.parse(settings) }));
  };
  /** The form of a new list whose pickers have offered the service, and a choice of it. */
  const openWithService = async (id: string) => {
    const form = await openNew();
    await ada.optionsIn(form, 'places.in.services', 'relay.pick.service', id);
    const chosen = { type: 'multi_external_select', selected_options: [option(id)] };
    return { form, services: { 'places.in.services': { 'relay.pick.service': chosen } } };
  };

  it('lists are offered to be managed only once there is one', async () => {
    const answers = [await ada.command('/scandesk inside'), await ada.command('/scandesk out')];
    expect(answers.map(({ blocks }) => JSON.stringify(blocks).includes('"places.lists"'))).toEqual([false, false]);
    expect(answers.map(({ blocks }) => JSON.stringify(blocks).includes('"places.new"'))).toEqual([true, true]);
  });

  it('a new list asks for its name, kind, services and devices in and out, day and board, and the rest behind More', async () => {
    const form = await openNew();
    expect(fieldsOf(form)).toEqual([
      ...['places.name', 'places.kind', 'places.in.services', 'places.in.devices'],
      ...['places.out.services', 'places.out.devices', 'places.hour', 'places.board'],
    ]);
    expect(text(form)).toContain(
      'Each is optional, but fill in at least one. A scan that meets all you fill in takes its barcode in.',
    );
    expect(text(form)).not.toContain('More:');
    expect(fieldsOf(await wholeListForm(ada))).toEqual(expect.arrayContaining(['places.capacity', 'places.in.answer']));
    await closeAll(ada);
  });

  it('what was entered in a new list stays through More, and comes back from its preview by Change', async () => {
    const { form, services } = await openWithService('1201');
    const entered = { ...services, 'places.name': { 'places.field': typed('North door') } };
    const press = { block_id: 'places.more', action_id: 'places.more', values: entered };
    const result = await testApp.post('/sandbox/action', {
      as: ada.id,
      container: { type: 'view', view_id: form.id },
      ...press,
    });
    expect(result).toMatchObject({ ok: true });
    const whole = await reads(ada, 'Capacity');
    expect([enteredIn(whole, 'North door'), enteredIn(whole, '1201')]).toEqual([true, true]);
    await ada.submit(whole, {
      ...entered,
      'places.capacity': { 'places.field': { type: 'number_input', value: '40' } },
    });
    await ada.click(await ada.seesForm('places.save'), 'places.back');
    const again = await wholeListForm(ada);
    expect([enteredIn(again, 'North door'), enteredIn(again, '1201'), enteredIn(again, '40')]).toEqual([
      true,
      true,
      true,
    ]);
    await closeAll(ada);
  });

  it('a new list is saved with the defaults of the fields it did not show, and has its board', async () => {
    const { form, services } = await openWithService('1201');
    const submitted = await ada.submit(form, {
      ...services,
      'places.name': { 'places.field': typed('South door') },
      'places.board': { 'places.field': { type: 'conversations_select', selected_conversation: 'C0FRONTGATE' } },
    });
    expect(submitted).toMatchObject({ ok: true });
    await ada.submit(await ada.seesForm('places.save'));
    const saved = await reads(ada, 'Saved. Scans are being counted.');
    expect(text(saved)).toContain('South door');
    expect(JSON.stringify(saved.view.blocks)).toMatch(/"Shown in "[^\]]*"C0FRONTGATE"/);
    expect(text(saved)).toContain('Show in more channels');
    await closeAll(ada);
    expect((await lists()).at(-1)).toMatchObject({
      name: 'South door',
      refused: false,
      hour: 5,
      zone: expect.any(String),
    });
    await eventually(
      async () => (await ada.messages('C0FRONTGATE')).find((message) => JSON.stringify(message).includes('South door')),
      'the board',
    );
  });

  it('a stored list keeps its due times of some services, which no form shows, when it is edited', async () => {
    const store = await testApp.openStore();
    const { id, settings } = await store.db
      .selectFrom('place_lists')
      .select(['id', 'settings'])
      .executeTakeFirstOrThrow();
    const due = { by: 'time', minutes: 60, services: { '1204': 20 } };
    const lent = {
      ...{ ...JSON.parse(settings), hour: undefined, custody: { due, channel: 'C0FRONTGATE', others: 'everyone' } },
      out: [{ kind: 'from', what: 'service', ids: ['1202'] }],
    };
    await store.db
      .updateTable('place_lists')
      .set({ settings: JSON.stringify(lent), kind: 'custody' })
      .where('id', '=', id)
      .execute();
    await store.close();
    await ada.clickMessage(await ada.command('/scandesk inside'), 'places.lists');
    await ada.click(await ada.seesWindow('Lists'), 'places.edit');
    const after = { 'places.due.after': { 'places.field': typed('2 hours') } };
    await ada.submit(await ada.seesForm('places.form'), after);
    await ada.submit(await ada.seesForm('places.save'));
    await reads(ada, 'Saved. Scans are being counted.');
    await closeAll(ada);
    expect((await lists())[0]).toMatchObject({ custody: { due: { ...due, minutes: 120 }, others: 'everyone' } });
  });

  it('the form of a stored list shows what the list holds, and keeps it when the rest stays behind More', async () => {
    const { form, services } = await openWithService('1201');
    await ada.submit(form, { ...services, 'places.name': { 'places.field': typed('West door') } });
    await ada.submit(await ada.seesForm('places.save'));
    await reads(ada, 'Saved. Scans are being counted.');
    const store = await testApp.openStore();
    const row = await store.db.selectFrom('place_lists').selectAll().where('name', '=', 'West door').executeTakeFirst();
    const settings = { ...JSON.parse(row!.settings), capacity: 40, rollCall: ['U0MIA'] };
    await store.db
      .updateTable('place_lists')
      .set({ settings: JSON.stringify(settings) })
      .where('name', '=', 'West door')
      .execute();
    await store.close();
    const button = ((await ada.window())!.view.blocks as { block_id?: string }[]).find(
      ({ block_id: id }) => id === `places.${row!.id}`,
    );
    await ada.click((await ada.window())!, 'places.edit', undefined, button?.block_id);
    const edited = await ada.seesForm('places.form');
    expect(fieldsOf(edited)).toEqual(expect.arrayContaining(['places.capacity', 'places.alerts', 'places.rollCall']));
    expect(fieldsOf(edited)).not.toContain('places.in.answer');
    await ada.submit(edited);
    await ada.submit(await ada.seesForm('places.save'));
    await reads(ada, 'Saved. Scans are being counted.');
    expect((await lists()).find(({ name }) => name === 'West door')).toMatchObject({
      capacity: 40,
      rollCall: ['U0MIA'],
    });
    await closeAll(ada);
  });
});
