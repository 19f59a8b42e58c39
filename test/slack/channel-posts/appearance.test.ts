import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { createRelays, relaySettingsSchema } from '../../../src/relay/index.js';
import type { ShownMessage, ShownView } from '../../../src/sandbox/slack/api.js';
import type { Store } from '../../../src/workspaces/types.js';
import { postScan, scanForm } from '../../helpers/relay.js';
import { read } from '../block-kit/reading.js';
import { askAccount, connect } from '../connected.js';
import { closeAll, radio, text as viewText } from '../relays/relay-stage.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
const bot = 'U0SCANDESK1';
const channel = 'C0FRONTGATE';
const text = (message: ShownMessage) => read(message.blocks);
const all = (message: ShownMessage) => JSON.stringify(message.blocks);
const several = (action: string, ...values: string[]) => ({
  [action]: {
    type: 'multi_static_select',
    selected_options: values.map((value) => ({ text: { type: 'plain_text', text: value }, value })),
  },
});

describe('what posts look like', () => {
  let testApp: TestApp;
  let store: Store;
  let ada: Person;
  let mia: Person;
  let user: string;
  /** Each scan has a second of its own: the same barcode at the same second is the same scan again. */
  const began = Date.now();
  let made = 0;
  const scans: Record<string, (fields: Record<string, string>) => Promise<void>> = {};

  beforeAll(async () => {
    testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
    ada = testApp.person('U0ADA');
    mia = testApp.person('U0MIA');
    await connect(ada);
    store = await testApp.openStore();
    const users = await askAccount(testApp, 'users', 'retrieve');
    user = /<user id="(\d+)">(?:(?!<\/user>).)*mara\.gate/s.exec(users)?.[1] ?? '';
    for (const to of [channel, 'C0STOCKROOM']) {
      await testApp.post('/sandbox/invite', { as: 'U0ADA', channel: to, user: bot });
      const relays = createRelays({ store, clock: systemClock, random: systemRandom, onPosts: () => undefined });
      const { path } = await relays.create({
        ...{ owner, serviceIds: [], serviceName: 'Main gate', channel: to, notable: 'all', createdBy: 'U0ADA' },
        settings: relaySettingsSchema.parse({ duplicates: { minutes: 0 } }),
      });
      scans[to] = async (fields) => {
        made += 1;
        const now = new Date(began - made * 1_000).toISOString().slice(0, 19).replace('T', ' ');
        const form = scanForm({ scanned_at_utc: now, userid: user, ...fields });
        expect((await postScan(`${testApp.appUrl}${path}`, form)).status).toBe(200);
      };
    }
  });
  afterAll(async () => {
    await store?.close();
    await testApp?.stop();
  });
  afterEach(async () => {
    for (const person of [ada, mia]) await closeAll(person);
  });

  const find = (what: (message: ShownMessage) => boolean, at = channel) =>
    eventually(
      async () =>
        (await ada.messages(at)).find(
          (message) => message.user === bot && message.ephemeral_for === undefined && what(message),
        ),
      'a post',
    );
  const posted = async (tid: string, at = channel, fields: Record<string, string> = {}) => {
    await scans[at]!({ tid, ...fields });
    return find((message) => message.text.includes(tid), at);
  };
  const preview = (form: ShownView) => viewText(form);
  /** The top form once it contains the text. */
  const shows = (part: string) =>
    eventually(async () => {
      const form = await ada.window();
      return form && preview(form).includes(part) ? form : undefined;
    }, `“${part}” in the form`);
  const open = async (at = channel) => {
    await ada.say('/scandesk posts', at);
    return ada.seesForm('posts.appearance');
  };

  it('a channel’s appearance of posts is chosen with a preview, and applies from its next post', async () => {
    const before = await posted('before-1');
    expect(text(before)).toContain('\n');
    const form = await open();
    expect(preview(form)).toContain('Wristband handed out?');
    await ada.click(form, 'posts.redraw', radio('line'), 'posts.look');
    const line = await shows('already used');
    expect(preview(line)).not.toContain('Wristband handed out?');
    await ada.submit(line, { 'posts.look': { 'posts.redraw': radio('line') } });
    await shows('Saved.');
    const post = await posted('after-1');
    expect(text(post).split('\n')[0]).toMatch(/^✅ after-1 · /);
    expect(post.blocks).toHaveLength(2);
    expect(text(await posted('elsewhere', 'C0STOCKROOM'))).toContain('\n');
    const [row] = await store.audit.list(owner, { limit: 1 });
    expect(row).toMatchObject({ who: 'U0ADA', what: 'relay/appearance' });
    expect(row!.detail).toMatchObject({ channel, posts: 'one line' });
    expect(text((await ada.messages(channel)).find(({ ts }) => ts === before.ts)!)).toBe(text(before));
  });

  it('a post in one line has answers only under Details, and its acknowledgement in the line', async () => {
    const post = await posted('ack-line', channel, { 'questions[12]': 'Temperature?', 'answers[12]': '39.5' });
    expect(text(post)).not.toContain('Temperature?');
    await mia.choose(post, 'Details');
    expect(viewText(await mia.seesWindow('Details'))).toContain('Temperature? 39.5');
    await mia.choose(post, 'Acknowledge');
    const changed = await find(({ ts, edited }) => ts === post.ts && edited === true);
    expect(text(changed)).toContain('✅ acknowledged by');
    expect(all(changed)).not.toContain('post.acknowledge');
  });

  it('a post has the button chosen for its channel, and Look up in its menu; three buttons are refused', async () => {
    const form = await open('C0STOCKROOM');
    const tooMany = await ada.submit(form, {
      'posts.buttons': several('posts.redraw', 'post.lookup', 'post.acknowledge', 'post.mute'),
    });
    expect(JSON.stringify(tooMany)).toContain('too_many');
    await ada.submit(form, { 'posts.buttons': several('posts.redraw', 'post.mute') });
    await shows('Saved.');
    const post = await posted('buttons-1', 'C0STOCKROOM');
    expect(all(post)).toContain('"action_id":"post.mute"');
    expect(all(post)).not.toContain('"action_id":"post.lookup"');
    await mia.choose(post, 'Look up');
    await eventually(
      async () => (await mia.messages('C0STOCKROOM')).find(({ ephemeral_for: who }) => who === 'U0MIA'),
      'a card',
    );
  });

  it('a post leaves answers and properties out where its channel’s appearance excludes them', async () => {
    const form = await open('C0STOCKROOM');
    await ada.submit(form, {
      'posts.shows': { 'posts.redraw': { type: 'checkboxes', selected_options: [] } },
    });
    await shows('Saved.');
    const fields = { 'questions[12]': 'Temperature?', 'answers[12]': '39.5', 'properties[battery]': '41 %' };
    expect(text(await posted('bare-1', 'C0STOCKROOM', fields))).not.toMatch(/Temperature|battery/);
  });

  it('the form of post appearance opens from a post, and shows the choices of its selected channel', async () => {
    await ada.choose(await posted('from-post'), 'Post appearance');
    const form = await ada.seesForm('posts.appearance');
    expect(preview(form)).toContain('already used');
    await ada.click(
      form,
      'posts.channel',
      { type: 'conversations_select', selected_conversation: 'C0STOCKROOM' },
      'posts.channel',
    );
    expect(preview(await shows('[ Mute ]'))).not.toContain('already used');
  });

  it('the appearance of posts cannot be changed by members without access', async () => {
    const said = await mia.command('/scandesk posts', channel);
    expect(text(said)).toMatch(/access|admin/i);
    await mia.choose(await posted('no-access'), 'Post appearance');
    await eventually(
      async () =>
        (await mia.messages(channel)).find((one) => one.ephemeral_for === 'U0MIA' && /admin/i.test(text(one))),
      'a refusal',
    );
  });

  it('the appearance of posts is stored under a key that begins with the workspace’s ID', async () => {
    const rows = await store.db.selectFrom('keyv').select('key').where('namespace', '=', 'post-appearance').execute();
    expect(rows.length).toBeGreaterThan(0);
    for (const { key } of rows) expect(key).toMatch(/^T0SANDBOX1:T0SANDBOX1:/);
  });

  describe('a user who is linked to a Slack member', () => {
    const person = (id?: string) => ({ type: 'multi_users_select', selected_users: id === undefined ? [] : [id] });
    const link = async (form: ShownView, id?: string) =>
      ada.submit(form, { 'member.member': { 'member.field': person(id) } });

    it('the post of a linked user’s scan has the member’s name, and does not mention the watching member', async () => {
      await mia.command('/scandesk watch own-1', 'C0STOCKROOM');
      const before = await posted('own-1', 'C0STOCKROOM');
      expect(before.text).toMatch(/^<@U0MIA> /);
      await ada.choose(before, 'Link user to Slack member');
      const form = await ada.seesWindow('Link to Slack member');
      expect(viewText(form)).toContain('mara.gate');
      await link(form, 'U0MIA');
      await shows('Linked to');
      await scans.C0STOCKROOM!({ tid: 'own-1' });
      const own = await find((one) => one.ts !== before.ts && one.text.includes('own-1'), 'C0STOCKROOM');
      expect(own.text).not.toContain('U0MIA');
      expect(all(own)).not.toContain('U0MIA');
      expect(text(own)).toMatch(/mara\.gate \(.*Mia/i);
      expect(text(own)).toContain('(own scan)');
      const [row] = await store.audit.list(owner, { limit: 1 });
      expect(row).toMatchObject({ what: 'users/member', detail: { user_id: user, now: { users: ['U0MIA'] } } });
      await ada.say('/scandesk audit', channel);
      await shows('User: mara.gate');
    });

    it('a linked user is shown with the member’s name on the card of a lookup and in search results', async () => {
      expect(text(await mia.command('/barcode own-1', 'C0GENERAL'))).toMatch(/mara\.gate \(.*Mia/i);
      expect(text(await mia.command('/scans own-1', 'C0GENERAL'))).toMatch(/mara\.gate \(.*Mia/i);
    });

    it('a linked watcher is mentioned for other people’s scans, and other watchers for the watcher’s own', async () => {
      await ada.command('/scandesk watch own-2', 'C0STOCKROOM');
      await mia.command('/scandesk watch own-2', 'C0STOCKROOM');
      expect((await posted('own-2', 'C0STOCKROOM')).text).toMatch(/^<@U0ADA> [^<]/);
      await mia.command('/scandesk watch other-1', 'C0STOCKROOM');
      expect((await posted('other-1', 'C0STOCKROOM', { userid: '999999' })).text).toMatch(/^<@U0MIA> /);
    });

    it('a user cannot be linked to an app, and a link is removed by choosing nobody', async () => {
      await ada.choose(await posted('unlink-1', 'C0STOCKROOM'), 'Link user to Slack member');
      await link(await ada.seesWindow('Link to Slack member'), bot);
      await link(await shows('Choose somebody else'));
      await shows('Not linked');
      expect(text(await posted('unlink-2', 'C0STOCKROOM'))).not.toContain('(');
    });

    it('a user can be linked to a Slack member from the list of users, which then shows the member', async () => {
      await ada.say('/scandesk users mara');
      const list = await ada.seesForm('list');
      const [row] = (list.view.blocks as { block_id?: string }[]).filter(({ block_id: id }) =>
        id?.startsWith('list.row.'),
      );
      const value = JSON.stringify({ list: 'users', id: user, deed: 'more' });
      await ada.click(
        list,
        'list.menu',
        { selected_option: { text: { type: 'plain_text', text: 'x' }, value } },
        row!.block_id,
      );
      const more = await ada.seesWindow('More actions');
      const at = JSON.stringify({ list: 'users', id: user, deed: 'member' });
      const block = (more.view.blocks as { block_id: string; elements?: { value?: string }[] }[]).find(({ elements }) =>
        elements?.some((one) => one.value === at),
      );
      await ada.click(more, 'list.more', undefined, block!.block_id);
      await link(await ada.seesWindow('Link to Slack member'), 'U0MIA');
      await shows('in Slack:');
    });
  });
});
