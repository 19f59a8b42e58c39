/** `/scandesk reports`: the list, the form, a report in its channel, and what is said where one cannot be posted. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import { read } from '../block-kit/reading.js';
import { connect } from '../connected.js';
import { closeAll, makeRelay, option, reads, scan, text } from '../relays/relay-stage.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

describe('daily reports in Slack', () => {
  let testApp: TestApp;
  let ada: Person;
  let relay: { id: string; url: string };

  beforeAll(async () => {
    testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
    ada = testApp.person('U0ADA');
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
    await store.db.deleteFrom('reports').execute();
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
    await store.db.updateTable('reports').set({ due_at: now, next_at: now }).execute();
    await store.close();
  };
  const reportIn = (channel: string) =>
    eventually(
      async () => (await ada.messages(channel)).find((message) => JSON.stringify(message).includes('reports.scans')),
      'a report',
      20_000,
    );
  const words = (message: ShownMessage) => read(message.blocks as never);

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
    const report = await store.db.deleteFrom('reports').returningAll().executeTakeFirstOrThrow();
    const { id, installation, team } = report;
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
});
