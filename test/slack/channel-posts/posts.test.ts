import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { createRelays, relaySettingsSchema } from '../../../src/relay/index.js';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import type { Store } from '../../../src/workspaces/types.js';
import { postScan, scanForm } from '../../helpers/relay.js';
import { read } from '../block-kit/reading.js';
import { accountKey, eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
const bot = 'U0SCANDESK1';
const channel = 'C0FRONTGATE';
const key = { key: { 'connect.key': { type: 'plain_text_input', value: accountKey } } };
const text = (message: ShownMessage) => read(message.blocks);
const all = (message: ShownMessage) => JSON.stringify(message.blocks);

describe('a relay’s posts', () => {
  let testApp: TestApp;
  let store: Store;
  let ada: Person;
  let mia: Person;
  let made = 0;
  const began = Date.now();

  beforeAll(async () => {
    testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
    ada = testApp.person('U0ADA');
    mia = testApp.person('U0MIA');
    await ada.say('/scandesk connect');
    await ada.submit(await ada.seesWindow('Connect account'), key);
    await ada.close(await ada.seesForm('connect.databases'));
    await testApp.post('/sandbox/invite', { as: 'U0ADA', channel, user: bot });
    // The store is opened after the app has started: in one process, each start would wait for the other.
    store = await testApp.openStore();
  });
  afterAll(async () => {
    await store?.close();
    await testApp?.stop();
  });
  afterEach(async () => {
    for (const person of [ada, mia]) {
      for (let view = await person.window(); view; view = await person.window()) await person.close(view);
    }
  });

  const newRelay = async (settings: object = {}, to = channel) => {
    const relays = createRelays({ store, clock: systemClock, random: systemRandom, onPosts: () => undefined });
    const { path } = await relays.create({
      ...{ owner, serviceIds: [], serviceName: 'Main gate', channel: to, notable: 'all', createdBy: 'U0ADA' },
      settings: relaySettingsSchema.parse(settings),
    });
    return async (fields: Record<string, string>) => {
      // Each scan has a second of its own: the same barcode at the same second is the same scan again.
      made += 1;
      const now = new Date(began - made * 1_000).toISOString().slice(0, 19).replace('T', ' ');
      const answer = await postScan(`${testApp.appUrl}${path}`, scanForm({ scanned_at_utc: now, ...fields }));
      expect(answer.status).toBe(200);
    };
  };
  const rule = (fields: object) => ({
    id: 'r1',
    name: 'Front door <!channel>',
    channel,
    when: { kind: 'every' },
    ...fields,
  });
  const find = (what: (message: ShownMessage) => boolean, at = channel) =>
    eventually(async () => (await ada.messages(at)).find((message) => message.user === bot && what(message)), 'a post');
  const withBarcode = (tid: string, at = channel) => find((message) => message.text.includes(tid), at);

  it('/scandesk watch says that no relay is set up while there is no relay', async () => {
    expect(text(await mia.command('/scandesk watch 0001', 'C0GENERAL'))).toContain('No relay is set up');
    await store.db.deleteFrom('watches').execute();
  });

  it('a relay’s post mentions the rule’s people and groups, and the rule’s name mentions nobody', async () => {
    const scan = await newRelay({ rules: [rule({ mention: { users: ['U0MIA'], groups: ['S0GATE'] } })] });
    await scan({ tid: 'called-1' });
    const post = await withBarcode('called-1');
    expect(post.text).toMatch(/^<@U0MIA> <!subteam\^S0GATE> ✅ Valid: `called-1`$/);
    expect(all(post)).toContain('<@U0MIA> <!subteam^S0GATE>');
    expect(all(post)).not.toContain('<!channel>');
    expect(text(post)).toContain('Front door');
  });

  it('a relay’s post can be looked up by its button, and only the clicking person sees the card', async () => {
    const scan = await newRelay();
    await scan({ tid: '00123 *x*' });
    const post = await withBarcode('00123 *x*');
    expect(await mia.clickMessage(post, 'post.lookup')).toEqual({ ok: true });
    const card = await eventually(
      async () => (await mia.messages(channel)).find(({ ephemeral_for: who }) => who === 'U0MIA'),
      'a card',
    );
    expect(text(card)).toContain('00123 *x*');
  });

  it('a relay’s post shows everybody who acknowledged the post, and offers no second acknowledgement', async () => {
    const scan = await newRelay();
    await scan({ tid: 'ack-1', status: '0' });
    const post = await withBarcode('ack-1');
    await mia.choose(post, 'Acknowledge');
    const changed = await find(({ ts, edited }) => ts === post.ts && edited === true);
    expect(all(changed)).toContain('Acknowledged by <@U0MIA>');
    expect(all(changed)).not.toMatch(/post\.acknowledge|"Acknowledge"/);
    expect(all(changed)).toContain('post.lookup');
    expect(changed.metadata).toEqual(post.metadata);
    const rows = await store.audit.list(owner, { limit: 5 });
    expect(rows[0]).toMatchObject({ who: 'U0MIA', what: 'relay/acknowledge', outcome: 'ok' });
    expect(rows[0]?.detail).toMatchObject({ relay: expect.any(String), value: 'ack-1' });
  });

  it('a guest’s click on a relay’s post is refused, and acknowledges nothing', async () => {
    const scan = await newRelay();
    await scan({ tid: 'guest-1', status: '0' });
    const post = await withBarcode('guest-1');
    const gus = testApp.person('U0GUS');
    await gus.choose(post, 'Acknowledge');
    const told = await eventually(
      async () => (await gus.messages(channel)).find(({ ephemeral_for: who }) => who === 'U0GUS'),
      'a refusal',
    );
    expect(text(told)).toContain('Guests can’t use Scandesk');
    const row = await store.db.selectFrom('outbox').select('ack_by').orderBy('seq', 'desc').executeTakeFirst();
    expect(row?.ack_by).toBeNull();
  });

  it('a relay’s post shows the answers of a second submit', async () => {
    const scan = await newRelay();
    const form = scanForm({ tid: 'second-1', scanid: '771' });
    await scan(form);
    const post = await withBarcode('second-1');
    await scan({ ...form, 'questions[12]': 'Temperature?', 'answers[12]': '39.5 <b>' });
    const changed = await find(({ ts, edited }) => ts === post.ts && edited === true);
    expect(text(changed)).toContain('Temperature? 39.5 <b>');
  });

  it('a relay’s posts of a barcode are muted from a window, for everybody, until somebody ends the mute', async () => {
    const scan = await newRelay({ rules: [rule({})] });
    await scan({ tid: 'loud-1' });
    const post = await withBarcode('loud-1');
    await mia.choose(post, 'Mute');
    const window = await mia.seesWindow('Mute');
    expect(read(window.view.blocks)).toContain('loud-1');
    await mia.submit(window);
    const said = await find(
      (message) => all(message).includes('"user_id":"U0MIA"') && all(message).includes('mute.stop'),
    );
    expect(text(said)).toContain('the barcode loud-1');
    await scan({ tid: 'loud-1' });
    await scan({ tid: 'quiet-1' });
    await withBarcode('quiet-1');
    expect((await ada.messages(channel)).filter((message) => message.text.includes('`loud-1`'))).toHaveLength(1);
    await ada.clickMessage(said, 'mute.stop');
    await eventually(
      async () =>
        (await ada.messages(channel)).find(
          (message) => message.ephemeral_for === 'U0ADA' && text(message).includes('Unmuted'),
        ),
      'an answer',
    );
    await scan({ tid: 'loud-1' });
    await eventually(
      async () => (await ada.messages(channel)).filter((message) => message.text.includes('`loud-1`')).length === 2,
      'the second post',
    );
  });

  it('a relay’s posts can be muted by rule', async () => {
    const scan = await newRelay({ rules: [rule({ id: 'noisy', name: 'Noisy' })] });
    await scan({ tid: 'rule-1' });
    await mia.choose(await withBarcode('rule-1'), 'Mute');
    const option = { text: { type: 'plain_text', text: 'x' }, value: 'rule.0' };
    await mia.submit(await mia.seesWindow('Mute'), {
      'post.mute.what': { 'post.mute.what': { type: 'radio_buttons', selected_option: option } },
    });
    await find((message) => text(message).includes('the rule “Noisy”'));
    expect(await store.db.selectFrom('mutes').select(['what', 'rule_id']).where('what', '=', 'rule').execute()).toEqual(
      [{ what: 'rule', rule_id: 'noisy' }],
    );
  });

  it('a relay’s posts by a thread rule become replies under one card, which counts the scans', async () => {
    const scan = await newRelay({ rules: [rule({ id: 'threaded', name: 'Threaded', how: 'thread' })] });
    for (const tid of ['reply-1', 'reply-2', 'reply-3']) {
      await scan({ tid });
    }
    const card = await find((message) => text(message).includes('📋 Threaded'));
    const reply = await withBarcode('reply-3');
    expect(reply.thread_ts).toBe(card.ts);
    const counted = await find((message) => message.ts === card.ts && text(message).includes('3 scans so far'));
    expect(counted.thread_ts).toBeUndefined();
    expect((await ada.messages(channel)).filter((message) => text(message).includes('📋 Threaded'))).toHaveLength(1);
  });

  it('a relay’s digest counts its scans by result, lists all but three, and mentions the rule’s people', async () => {
    const scan = await newRelay({
      rules: [rule({ id: 'later', how: 'digest', digestMinutes: 1, mention: { users: ['U0MIA'] } })],
    });
    await Promise.all(
      Array.from({ length: 13 }, (_, n) => scan({ tid: `dig <${n}>`, status: n < 4 ? '0' : '1', text: 'x' })),
    );
    await store.db.updateTable('digests').set({ due_at: 1 }).execute();
    const digest = await find((message) => message.text.includes('13 scans'));
    expect(text(digest)).toContain('✅ Valid 9 · ❌ Not valid 4');
    expect(text(digest)).toContain('and 3 more scans');
    expect(digest.text).toMatch(/^<@U0MIA> /);
  });

  it('a relay posts alerts about many not valid scans and about no scans, which can be acknowledged', async () => {
    const hours = { zone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' };
    const scan = await newRelay({
      rules: [
        rule({ id: 'many', when: { kind: 'burst', n: 2, minutes: 5 } }),
        rule({ id: 'none', when: { kind: 'silence', of: 'relay', minutes: 1, hours } }),
      ],
    });
    await scan({ tid: 'burst-1', status: '0', text: 'no' });
    await scan({ tid: 'burst-2', status: '0', text: 'no' });
    const burst = await find((message) => message.text.includes('2 scans not valid within 5 min'));
    expect(text(burst)).toContain('burst-2');
    await store.db.updateTable('silences').set({ due_at: 1, since: 1 }).execute();
    await store.db.updateTable('relays').set({ last_scan_at: 1 }).execute();
    const silence = await find((message) => message.text.includes('No scan for 1 min'));
    expect(all(silence)).not.toContain('post.lookup');
    await mia.clickMessage(silence, 'post.acknowledge');
    await find((message) => message.ts === silence.ts && all(message).includes('Acknowledged by <@U0MIA>'));
  });

  describe('/scandesk watch', () => {
    it('/scandesk watch mentions the person in the channel of the watch, until the person ends the watch', async () => {
      const scan = await newRelay({}, 'C0STOCKROOM');
      await testApp.post('/sandbox/invite', { as: 'U0ADA', channel: 'C0STOCKROOM', user: bot });
      const said = await mia.command('/scandesk watch 00777 for 2d', 'C0GENERAL');
      expect(said.ephemeral_for).toBe('U0MIA');
      expect(text(said)).toContain('👀 Watching 00777');
      expect(text(said)).not.toContain('No relay');
      await scan({ tid: '777' });
      await scan({ tid: '00777' });
      const post = await withBarcode('`00777`', 'C0GENERAL');
      expect(post.text).toMatch(/^<@U0MIA> /);
      expect(all(post)).toContain('Watched by <@U0MIA>');
      const list = await mia.command('/scandesk watch', 'C0GENERAL');
      expect(text(list)).toMatch(/^1 watched barcode/);
      await mia.clickMessage(list, 'watch.stop');
      await eventually(
        async () =>
          (await mia.messages('C0GENERAL')).find((message) => text(message).includes('No longer watching 00777')),
        'the list without it',
      );
      expect(await store.db.selectFrom('watches').selectAll().execute()).toEqual([]);
      expect((await ada.messages('C0GENERAL')).filter(({ text: shown }) => shown.includes('`777`'))).toEqual([]);
    });

    it('/scandesk watch reads a barcode in quotes to the letter', async () => {
      await mia.command('/scandesk watch " 00123 for 2d"', 'C0GENERAL');
      const [row] = await store.db.selectFrom('watches').select(['value', 'until', 'made_at']).execute();
      expect(row!.value).toBe(' 00123 for 2d');
      expect(row!.until - row!.made_at).toBe(30 * 86_400_000);
      await store.db.deleteFrom('watches').execute();
    });

    it('/scandesk watch is refused in a channel that outsiders read, and for an empty barcode', async () => {
      expect(text(await ada.command('/scandesk watch x', 'C0PARTNER'))).toContain('shared with another organization');
      expect(text(await mia.command('/scandesk watch ""', 'C0GENERAL'))).toContain('nothing between the quotes');
      expect(await store.db.selectFrom('watches').selectAll().execute()).toEqual([]);
    });

    it('/scandesk watch lists the person’s own watch of a different channel, and no other person’s', async () => {
      await testApp.post('/sandbox/invite', { as: 'U0ADA', channel: 'C0MANAGERS', user: bot });
      await ada.command('/scandesk watch VIP-42', 'C0MANAGERS');
      expect(text(await mia.command('/scandesk watch', 'C0GENERAL'))).toMatch(/^Nothing is watched/);
      expect(text(await ada.command('/scandesk watch', 'C0GENERAL'))).toContain('watched');
      await store.db.deleteFrom('watches').execute();
    });

    it('/scandesk watch notifies the watcher when somebody else ends the watch', async () => {
      await ada.command('/scandesk watch VIP-43', 'C0GENERAL');
      await mia.clickMessage(await mia.command('/scandesk watch', 'C0GENERAL'), 'watch.stop');
      await eventually(
        async () => (await ada.directMessages()).some((message) => all(message).includes('stopped your watch')),
        'a word to Ada',
      );
      expect(await store.db.selectFrom('watches').selectAll().execute()).toEqual([]);
    });
  });

  describe('/scandesk mute', () => {
    it('/scandesk mute announces a mute in the channel, lists mutes and ends a mute', async () => {
      await store.db.deleteFrom('mutes').execute();
      const said = await mia.command('/scandesk mute 0042 for 2h', 'C0GENERAL');
      expect(said.ephemeral_for).toBeUndefined();
      expect(text(said)).toContain('the barcode 0042');
      const [row] = await store.db.selectFrom('mutes').selectAll().execute();
      expect(row).toMatchObject({ channel: 'C0GENERAL', what: 'value', value: '0042', who: 'U0MIA' });
      expect(row!.until - row!.made_at).toBe(2 * 3_600_000);
      const list = await ada.command('/scandesk mute', 'C0GENERAL');
      expect(text(list)).toMatch(/^1 mute/);
      await ada.clickMessage(list, 'mute.stop');
      await eventually(async () => (await store.db.selectFrom('mutes').selectAll().execute()).length === 0, 'no mute');
      const what = (await store.audit.list(owner, { limit: 2 })).map((entry) => entry.what);
      expect(what).toEqual(['relay/unmute', 'relay/mute']);
    });

    it('/scandesk mute can mute a number of posts, and its list says how many posts are left', async () => {
      const said = await mia.command('/scandesk mute 0043 for 2 more', 'C0GENERAL');
      expect(text(said)).toContain('the barcode 0043 here for 2 more posts');
      const scan = await newRelay({ rules: [rule({ channel: 'C0GENERAL' })] });
      await scan({ tid: '0043' });
      const list = await ada.command('/scandesk mute', 'C0GENERAL');
      expect(text(list)).toContain('1 post left');
      await scan({ tid: '0043' });
      await scan({ tid: '0043', status: '0', text: 'the third' });
      expect(text(await withBarcode('0043', 'C0GENERAL'))).toContain('the third');
      expect(await store.db.selectFrom('mutes').selectAll().execute()).toEqual([]);
      const [entry] = await store.audit.list(owner, { limit: 1 });
      expect(entry).toMatchObject({ what: 'relay/mute', detail: { value: '0043', mutedPosts: 2 } });
    });
  });
});
