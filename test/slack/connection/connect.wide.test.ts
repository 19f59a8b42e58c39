import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { linkMember, membersOf } from '../../../src/workspaces/members.js';
import { read } from '../block-kit/reading.js';
import { accountKey, eventually, otherAccountKey, type Person, startTestApp, type TestApp } from '../test-app.js';

const key = (value: string) => ({ key: { 'connect.key': { type: 'plain_text_input', value } } });

async function connect(person: Person, apiKey = accountKey): Promise<ShownView> {
  await person.say('/scandesk connect');
  await person.submit(await person.seesWindow('Connect account'), key(apiKey));
  return person.seesForm('connect.databases');
}

const rows = (view: ShownView) =>
  (view.view.blocks as { block_id: string; text?: { text: string } }[])
    .filter((block) => block.block_id.startsWith('database.row.'))
    .map((block) => block.text!.text.replace(/ {2}·.*$/, ''));

describe('connecting an account', () => {
  let testApp: TestApp;
  let ada: Person;
  const lines: string[] = [];
  beforeAll(async () => {
    testApp = await startTestApp({ lines });
    ada = testApp.person('U0ADA');
  });
  afterAll(() => testApp.stop());

  afterEach(async () => {
    for (let view = await ada.window(); view; view = await ada.window()) {
      await ada.close(view);
    }
    await ada.say('/scandesk disconnect');
    const asked = await eventually(async () => {
      const view = await ada.window();
      return view && view.callback_id !== 'loading' ? view : undefined;
    }, 'the question');
    if (asked.callback_id === 'disconnect') {
      await ada.submit(asked);
      await ada.seesForm('connect');
    }
    await ada.close(asked);
  });

  test.each([
    ['reset', 'can’t be reached'],
    ['html', 'can’t be read'],
    ['truncated', 'can’t be read'],
    ['500', 'is having trouble right now'],
  ] as const)('an account whose answer fails (%s) is reported, and the key can be sent again', async (as, words) => {
    await ada.say('/scandesk connect');
    const form = await ada.seesWindow('Connect account');
    await testApp.accountFaults({ next: [{ operation: 'limits/retrieve', times: 10, as }] });
    await ada.submit(form, key(accountKey));
    const again = await eventually(async () => {
      const view = await ada.window();
      return view && read(view.view.blocks).includes('The key was not saved') ? view : undefined;
    }, 'the form drawn again');
    expect(read(again.view.blocks)).toContain(words);
    const reference = /Reference (\w{8})/.exec(read(again.view.blocks))?.[1];
    expect(lines.some((line) => line.includes(reference ?? 'no reference'))).toBe(true);
    await testApp.accountFaults({ next: [] });
    await ada.submit(again, key(accountKey));
    await ada.seesForm('connect.databases');
  });

  test('the databases’ order is chosen by moving them, and stored only when the form is saved', async () => {
    let form = await connect(ada);
    const move = async (value: string) => {
      const id = value.split(':')[1];
      await ada.click(form, 'connect.database.move', { selected_option: { value } }, `database.row.${id}`);
      const before = form.hash;
      form = await eventually(async () => {
        const view = await ada.window();
        return view?.hash !== before ? view : undefined;
      }, 'the list drawn again');
    };
    await move('first:1023');
    expect(rows(form)).toEqual(['1.  Tool crib', '2.  Harbour Lights Festival tickets', '3.  Stock room']);
    await move('later:1023');
    expect(rows(form)).toEqual(['1.  Harbour Lights Festival tickets', '2.  Tool crib', '3.  Stock room']);
    await move('earlier:1022');
    expect(rows(form)).toEqual(['1.  Harbour Lights Festival tickets', '2.  Stock room', '3.  Tool crib']);
    await move('leave:1021');
    expect(rows(form)).toEqual(['1.  Stock room', '2.  Tool crib']);
    expect(read(form.view.blocks)).toContain('Not searched: Harbour Lights Festival tickets');
    expect(read((await ada.command('/scandesk status')).blocks)).toContain('all 3 databases');

    const offered = await ada.options(form, 'connect.database.add', 'FEST');
    expect(offered.options).toEqual([expect.objectContaining({ value: '1021' })]);
    expect((await ada.options(form, 'connect.database.add', 'nothing like it')).options).toEqual([]);
    await move('first:1023');
    await ada.submit(form);
    await ada.seesForm('connection');
    expect(read((await ada.command('/scandesk status')).blocks)).toContain(
      'Lookups search: Tool crib, Stock room (1 not searched)',
    );
  });

  test('a database that was removed from the choice can be added again at the end', async () => {
    let form = await connect(ada);
    await ada.click(form, 'connect.database.move', { selected_option: { value: 'leave:1021' } }, 'database.row.1021');
    form = await eventually(async () => {
      const view = (await ada.window())!;
      return rows(view).length === 2 ? view : undefined;
    }, 'two rows');
    await ada.options(form, 'connect.database.add', '');
    await ada.click(form, 'connect.database.add', {
      selected_option: { text: { type: 'plain_text', text: 'Harbour Lights Festival tickets' }, value: '1021' },
    });
    form = await eventually(async () => {
      const view = (await ada.window())!;
      return rows(view).length === 3 ? view : undefined;
    }, 'three rows');
    expect(rows(form)).toEqual(['1.  Stock room', '2.  Tool crib', '3.  Harbour Lights Festival tickets']);
    await ada.click(form, 'connect.database.all');
    await eventually(async () => rows((await ada.window())!)[0]?.includes('Harbour'), 'every database again');
  });

  test('links to members outlive another account’s failed list of users, and end with the next list', async () => {
    const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
    await ada.close(await connect(ada));
    const store = await testApp.openStore();
    try {
      const linked = async () => [...(await membersOf({ store }, owner)).values()];
      await linkMember({ store }, owner, '701', { id: 'U0ADA', name: 'Ada' });
      await testApp.accountFaults({ next: [{ operation: 'users/retrieve', times: 1, as: 'html' }] });
      await ada.say('/scandesk connect');
      await ada.click(await ada.seesWindow('Connection'), 'connect.replace');
      await ada.submit(await ada.seesWindow('Replace API key'), key(otherAccountKey));
      await ada.close(await ada.seesForm('connection'));
      expect(await linked()).toEqual([{ id: 'U0ADA', name: 'Ada', unchecked: true }]);
      await ada.say('/scandesk users');
      await ada.close(await ada.seesForm('list'));
      expect(await linked()).toEqual([]);
    } finally {
      await store.close();
    }
  });
});
