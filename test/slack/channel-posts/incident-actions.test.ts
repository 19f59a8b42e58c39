import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { createRelays, relaySettingsSchema } from '../../../src/relay/index.js';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import type { Store } from '../../../src/workspaces/types.js';
import { postScan, scanForm } from '../../helpers/relay.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { read } from '../block-kit/reading.js';
import { accountKey, eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
const channel = 'C0FRONTGATE';
const key = { key: { 'connect.key': { type: 'plain_text_input', value: accountKey } } };
const all = (message: ShownMessage) => JSON.stringify(message.blocks);
const text = (message: ShownMessage) => read(message.blocks);

describe('what people do about an alert', () => {
  let testApp: TestApp;
  let store: Store;
  let ada: Person;
  let mia: Person;

  beforeAll(async () => {
    testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
    ada = testApp.person('U0ADA');
    mia = testApp.person('U0MIA');
    await ada.say('/scandesk connect');
    await ada.submit(await ada.seesWindow('Connect account'), key);
    await ada.close(await ada.seesForm('connect.databases'));
    await testApp.post('/sandbox/invite', { as: 'U0ADA', channel, user: 'U0SCANDESK1' });
    store = await testApp.openStore();
  });
  afterAll(async () => {
    await store?.close();
    await testApp?.stop();
  });

  const shows = (...parts: readonly string[]) =>
    eventually(
      async () => (await ada.messages(channel)).find((one) => parts.every((part) => all(one).includes(part))),
      parts.join(' with '),
    );
  const privately = (person: Person, id: string, part: string) =>
    eventually(
      async () => (await person.messages(channel)).find((one) => one.ephemeral_for === id && all(one).includes(part)),
      part,
    );
  /** Creates a relay and makes its rule open an alert; resolves to the alert's message. */
  const alert = async (name: string, rule: object = {}) => {
    const relays = createRelays({ store, clock: systemClock, random: systemRandom, onPosts: () => undefined });
    const when = { kind: 'burst', n: 2, minutes: 30 };
    const { path } = await relays.create({
      ...{ owner, serviceIds: [], serviceName: name, channel, notable: 'all', createdBy: 'U0ADA' },
      settings: relaySettingsSchema.parse({ rules: [{ id: 'r1', name: `Rule ${name}`, channel, when, ...rule }] }),
    });
    for (const n of [1, 2]) {
      const at = new Date(Date.now() - n * 1_000).toISOString().slice(0, 19).replace('T', ' ');
      const form = scanForm({ tid: `${name}-${n}`, status: '0', text: 'no', scanned_at_utc: at });
      expect((await postScan(`${testApp.appUrl}${path}`, form)).status).toBe(200);
    }
    return await shows(`Rule ${name}`, 'post.acknowledge');
  };
  const keyOf = (message: ShownMessage) => /\\"post\\":\\"([^"\\]+)\\"/.exec(JSON.stringify(message.blocks))![1]!;

  it('an alert can be handed over: its message shows the new person, and its thread mentions that person', async () => {
    const post = await alert('handed');
    await mia.choose(post, 'Hand over…');
    await mia.submit(await mia.seesForm('post.hand_over'), {
      'post.hand_over.to': { 'post.hand_over.to': { type: 'users_select', selected_user: 'U0ADA' } },
    });
    const changed = await shows('Rule handed', 'With <@U0ADA>', '(from <@U0MIA>)', 'Acknowledged by <@U0MIA>');
    const told = await shows('handed this alert over to you', '<@U0ADA>');
    expect(told.thread_ts).toBe(changed.ts);
    expect(all(told)).not.toContain('post.menu');
    const [entry] = await store.audit.list(owner, { limit: 1 });
    expect(entry).toMatchObject({ who: 'U0MIA', what: 'relay/hand_over', detail: { to: 'U0ADA' } });
  });

  it('an alert can be resolved, with a required reason, only after an acknowledgement, and only once', async () => {
    const post = await alert('resolved');
    expect(all(post)).not.toContain('Resolve…');
    await mia.clickMessage(post, 'post.acknowledge');
    const acknowledged = await shows('Rule resolved', 'Acknowledged by <@U0MIA>');
    const [acknowledgement] = await store.audit.list(owner, { limit: 1 });
    expect(acknowledgement).toMatchObject({ what: 'relay/acknowledge', detail: { kind: 'alert' } });
    await mia.clickMessage(acknowledged, 'post.resolve');
    const second = await mia.seesForm('post.resolve');
    await ada.clickMessage(acknowledged, 'post.resolve');
    const other = {
      type: 'radio_buttons',
      selected_option: { text: { type: 'plain_text', text: 'Other' }, value: 'other' },
    };
    const why = (value: string) => ({
      'post.resolve.why': { 'post.resolve.field': other },
      'post.resolve.details': { 'post.resolve.field': { type: 'plain_text_input', value } },
    });
    await ada.submit(await ada.seesForm('post.resolve'), why(' '));
    const form = await ada.seesForm('post.resolve');
    expect(form.errors).toEqual({ 'post.resolve.details': 'Say why.' });
    await ada.submit(form, why('reader *restarted*'));
    const changed = await shows('Rule resolved', 'Resolved by <@U0ADA>');
    expect(all(changed)).toContain('{"type":"plain_text","text":"reader *restarted*","emoji":false}');
    expect(all(changed)).not.toMatch(/Resolve…|Hand over…/);
    await mia.submit(second, why('too late'));
    await privately(mia, 'U0MIA', 'already resolved it');
    const [entry] = await store.audit.list(owner, { limit: 1 });
    expect(entry).toMatchObject({ who: 'U0ADA', what: 'relay/resolve', detail: { reason: 'reader *restarted*' } });
  });

  it('an open alert on App Home names its channel, opens its details, and is acknowledged there', async () => {
    await alert('home');
    const home = (is: (shown: string) => boolean) =>
      eventually(async () => {
        const view = await ada.home();
        return view && is(JSON.stringify(view.view.blocks)) ? view : undefined;
      }, 'App Home');
    await ada.openHome();
    const view = await home((shown) => shown.includes('post.acknowledge'));
    const blocks = view.view.blocks as { block_id?: string; elements?: object[] }[];
    const at = blocks.findIndex((block) => read([block]).includes('2 scans not valid'));
    expect(JSON.stringify(blocks[at])).toMatch(/"channel_id":"C0FRONTGATE".*"not acknowledged"/);
    expect(JSON.stringify(blocks.find((block) => read([block]).includes('home →')))).toContain('1 alert');
    await ada.click(view, 'post.details', undefined, blocks[at + 1]?.block_id);
    const details = await ada.seesWindow('Details');
    expect(read(details.view.blocks)).toContain('2 scans not valid');
    await ada.close(details);
    await ada.click(view, 'post.acknowledge', undefined, blocks[at + 1]?.block_id);
    await home((shown) => /2 scans not valid since(?:(?!"type":"actions").)*"acknowledged by "/.test(shown));
    await shows('Rule home', 'Acknowledged by <@U0ADA>');
  });

  it('an alert that nobody acknowledges is escalated by a message that mentions people, with Acknowledge', async () => {
    const post = await alert('escalated', { escalate: { minutes: 15, users: ['U0ADA'], groups: ['S0GATE'] } });
    const late = { opened_at: Date.now() - 16 * 60_000, escalate_at: Date.now() - 60_000 };
    await store.db.updateTable('incidents').set(late).where('post_key', '=', keyOf(post)).execute();
    const call = await shows('<@U0ADA> <!subteam^S0GATE>', 'Nobody acknowledged this alert for 15 minutes');
    expect(call.thread_ts).toBeUndefined();
    expect(call.text).toContain('<@U0ADA> <!subteam^S0GATE>');
    expect(text(call)).toContain('2 scans not valid');
    await shows('Rule escalated', 'Escalated');
    await ada.clickMessage(call, 'post.acknowledge');
    await shows('Rule escalated', 'Acknowledged by <@U0ADA>');
    const answered = await shows('Nobody acknowledged this alert for 15 minutes', 'Acknowledged by <@U0ADA>');
    expect(all(answered)).not.toContain('"post.acknowledge"');
  });

  wideIt('an alert’s update and end are also posted in the channel if its rule is set to do so', async () => {
    const told = await alert('loud', { broadcast: true });
    const quiet = await alert('soft');
    const keys = [keyOf(told), keyOf(quiet)];
    const now = Date.now();
    const incidents = () => store.db.updateTable('incidents').where('post_key', 'in', keys);
    await incidents()
      .set({ replied_at: now - 40 * 60_000, due_at: now })
      .execute();
    const inThread = async (of: ShownMessage, part: string) =>
      eventually(
        async () => (await ada.messages(channel)).find((one) => one.thread_ts === of.ts && all(one).includes(part)),
        part,
      );
    expect((await inThread(told, 'Still going on')).subtype).toBe('thread_broadcast');
    expect((await inThread(quiet, 'Still going on')).subtype).toBeUndefined();
    await incidents()
      .set({ opened_at: now - 45 * 60_000, last_at: now - 31 * 60_000, due_at: now })
      .execute();
    const end = await inThread(told, 'rich_text_preformatted');
    expect(end.subtype).toBe('thread_broadcast');
    expect(text(end)).toContain('Opened');
    expect(text(end)).toMatch(/Over · 2 scans not valid within .*\nTimes: /);
    expect((await inThread(quiet, 'rich_text_preformatted')).subtype).toBeUndefined();
  });

  it('an alert can be muted until the alert is over, from its menu and by /scandesk mute', async () => {
    const post = await alert('muted');
    await mia.choose(post, 'Mute');
    const form = await mia.seesForm('post.mute');
    expect(JSON.stringify(form.view)).toMatch(/"initial_option":\{[^}]*"text":\{[^}]*Posts of the rule “Rule muted”/);
    const option = (value: string) => ({ text: { type: 'plain_text', text: value }, value });
    await mia.submit(form, {
      'post.mute.what': { 'post.mute.what': { type: 'radio_buttons', selected_option: option('rule.0') } },
      'post.mute.for': { 'post.mute.for': { type: 'static_select', selected_option: option('over') } },
    });
    const notice = await shows('muted ', 'Rule muted', 'until the alert is over');
    expect(await store.db.selectFrom('mutes').select('incident_id').execute()).toEqual([{ incident_id: keyOf(post) }]);
    await mia.clickMessage(notice, 'mute.stop');
    await eventually(async () => (await store.db.selectFrom('mutes').selectAll().execute()).length === 0, 'no mute');
    const said = await mia.command('/scandesk mute until over', channel);
    expect(text(said)).toContain('until the alert is over');
    await eventually(async () => (await store.db.selectFrom('mutes').selectAll().execute()).length > 0, 'mutes');
    await store.db.deleteFrom('mutes').execute();
    expect(text(await mia.command('/scandesk mute until over', 'C0GENERAL'))).toContain('No alert is open here');
  });

  it('an alert posted by a version without incidents cannot be handed over, says why, and can be acknowledged', async () => {
    const post = await alert('old');
    await store.db.deleteFrom('incidents').where('post_key', '=', keyOf(post)).execute();
    await mia.choose(post, 'Hand over…');
    const told = await mia.seesWindow('Hand over');
    expect(JSON.stringify(told.view.blocks)).toContain('before Scandesk kept track of alerts');
    await mia.close(told);
    await mia.clickMessage(post, 'post.acknowledge');
    await shows('Rule old', 'Acknowledged by <@U0MIA>');
  });
});
