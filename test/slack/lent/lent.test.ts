/** Lent things: the list's form, who sees what, one reminder of each overdue thing, and the reminder's buttons. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import { linkMember } from '../../../src/workspaces/members.js';
import { elementsOf } from '../../upgrade/crawl.js';
import { read } from '../block-kit/reading.js';
import { connect, onRecord } from '../connected.js';
import { wholeListForm } from '../places/list-form.js';
import { choose, closeAll, makeRelay, option, reads, scan, select, typed } from '../relays/relay-stage.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
const minutesAgo = (minutes: number) =>
  new Date(Date.now() - minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ');

describe('lent things', () => {
  let testApp: TestApp;
  let ada: Person;
  let mia: Person;
  let relay: { id: string; url: string };

  beforeAll(async () => {
    testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
    ada = testApp.person('U0ADA');
    mia = testApp.person('U0MIA');
    await connect(ada);
    relay = await makeRelay(ada, { channel: 'C0FRONTGATE', notable: 'invalid' });
    await closeAll(ada);
    const store = await testApp.openStore();
    await linkMember({ store }, owner, '701', { id: 'U0MIA', name: 'Mia Marsh' });
    await store.close();
  }, 60_000);
  afterAll(() => testApp?.stop());

  const pass = (tid: string, direction: 'in' | 'out', minutes: number, { userid = '701', text = '' } = {}) =>
    scan(relay.url, { tid, status: '1', text, sid: '9', userid, direction, scanned_at_utc: minutesAgo(minutes) });
  const out = async (person: Person, text = '') =>
    read((await person.command(`/scandesk out ${text}`.trim())).blocks as never);
  const says = (person: Person, text: string, words: string) =>
    eventually(async () => {
      const answer = await out(person, text);
      return answer.includes(words) ? answer : undefined;
    }, `an answer that says “${words}”`);
  const card = async (person: Person, value: string) =>
    read((await person.command(`/barcode ${value}`)).blocks as never);
  /** What a person sees of ephemeral answers. */
  const answers = async (person: Person) =>
    (await person.messages()).map(({ blocks }) => read((blocks ?? []) as never)).join('\n');
  /** The message about a thing in a person's conversation with Scandesk, or in a channel. */
  const told = (person: Person, value: string, words: string, channel?: string): Promise<ShownMessage> =>
    eventually(async () => {
      const messages = await (channel === undefined ? person.directMessages() : person.messages(channel));
      return messages.find(({ blocks }) => {
        const text = read((blocks ?? []) as never);
        return text.includes(value) && text.includes(words);
      });
    }, `a message about ${value} that says “${words}”`);

  it('/scandesk out without a list says that no list keeps who has what', async () => {
    expect(await out(mia)).toContain('No list keeps who has what yet.');
  });

  it('a list of the kind “Who has it” is saved after a preview', async () => {
    await ada.clickMessage(await ada.command('/scandesk out'), 'places.new');
    expect(read((await wholeListForm(ada)).view.blocks)).toContain(
      'Each is optional, but fill in at least one. A scan that meets all you fill in lends',
    );
    const form = await choose(ada, 'places.due.by', select('time'), 'places.redraw');
    await ada.submit(form, {
      'places.name': { 'places.field': typed('Tools') },
      'places.in.property': { 'places.field': typed('direction=in') },
      'places.out.property': { 'places.field': typed('direction=out') },
      'places.due.after': { 'places.field': typed('30 minutes') },
      'places.channel': { 'places.field': { type: 'conversations_select', selected_conversation: 'C0FRONTGATE' } },
      'places.zone': { 'relay.pick.zone': { type: 'external_select', selected_option: option('Europe/Berlin') } },
    });
    await ada.submit(await ada.seesForm('places.save'));
    await reads(ada, 'Saved. Scans are being counted.');
    await closeAll(ada);
    expect((await onRecord(testApp))[0]).toMatchObject({ what: 'places/create', detail: { list: 'Tools' } });
  });

  it('quiet hours of a whole day are refused in a list of lent things, with the reason', async () => {
    await ada.clickMessage(await ada.command('/scandesk inside'), 'places.lists');
    await ada.click(await ada.seesWindow('Lists'), 'places.edit');
    const at = (time: string) => ({ 'places.field': { type: 'timepicker', selected_time: time } });
    const refused = await ada.submit(await wholeListForm(ada), {
      ...{ 'places.quiet.from': at('08:00'), 'places.quiet.to': at('08:00') },
    });
    expect(refused).toMatchObject({
      errors: { 'places.quiet.to': 'Choose a time at which the quiet hours end: nobody would ever be reminded.' },
    });
    await closeAll(ada);
  });

  it('/scandesk out lists all lent things to people with access, and to a member their own and how many are out', async () => {
    await pass('DRILL-1', 'out', 5, { text: 'Bosch drill, shelf 3' });
    await pass('SAW-2', 'out', 5, { userid: '702' });
    const answer = await says(ada, '', '2 things out');
    expect(answer).toContain('Mia Marsh');
    expect(answer).toMatch(/DRILL-1 Bosch drill, shelf 3 · since .*, due /);
    expect(answer.split('Tools')).toHaveLength(2);
    expect(await says(mia, '', 'You have 1 thing · 2 out')).not.toContain('SAW-2');
    expect(await out(ada, 'saw')).toContain('1 thing out with “saw”');
    expect(await out(ada, 'bosch')).toContain('DRILL-1');
    const store = await testApp.openStore();
    const counting = { fill_to: 0, claimed_by: 'another', claimed_until: Date.now() + 600_000 };
    await store.db.updateTable('place_lists').set(counting).execute();
    expect(await out(ada)).toContain('2 things out · still counting earlier scans');
    await store.db.updateTable('place_lists').set({ fill_to: null, claimed_by: null, claimed_until: null }).execute();
    await store.close();
    expect(await card(mia, 'DRILL-1')).toMatch(/Tools: with .*Mia Marsh.* since .*, due /);
    expect(await card(mia, 'SAW-2')).toMatch(/Tools: out since /);
    await mia.openHome();
    await eventually(async () => {
      const home = await mia.home();
      return home && read(home.view.blocks).includes('Lent to you');
    }, 'App Home with what is lent');
  });

  it('“It is back” on a reminder marks a lent thing as returned in the message, card and audit log', async () => {
    await pass('LAMP-3', 'out', 40);
    const reminder = await told(mia, 'LAMP-3', 'is due back');
    await mia.clickMessage(reminder, 'loan.back');
    await told(mia, 'LAMP-3', 'Was with you since');
    await told(mia, 'LAMP-3', 'Marked as returned by');
    expect(await card(ada, 'LAMP-3')).toMatch(/Tools: marked as returned by /);
    expect((await onRecord(testApp))[0]).toMatchObject({
      ...{ what: 'places/returned', who: 'U0MIA' },
      detail: { list: 'Tools', value: 'LAMP-3' },
    });
    expect(await out(mia)).not.toContain('LAMP-3');
  });

  it('a reminder’s button to extend the loan marks it as extended in the message and on the thing’s card', async () => {
    await pass('ROPE-4', 'out', 35);
    const reminder = await told(mia, 'ROPE-4', 'is due back');
    await mia.clickMessage(reminder, 'loan.extend');
    await mia.submit(await mia.seesForm('loan.extend'));
    await reads(mia, 'Extended');
    await closeAll(mia);
    expect(read((await told(mia, 'ROPE-4', 'Extended by')).blocks as never)).toMatch(
      /ROPE-4 was due back .*With you since .*, was due /s,
    );
    expect(await card(ada, 'ROPE-4')).toMatch(/due .* · extended by /);
  });

  it('a reminder in a direct message or a channel says that the thing is back once a scan returns it', async () => {
    await pass('ROPE-4', 'in', 0);
    expect(read((await told(mia, 'ROPE-4', 'Back since')).blocks as never)).not.toMatch(/Extended by|With you/);
    await pass('HOSE-8', 'out', 35, { userid: '702' });
    const reminder = await told(ada, 'HOSE-8', 'is due back', 'C0FRONTGATE');
    await ada.clickMessage(reminder, 'loan.extend');
    await ada.submit(await ada.seesForm('loan.extend'));
    await closeAll(ada);
    await told(ada, 'HOSE-8', 'Extended by', 'C0FRONTGATE');
    await pass('HOSE-8', 'in', 0, { userid: '702' });
    const back = await told(ada, 'HOSE-8', 'Back since', 'C0FRONTGATE');
    expect(read(back.blocks as never)).not.toContain('Extended by');
    expect(JSON.stringify(back.blocks)).not.toContain('loan.');
  });

  it('a reminder offers “It is back” and “Extend…”, and goes to the channel if its holder is unknown in Slack', async () => {
    await pass('VEST-5', 'out', 45);
    const reminder = await told(mia, 'VEST-5', 'is due back');
    expect(elementsOf(reminder.blocks ?? []).map(({ action }) => action)).toEqual(['loan.back', 'loan.extend']);
    await pass('CONE-6', 'out', 45, { userid: '702' });
    await told(ada, 'CONE-6', 'is due back', 'C0FRONTGATE');
    await pass('CONE-6', 'in', 1, { userid: '702' });
    await told(ada, 'CONE-6', 'Back since', 'C0FRONTGATE');
  });

  it('“Remind now” below /scandesk out reminds the holder of an overdue thing at once, and only once within an hour', async () => {
    await pass('DRILL-9', 'out', 60);
    await told(mia, 'DRILL-9', 'is due back');
    const command = await ada.command('/scandesk out drill-9');
    const press = async () => {
      await ada.clickMessage(command, 'places.out.remind');
    };
    await press();
    await eventually(
      async () => (await answers(ada)).includes('1 thing had a reminder within the last hour'),
      'a refusal',
    );
    await testApp.openStore().then(async (store) => {
      const early = { opened_at: Date.now() - 2 * 3_600_000 };
      await store.db.updateTable('incidents').set(early).where('subject_id', '=', '=DRILL-9').execute();
      await store.close();
    });
    await press();
    await eventually(async () => (await answers(ada)).includes('Tools: 1 reminder on the way'), 'an answer');
    await eventually(async () => {
      const messages = (await mia.directMessages()).filter(({ blocks }) =>
        read((blocks ?? []) as never).includes('DRILL-9'),
      );
      return messages.length === 2;
    }, 'a second reminder');
    const older = await told(mia, 'DRILL-9', 'Reminded again');
    expect(elementsOf(older.blocks ?? [])).toEqual([]);
    expect((await onRecord(testApp))[0]).toMatchObject({
      what: 'places/reminded',
      detail: { list: 'Tools', count: 1 },
    });
  });

  it('“Tell me when it is back” on a card sends a direct message once the thing is scanned in, and only one', async () => {
    await pass('MOP-10', 'out', 3, { text: 'Mop' });
    await says(ada, 'mop', 'MOP-10');
    await ada.clickMessage(await ada.command('/barcode MOP-10'), 'loan.tell');
    await eventually(
      async () => (await answers(ada)).includes('You get a direct message once MOP-10 is back'),
      'an answer',
    );
    await ada.openHome();
    await eventually(async () => {
      const home = await ada.home();
      return home && read(home.view.blocks).includes('MOP-10 · once it is back');
    }, 'the watch in App Home');
    await pass('MOP-10', 'in', 1);
    await eventually(async () => {
      const messages = await ada.directMessages();
      return messages.some(({ blocks }) => read((blocks ?? []) as never).includes('MOP-10 is back · Tools'));
    }, 'a message that the mop is back');
    await pass('MOP-10', 'out', 0);
    await pass('MOP-10', 'in', 0);
    const store = await testApp.openStore();
    expect(await store.db.selectFrom('watches').selectAll().execute()).toEqual([]);
    await store.close();
  });

  it('an overdue thing counts as returned once a return scan from before the due time is uploaded', async () => {
    await pass('TENT-7', 'out', 90);
    await told(mia, 'TENT-7', 'is due back');
    await pass('TENT-7', 'in', 70);
    await told(mia, 'TENT-7', 'Back since');
    expect(await card(ada, 'TENT-7')).toMatch(/Tools: back since /);
  });

  it('who waits for a thing gets no message once the app is uninstalled', async () => {
    await pass('CRATE-11', 'out', 3);
    await says(ada, 'crate', 'CRATE-11');
    await ada.clickMessage(await ada.command('/barcode CRATE-11'), 'loan.tell');
    await eventually(async () => (await answers(ada)).includes('once CRATE-11 is back'), 'an answer');
    await testApp.post('/sandbox/uninstall', { as: 'U0ADA' });
    const store = await testApp.openStore();
    await eventually(
      async () => (await store.db.selectFrom('place_lists').selectAll().execute()).length === 0,
      'no list',
    );
    expect(await store.db.selectFrom('watches').selectAll().execute()).toEqual([]);
    await pass('CRATE-11', 'in', 0);
    const notices = await store.db.selectFrom('outbox').select('detail').where('kind', '=', 'notice').execute();
    expect(notices.filter(({ detail }) => detail?.includes('CRATE-11'))).toEqual([]);
    await store.close();
  });
});
