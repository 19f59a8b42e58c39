/** A list in a channel: its board, the alerts of its thresholds and of double admissions, through Slack. */
import { DateTime } from 'luxon';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import { rowsInFile } from '../../helpers/spreadsheets.js';
import { read } from '../block-kit/reading.js';
import { connect, onRecord } from '../connected.js';
import { closeAll, makeRelay, number, option, reads, scan, text, typed } from '../relays/relay-stage.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';
import { openNewList, wholeListForm } from './list-form.js';

describe('a list that is shown in a channel', () => {
  let testApp: TestApp;
  let ada: Person;
  let relay: { id: string; url: string };
  const channel = 'C0FRONTGATE';

  beforeAll(async () => {
    testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
    ada = testApp.person('U0ADA');
    await connect(ada);
    relay = await makeRelay(ada, { channel: 'C0GENERAL' });
    await closeAll(ada);
  }, 60_000);
  afterAll(() => testApp?.stop());

  const dayBegan = DateTime.now().setZone('Europe/Berlin').minus({ hours: 6 }).toFormat('HH:00');
  const pass = (tid: string, direction: 'in' | 'out', more: Readonly<Record<string, string>> = {}) =>
    scan(relay.url, { tid, status: '1', text: 'Welcome', sid: '9', direction, ...more });
  const channelOf = (id: string) => ({ type: 'conversations_select', selected_conversation: id });
  /** The answer of the command, known by its button: other messages may come at any time. */
  const answer = (button: string) =>
    ada.firstAnswer('/scandesk inside', undefined, ({ blocks }) => JSON.stringify(blocks).includes(`"${button}"`));
  const manage = async () => {
    await closeAll(ada);
    await ada.clickMessage(await answer('places.lists'), 'places.lists');
    return ada.seesWindow('Lists');
  };
  const textOf = (message: ShownMessage) => `${message.text}\n${read(message.blocks as never)}`;
  const posts = async (words: string, where = channel) =>
    (await ada.messages(where)).filter((message) => textOf(message).includes(words));
  const untilPosted = (words: string, where = channel) =>
    eventually(async () => (await posts(words, where))[0], `a post that says “${words}”`);
  const show = async (where = channel) => {
    await ada.click(await manage(), 'places.boards');
    await ada.submit(await ada.seesForm('places.board'), { 'places.board': { 'places.field': channelOf(where) } });
  };

  it('a list’s form refuses thresholds without capacity or alert channel, and saves a list with both', async () => {
    await openNewList(ada);
    const values = {
      'places.name': { 'places.field': typed('Main hall') },
      'places.in.property': { 'places.field': typed('direction=in') },
      'places.out.property': { 'places.field': typed('direction=out') },
      'places.hour': { 'places.field': { type: 'static_select', selected_option: option(dayBegan) } },
      'places.zone': { 'relay.pick.zone': { type: 'external_select', selected_option: option('Europe/Berlin') } },
      'places.percents': { 'places.field': typed('50, 100 %') },
      'places.doubles': { 'places.field': { type: 'static_select', selected_option: option('5') } },
    };
    const refused = await ada.submit(await wholeListForm(ada), values);
    expect(refused).toMatchObject({
      errors: {
        'places.capacity': 'Enter how many there is room for, or no percents.',
        'places.alerts': 'Choose the channel in which alerts are posted.',
      },
    });
    await ada.submit(await wholeListForm(ada), {
      ...values,
      'places.capacity': { 'places.field': number('4') },
      'places.alerts': { 'places.field': channelOf(channel) },
    });
    await ada.submit(await ada.seesForm('places.save'));
    expect(text(await reads(ada, 'Saved. Scans are being counted.'))).toContain('Main hall · 0 inside · 0% of 4');
  });

  it('a list’s board is one message in its channel, which is updated when another person comes in', async () => {
    await pass('T-1', 'in');
    await show();
    await reads(ada, 'The board is on its way.');
    expect((await onRecord(testApp))[0]).toMatchObject({ what: 'places/board', detail: { list: 'Main hall' } });
    const board = await untilPosted('Main hall · 1 inside · 25% of 4');
    expect(textOf(board)).toMatch(/D-1: 1 in, 0 out since .*, all in the last hour/);
    await pass('T-2', 'in', { udid: 'D-2' });
    const changed = await untilPosted('Main hall · 2 inside · 50% of 4');
    expect(JSON.stringify(changed.blocks)).toContain('"type":"table"');
    expect(changed.ts).toBe(board.ts);
    await show();
    const { view } = await reads(ada, 'That channel shows this list already.');
    expect(view).toMatchObject({ title: { text: 'Show in more channels' } });
    await closeAll(ada);
  });

  it('a list posts an alert when a threshold is crossed, and the alert says when it is over', async () => {
    const alert = await untilPosted('Main hall: 50% of 4 inside');
    await ada.clickMessage(alert, 'post.acknowledge');
    await untilPosted('acknowledged it at');
    await pass('T-1', 'out');
    await pass('T-2', 'out');
    const over = await untilPosted('Main hall: below 50% of 4 again');
    expect(over.ts).toBe(alert.ts);
    expect(await posts('% of 4 inside')).toEqual([]);
  });

  it('a list posts once that a barcode was admitted at two devices, and names both gates', async () => {
    await pass('T-9', 'in', { userid: '7' });
    await pass('T-9', 'in', { udid: 'D-2' });
    const double = textOf(await untilPosted('T-9 came in twice'));
    expect(double).toContain('– D-1');
    expect(double).toContain('– D-2');
    await pass('T-9', 'in', { udid: 'D-2' });
    await untilPosted('Main hall · 1 inside');
    expect(await posts('came in twice')).toHaveLength(1);
  });

  it('a list corrects the post of a double admission when an out scan in between is uploaded late', async () => {
    const secondsAgo = (seconds: number) => ({
      scanned_at_utc: new Date(Date.now() - seconds * 1_000).toISOString().slice(0, 19).replace('T', ' '),
    });
    await pass('T-8', 'in', secondsAgo(200));
    await pass('T-8', 'in', { udid: 'D-2', ...secondsAgo(100) });
    const told = await untilPosted('T-8 came in twice');
    await pass('T-8', 'out', { udid: 'D-3', ...secondsAgo(160) });
    const corrected = await untilPosted('T-8 did not come in twice');
    expect(corrected.ts).toBe(told.ts);
    expect(textOf(corrected)).toMatch(
      /Not a double: an upload that came late has an out between them:\s*– D-3, .* \(uploaded 3 minutes later\)/,
    );
    expect(await posts('T-8 came in twice')).toEqual([]);
    await pass('T-8', 'out', secondsAgo(0));
  });

  it('the maker of a list’s board gets a direct message when the board’s channel is archived', async () => {
    const { channel: side } = (await testApp.post('/sandbox/channels', { as: 'U0ADA', name: 'side-door' })) as {
      channel: { id: string };
    };
    await show(side.id);
    await untilPosted('Main hall · 1 inside', side.id);
    await testApp.post('/sandbox/archive', { as: 'U0ADA', channel: side.id });
    await pass('T-10', 'in');
    await eventually(async () => {
      const told = (await ada.directMessages()).map(textOf);
      return told.find(
        (each) => each.includes('The board of Main hall is no longer updated.') && each.includes('archived'),
      );
    }, 'a direct message about the board');
    await ada.click(await manage(), 'places.boards');
    expect(text(await ada.seesForm('places.board'))).toContain('no longer updated since');
    await closeAll(ada);
  });

  it('a list is exported by the minute, and the last row says how many are inside', async () => {
    await untilPosted('Main hall · 2 inside');
    await ada.clickMessage(await answer('export.inside'), 'export.inside');
    const form = await ada.seesForm('export.form');
    expect(text(form)).toContain('Who was inside, by the minute: Main hall');
    await ada.submit(form, {});
    const sent = await eventually(
      async () => (await ada.directMessages()).find(({ files }) => files !== undefined),
      'the file',
    );
    const response = await fetch(`${testApp.slackUrl}/sandbox/file/${sent.files?.[0]?.id}?as=U0ADA`);
    const [heads = [], ...minutes] = await rowsInFile(new Uint8Array(await response.arrayBuffer()));
    expect(heads.slice(2)).toEqual(['In', 'Out', 'Inside at its end', 'Most inside']);
    expect(minutes.at(-1)?.[4]).toBe('2');
    expect(minutes.reduce((sum, [, , ins]) => sum + Number(ins), 0)).toBe(8);
    expect((await onRecord(testApp))[0]).toMatchObject({ what: 'places/export', detail: { list: 'Main hall' } });
  });

  it('while a list counts scans, the command, App Home, the lists, the roll call and files say so', async () => {
    const store = await testApp.openStore();
    // As if another process was counting: no other may take the list.
    const counting = { fill_to: 0, claimed_by: 'another', claimed_until: Date.now() + 600_000 };
    await store.db.updateTable('place_lists').set(counting).execute();
    const head = 'Main hall · 2 inside · 50% of 4 · still counting earlier scans';
    const shown = await answer('export.inside');
    expect(textOf(shown)).toContain(head);
    expect(shown.text).toContain('Main hall · 2 inside · still counting earlier scans');
    expect(text(await manage())).toContain(head);
    await closeAll(ada);
    await ada.openHome();
    await eventually(async () => {
      const home = await ada.home();
      return home && text(home).includes('Main hall · 2 inside · still counting earlier scans');
    }, 'App Home');
    await ada.clickMessage(shown, 'places.roll');
    const roll = await ada.seesForm('places.roll');
    expect(text(roll)).toContain('Main hall · 2 inside · still counting earlier scans');
    await ada.click(roll, 'export.roll_call');
    await ada.submit(await ada.seesForm('export.form'));
    await reads(ada, 'Export started.');
    await closeAll(ada);
    await eventually(
      async () =>
        (await ada.directMessages()).some((one) => textOf(one).includes('The list was still counting earlier scans')),
      'a file that says so',
    );
    await store.db.updateTable('place_lists').set({ fill_to: null, claimed_by: null, claimed_until: null }).execute();
    await store.close();
    expect(textOf(await answer('export.inside'))).not.toContain('still counting');
  });

  it('a list’s board is updated once the account that names its gates is disconnected, or connected', async () => {
    const board = async () => JSON.stringify((await posts('Main hall · 2 inside')).map(({ blocks }) => blocks));
    const untilGates = (is: string, isNot: string) =>
      eventually(async () => {
        const shown = await board();
        return shown.includes(is) && !shown.includes(isNot) ? true : undefined;
      }, `a board with ${is}`);
    const nameless = 'All devices (no account is connected)';
    expect(await board()).toContain('"D-1"');
    await closeAll(ada);
    await ada.say('/scandesk disconnect');
    await ada.submit(await ada.seesForm('disconnect'));
    await untilGates(nameless, '"D-1"');
    await closeAll(ada);
    await connect(ada);
    await untilGates('"D-1"', nameless);
  });

  it('a list’s message in a channel is deleted when its board is removed', async () => {
    await ada.click(await manage(), 'places.boards');
    await ada.click(await ada.seesForm('places.board'), 'places.board_remove');
    await reads(ada, 'Removed. Its message is deleted.');
    const [entry] = await onRecord(testApp);
    expect(entry).toMatchObject({
      what: 'places/board_remove',
      detail: { list: 'Main hall', channel: expect.stringMatching(/^C/) },
    });
    await eventually(
      async () => ((await posts('This message updates itself')).length === 0 ? true : undefined),
      'gone',
    );
  });

  it('the button of a list that was deleted meanwhile says so, and leaves no entry in the audit log', async () => {
    await show();
    await reads(ada, 'The board is on its way.');
    const store = await testApp.openStore();
    await store.db.deleteFrom('place_lists').execute();
    await store.close();
    const before = await onRecord(testApp);
    await ada.click(await ada.seesForm('places.board'), 'places.board_remove');
    await reads(ada, 'Somebody deleted this list meanwhile.');
    expect(await onRecord(testApp)).toHaveLength(before.length);
  });
});
