/** `/scandesk reports`: the list, the form, a report in its channel, and what is said where one cannot be posted. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReportState } from '../../../src/reports/report.js';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import { changeJobs, jobsOf } from '../../helpers/jobs.js';
import { read } from '../block-kit/reading.js';
import { connect, onRecord } from '../connected.js';
import { closeAll, makeRelay, option, reads, scan, text } from '../relays/relay-stage.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

describe('daily reports in Slack', () => {
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
    for (const [tid, status] of [
      ['A-1', '1'],
      ['A-2', '1'],
      ['A-3', '0'],
    ] as const) {
      await scan(relay.url, { tid, status, sid: '9', text: status === '0' ? 'Wrong day' : 'Welcome' });
    }
    await closeAll(ada);
  }, 60_000);
  afterAll(() => testApp?.stop());
  beforeEach(async () => {
    await closeAll(ada);
    const store = await testApp.openStore();
    await store.db.deleteFrom('jobs').where('kind', '=', 'report').execute();
    await store.close();
  });

  const formValues = (channel = 'C0FRONTGATE', time = '22:00', day = 'today') => ({
    'report.subject': { 'reports.field': { type: 'static_select', selected_option: option(`relay:${relay.id}`) } },
    'report.channel': { 'reports.field': { type: 'conversations_select', selected_conversation: channel } },
    'report.time': { 'reports.redraw': { type: 'timepicker', selected_time: time } },
    'report.zone': { 'relay.pick.zone': { type: 'external_select', selected_option: option('Europe/Berlin') } },
    'report.day': { 'reports.field': { type: 'radio_buttons', selected_option: option(day) } },
  });
  const openForm = async () => {
    await ada.say('/scandesk reports');
    await ada.click(await ada.seesWindow('Daily reports'), 'reports.new');
    return await ada.seesWindow('New report');
  };
  const make = async (...values: Parameters<typeof formValues>) => {
    await ada.submit(await openForm(), formValues(...values));
    return await reads(ada, 'Saved. Next report:');
  };
  /** Makes the report due now. */
  const makeDue = async () => {
    const store = await testApp.openStore();
    const now = Date.now();
    await changeJobs(store, 'report', { dueAt: now }, now);
    await store.close();
  };
  const reportIn = (channel: string) =>
    eventually(
      async () => (await ada.messages(channel)).find((message) => JSON.stringify(message).includes('reports.scans')),
      'a report',
      20_000,
    );
  const words = (message: ShownMessage) => read(message.blocks as never);

  it('daily reports are created in a form, listed with their next time, and recorded in the audit log', async () => {
    const list = await make();
    expect(text(list)).toContain('Any service → ');
    expect(JSON.stringify(list.view.blocks)).toContain('"channel_id":"C0FRONTGATE"');
    expect(text(list)).toContain('Daily at 22:00 (Europe/Berlin), about the day so far');
    const [entry] = await onRecord(testApp);
    expect(entry).toMatchObject({
      ...{ what: 'report/create', who: 'U0ADA', outcome: 'ok' },
      detail: { channel: 'C0FRONTGATE', hour: 22, subject: { relay: relay.id } },
    });
  });

  it('daily reports are posted once at their time, with a button to their scans for everybody', async () => {
    await make();
    await makeDue();
    const posted = await reportIn('C0FRONTGATE');
    expect(words(posted)).toMatch(/3 scans until \d\d:\d\d/);
    expect(JSON.stringify(posted.blocks)).toContain('Wrong day');
    await mia.clickMessage(posted, 'reports.scans');
    const scans = await reads(mia, 'relay “Any service”');
    expect(text(scans)).toContain('3 scans: 2 valid, 1 not valid');
    expect((await ada.messages('C0FRONTGATE')).filter((each) => words(each).includes('3 scans until'))).toHaveLength(1);
    await closeAll(mia);
  });

  it('daily reports in Slack are in words where Slack accepts no table or chart', async () => {
    await make('C0GENERAL');
    await testApp.rules({
      faults: [{ method: 'chat.postMessage', times: 1, as: 'refused', error: 'invalid_blocks' }],
    });
    await makeDue();
    const posted = await reportIn('C0GENERAL');
    expect(JSON.stringify(posted.blocks)).not.toContain('"table"');
    expect(words(posted)).toContain('Valid: 2');
  });

  it('Send me one now shows a preview of a daily report, and posts nothing in the report’s channel', async () => {
    const list = await make('C0STOCKROOM');
    await ada.click(list, 'reports.try');
    await reads(ada, 'Sent to you alone, in the channel behind this window.');
    const sent = await eventually(
      async () => (await ada.messages()).find((message) => words(message).includes('Preview.')),
      'a preview',
    );
    expect(words(sent)).toMatch(/3 scans until/);
    expect((await ada.messages('C0STOCKROOM')).filter((each) => words(each).includes('scans until'))).toEqual([]);
  });

  it('daily reports in Slack are paused, resumed, changed and deleted from the list', async () => {
    await ada.click(await make(), 'reports.pause');
    await ada.click(await reads(ada, 'Paused. Nothing is posted'), 'reports.resume');
    await ada.click(await reads(ada, 'Resumed.'), 'reports.edit');
    const form = await ada.seesWindow('Edit report');
    expect(JSON.stringify(form.view.blocks)).toContain('"initial_time":"22:00"');
    await ada.submit(form, formValues('C0FRONTGATE', '07:30', 'yesterday'));
    const changed = await reads(ada, 'Daily at 07:30 (Europe/Berlin), about the day before');
    await ada.click(changed, 'reports.delete');
    expect(text(await reads(ada, 'Report deleted.'))).toContain('See once a day how it went.');
    const record = (await onRecord(testApp)).slice(0, 5).map(({ what }) => what);
    expect(record).toEqual(['report/delete', 'report/change', 'report/resume', 'report/pause', 'report/create']);
  });

  it.each([
    ['Pause', 'reports.pause'],
    ['Resume', 'reports.resume'],
    ['Edit', 'reports.edit'],
    ['Send me one now', 'reports.try'],
  ])('a click on %s of a deleted daily report says who deleted the report, and the remedy', async (label, button) => {
    let list = await make();
    if (label === 'Resume') {
      await ada.click(list, 'reports.pause');
      list = await reads(ada, 'Paused. Nothing is posted');
    }
    const store = await testApp.openStore();
    const [report] = await jobsOf(store, 'report');
    const { key: id, installation, team } = report!;
    await store.db.deleteFrom('jobs').where('key', '=', id).execute();
    await store.audit.add(
      { installation, team },
      { at: Date.now(), who: 'U0MIA', where: '', what: 'report/delete', detail: { report: id }, outcome: 'ok' },
    );
    await store.close();
    await ada.click(list, button);
    const told = await reads(ada, 'This report was deleted.');
    expect(text(told)).toContain('deleted it. See the others, or make a new one, with /scandesk reports.');
    expect(JSON.stringify(told.view.blocks)).toContain('"user_id":"U0MIA"');
  });

  it('a daily report’s form chooses the day before when the time is moved to the morning', async () => {
    const form = await openForm();
    const day = (view = form) =>
      /"initial_option":\{"value":"(today|yesterday)"/.exec(JSON.stringify(view.view.blocks))?.[1];
    expect(day()).toBe('today');
    await ada.click(form, 'reports.redraw', { type: 'timepicker', selected_time: '07:30' }, 'report.time');
    await eventually(async () => day((await ada.window())!) === 'yesterday', 'the other day');
  });

  it('daily reports need an invitation to a private channel, and a confirmation where outsiders read', async () => {
    await ada.submit(await openForm(), formValues('C0MANAGERS'));
    expect(text(await reads(ada, 'isn’t in that private channel'))).toContain('/invite @Scandesk');
    await ada.submit(await ada.seesWindow('New report'), formValues('C0PARTNER'));
    const question = await reads(ada, 'This channel is shared with another organization');
    const agreed = { type: 'checkboxes', selected_options: [option('yes')] };
    await ada.submit(question, { ...formValues('C0PARTNER'), 'report.shared.C0PARTNER': { 'reports.field': agreed } });
    expect(JSON.stringify((await reads(ada, 'Saved.')).view.blocks)).toContain('"channel_id":"C0PARTNER"');
  });

  it('the form of a new daily report opens from a relay’s window with that relay and its channel', async () => {
    await ada.say('/scandesk relay');
    await ada.click(await ada.seesWindow('Relays'), 'relay.manage');
    await ada.click(await ada.seesWindow('Relay'), 'relay.view.more');
    await ada.click(await reads(ada, 'Created by'), 'reports.new');
    const form = await ada.seesWindow('New report');
    expect(JSON.stringify(form.view.blocks)).toContain(`"value":"relay:${relay.id}"`);
    expect(JSON.stringify(form.view.blocks)).toContain('"initial_conversation":"C0FRONTGATE"');
  });

  it('daily reports are refused to a member without access', async () => {
    const answer = await mia.command('/scandesk reports').catch(() => undefined);
    const shown = answer ? words(answer) : text((await mia.window())!);
    expect(shown).toMatch(/access|admin/i);
    await closeAll(mia);
  });

  it('daily reports say in the channel and in their list that their relay no longer exists', async () => {
    const gone = await makeRelay(ada, { channel: 'C0STOCKROOM' });
    await closeAll(ada);
    await ada.submit(await openForm(), {
      ...formValues('C0STOCKROOM'),
      'report.subject': { 'reports.field': { type: 'static_select', selected_option: option(`relay:${gone.id}`) } },
    });
    await reads(ada, 'Saved.');
    await closeAll(ada);
    const store = await testApp.openStore();
    await store.db.updateTable('relays').set({ removed_at: Date.now() }).where('id', '=', gone.id).execute();
    await makeDue();
    await eventually(
      async () =>
        (await ada.messages('C0STOCKROOM')).find((message) => words(message).includes('its relay was deleted')),
      'a word about it',
      20_000,
    );
    const reports = () => jobsOf<ReportState>(store, 'report');
    await eventually(async () => (await reports()).some(({ state }) => state.paused), 'the pause', 20_000);
    await store.close();
    await ada.say('/scandesk reports');
    expect(text(await ada.seesWindow('Daily reports'))).toContain('Paused: its relay was deleted. Choose another one');
  });
});
