import { WebClient } from '@slack/web-api';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { allScopes, botToken, faults, type Json, manifest, plain, type Stage, setStage } from '../helpers.js';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
  await stage.api('conversations.join', { channel: 'C0FRONTGATE' });
});
afterAll(() => stage.close());

const gate = 'C0FRONTGATE';
const say = (text: string, channel = gate) => stage.person('say', { as: 'U0ADA', channel, text });
const post = (args: Json) => stage.api('chat.postMessage', { channel: gate, ...args });

describe('a call', () => {
  it.each([
    ['no token', '', 'not_authed'],
    ['a made-up token', 'xoxb-guess', 'invalid_auth'],
  ])('a Web API call with %s is refused', async (_name, token, error) => {
    const response = await fetch(`${stage.url}/api/auth.test`, {
      method: 'POST',
      headers: token === '' ? {} : { authorization: `Bearer ${token}` },
    });
    expect(await response.json()).toEqual({ ok: false, error });
  });

  it('a Web API call may carry its token in a form, and not in its URL', async () => {
    const form = await fetch(`${stage.url}/api/auth.test`, {
      method: 'POST',
      body: new URLSearchParams({ token: botToken }),
    });
    expect(await form.json()).toMatchObject({ ok: true, user_id: 'U0SCANDESK1', bot_id: 'B0SCANDESK1' });
    const query = await fetch(`${stage.url}/api/auth.test?token=${botToken}`);
    expect(await query.json()).toEqual({ ok: false, error: 'not_authed' });
  });

  it('a Web API call of a method that Slack lacks is refused', async () => {
    expect(await stage.api('chat.shout')).toMatchObject({
      ok: false,
      error: 'unknown_method',
      req_method: 'chat.shout',
    });
  });

  it('a Web API call with an argument that the method lacks is refused', async () => {
    const answer = await post({ text: 'x', txet: 'y' });
    expect(answer).toMatchObject({ ok: false, error: 'invalid_arguments' });
    expect(faults(answer)).toEqual(['[ERROR] invalid additional property: txet [json-pointer:]']);
    expect(await stage.api('chat.postMessage', { text: 'x' })).toMatchObject({ error: 'invalid_arguments' });
  });

  it('a Web API call with JSON in a form field means the same as in a JSON body', async () => {
    const blocks = JSON.stringify([{ type: 'header', text: plain('H') }]);
    const body = new URLSearchParams({ channel: gate, text: 't', blocks, unfurl_links: 'false' });
    const response = await fetch(`${stage.url}/api/chat.postMessage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${botToken}` },
      body,
    });
    expect(await response.json()).toMatchObject({ ok: true, message: { blocks: [{ type: 'header' }] } });
    body.set('blocks', '[{');
    const broken = await fetch(`${stage.url}/api/chat.postMessage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${botToken}` },
      body,
    });
    expect(await broken.json()).toMatchObject({ ok: false, error: 'invalid_arguments' });
  });

  it.each([
    ['chat.postMessage', { channel: gate, text: 'x' }, ['chat:write'], 'chat:write'],
    ['users.info', { user: 'U0ADA' }, ['users:read'], 'users:read'],
    ['files.info', { file: 'F1' }, ['files:read'], 'files:read'],
    ['files.delete', { file: 'F1' }, ['files:write'], 'files:write'],
    [
      'conversations.history',
      { channel: gate },
      ['channels:history', 'groups:history', 'im:history'],
      'channels:history,groups:history,im:history,mpim:history',
    ],
    ['conversations.info', { channel: gate }, ['channels:read'], 'channels:read'],
    ['conversations.join', { channel: gate }, ['channels:join'], 'channels:join'],
    ['reactions.add', { channel: gate, timestamp: '1.1', name: 'x' }, ['reactions:write'], 'reactions:write'],
    ['usergroups.list', {}, ['usergroups:read'], 'usergroups:read'],
  ])('a Web API call of %s is refused if the token lacks the scope', async (method, args, taken, needed) => {
    const scopes = allScopes.filter((scope) => !taken.includes(scope));
    const poorer = await setStage({ manifest: manifest({ scopes }) });
    expect(await poorer.api(method, args)).toEqual({
      ok: false,
      error: 'missing_scope',
      needed,
      provided: scopes.join(','),
    });
    await poorer.close();
  });

  it('a Web API call’s response lists the scopes of its token', async () => {
    const client = new WebClient(botToken, { slackApiUrl: `${stage.url}/api/` });
    const answer = await client.conversations.info({ channel: gate });
    expect(answer.channel).toMatchObject({ id: gate, is_member: true });
    expect(answer.response_metadata?.scopes).toEqual(allScopes);
  });
});

describe('chat.postMessage', () => {
  it('chat.postMessage posts as the app, with metadata that is returned only on request', async () => {
    const metadata = { event_type: 'scan_posted', event_payload: { id: '42' } };
    const answer = await post({ text: 'A scan', metadata, unfurl_links: false });
    expect(answer).toMatchObject({
      ok: true,
      channel: gate,
      message: { text: 'A scan', metadata, bot_id: 'B0SCANDESK1' },
    });
    const history = (more: Json) => stage.api('conversations.history', { channel: gate, limit: 1, ...more });
    expect((await history({})).messages).toMatchObject([{ ts: answer.ts }]);
    expect((await history({})).messages).not.toMatchObject([{ metadata }]);
    expect((await history({ include_all_metadata: true })).messages).toMatchObject([{ metadata }]);
  });

  it.each([
    ['A & B <b> 1 > 0', 'A &amp; B &lt;b&gt; 1 &gt; 0'],
    ['escaped &amp; &lt;once&gt;', 'escaped &amp; &lt;once&gt;'],
    ['&copy; &amp;lt;', '&amp;copy; &amp;lt;'],
    ['<@U0ADA> in <#C0FRONTGATE|front-gate>: <!here>', '<@U0ADA> in <#C0FRONTGATE|front-gate>: <!here>'],
    [
      '<https://x.example/?a=1&b=2|A & B> <mailto:a@b.example>',
      '<https://x.example/?a=1&b=2|A & B> <mailto:a@b.example>',
    ],
    ['> quoted', '&gt; quoted'],
  ])('chat.postMessage returns the text %j as %j, also in text objects', async (text, escaped) => {
    const button = { type: 'button', action_id: 'a', text: { type: 'plain_text', text: text.slice(0, 75) } };
    const written = { type: 'rich_text_section', elements: [{ type: 'text', text }] };
    const blocks = [
      { type: 'section', text: { type: 'mrkdwn', text } },
      { type: 'actions', elements: [button] },
      { type: 'rich_text', elements: [written] },
    ];
    const { message, ts } = await post({ text, blocks });
    const back = {
      text: escaped,
      blocks: [{ text: { text: escaped } }, { elements: [{ text: { text: escaped } }] }, { elements: [written] }],
    };
    expect(message).toMatchObject(back);
    const { messages } = await stage.api('conversations.history', { channel: gate, limit: 1 });
    expect((messages as Json[])[0]).toMatchObject(back);
    expect(await stage.api('chat.update', { channel: gate, ts, text })).toMatchObject({ text: escaped });
    expect((await stage.messages('U0ADA', gate)).at(-1)).toMatchObject({ text });
  });

  it.each<[string, Json, string]>([
    ['no text', {}, 'no_text'],
    ['an empty text and no blocks', { text: '', blocks: [] }, 'no_text'],
    ['a text of 40,001 characters', { text: 'x'.repeat(40_001) }, 'msg_too_long'],
    ['invalid blocks', { text: 'x', blocks: [{ type: 'section' }] }, 'invalid_blocks'],
    ['blocks that are no list', { text: 'x', blocks: { type: 'section' } }, 'invalid_blocks'],
    [
      'two tables',
      { text: 'x', blocks: [1, 2].map(() => ({ type: 'table', rows: [[{ type: 'raw_text', text: 'c' }]] })) },
      'invalid_attachments',
    ],
    [
      'a picture whose file does not exist',
      { text: 'x', blocks: [{ type: 'image', alt_text: 'x', slack_file: { id: 'F0' } }] },
      'invalid_blocks',
    ],
    ['metadata without a payload', { text: 'x', metadata: { event_type: 'a' } }, 'invalid_metadata_format'],
    [
      'metadata of more than 8,000 characters',
      { text: 'x', metadata: { event_type: 'a', event_payload: { x: 'x'.repeat(8000) } } },
      'metadata_too_large',
    ],
    ['101 attachments', { attachments: Array.from({ length: 101 }, () => ({ text: 'x' })) }, 'too_many_attachments'],
    ['a channel that is not there', { channel: 'C0NOWHERE', text: 'x' }, 'channel_not_found'],
    ['a private channel that the app is not in', { channel: 'C0MANAGERS', text: 'x' }, 'channel_not_found'],
    ['a public channel that the app is not in', { channel: 'C0GENERAL', text: 'x' }, 'not_in_channel'],
    ['a thread that is not there', { text: 'x', thread_ts: '1.000001' }, 'thread_not_found'],
  ])('chat.postMessage refuses %s', async (_name, args, error) => {
    expect(await post(args)).toMatchObject({ ok: false, error });
  });

  it('chat.postMessage says where a block is invalid', async () => {
    const answer = await post({ text: 'x', blocks: [{ type: 'header', text: plain('x'.repeat(151)) }] });
    expect(faults(answer)).toEqual(['[ERROR] must be less than 151 characters [json-pointer:/blocks/0/text/text]']);
  });

  it('chat.postMessage with chat:write.public reaches an unjoined public channel, and no private channel', async () => {
    const open = await setStage({ manifest: manifest({ scopes: [...allScopes, 'chat:write.public'] }) });
    expect(await open.api('chat.postMessage', { channel: 'C0GENERAL', text: 'x' })).toMatchObject({ ok: true });
    expect(await open.api('chat.postMessage', { channel: 'C0MANAGERS', text: 'x' })).toMatchObject({ ok: false });
    await open.close();
  });

  it('chat.postMessage reaches a person by ID, in their direct channel', async () => {
    const answer = await stage.api('chat.postMessage', { channel: 'U0MIA', text: 'just you' });
    expect(await stage.api('conversations.open', { users: 'U0MIA' })).toMatchObject({
      channel: { id: answer.channel },
    });
    expect((await stage.messages('U0MIA', String(answer.channel))).at(-1)).toMatchObject({ text: 'just you' });
    expect(await stage.look('messages', { as: 'U0ADA', channel: String(answer.channel) })).toMatchObject({ ok: false });
  });

  it('chat.postMessage refuses an archived channel', async () => {
    const made = (await stage.person('channels', { as: 'U0ADA', name: 'old-gate' })).channel as Json;
    await stage.api('conversations.join', { channel: made.id });
    await stage.person('archive', { as: 'U0ADA', channel: made.id });
    expect(await post({ channel: made.id, text: 'x' })).toMatchObject({ error: 'is_archived' });
  });

  it('conversations.replies returns replies with their thread, and conversations.history does not', async () => {
    const { ts } = await post({ text: 'parent' });
    const reply = await post({ text: 'reply', thread_ts: ts });
    expect(reply).toMatchObject({ message: { thread_ts: ts } });
    const replies = await stage.api('conversations.replies', { channel: gate, ts });
    expect(replies.messages).toMatchObject([
      { text: 'parent', reply_count: 1 },
      { text: 'reply', thread_ts: ts },
    ]);
    const line = (await stage.api('conversations.history', { channel: gate, limit: 1 })).messages;
    expect(line).toMatchObject([{ text: 'parent' }]);
  });
});

describe('chat.update', () => {
  it('chat.update changes only the given parts of a message', async () => {
    const blocks = [{ type: 'header', text: plain('H') }];
    const metadata = { event_type: 'e', event_payload: {} };
    const { ts } = await post({ text: 'one', blocks, metadata });
    expect(await stage.api('chat.update', { channel: gate, ts, text: 'two' })).toMatchObject({
      ok: true,
      ts,
      message: { text: 'two', blocks, metadata, edited: { user: 'U0SCANDESK1' } },
    });
    const bare = await stage.api('chat.update', { channel: gate, ts, text: 'three', blocks: [], metadata: {} });
    expect(bare.message).not.toHaveProperty('blocks');
    expect(bare.message).not.toHaveProperty('metadata');
  });

  it('chat.update refuses to change a person’s message or a deleted message', async () => {
    await say('mine');
    const { ts } = (await stage.messages('U0ADA', gate)).at(-1)!;
    expect(await stage.api('chat.update', { channel: gate, ts, text: 'x' })).toMatchObject({
      error: 'cant_update_message',
    });
    expect(await stage.api('chat.delete', { channel: gate, ts })).toMatchObject({ error: 'cant_delete_message' });
    const own = await post({ text: 'x' });
    expect(await stage.api('chat.delete', { channel: gate, ts: own.ts })).toMatchObject({ ok: true });
    expect(await stage.api('chat.update', { channel: gate, ts: own.ts, text: 'x' })).toMatchObject({
      error: 'message_not_found',
    });
  });
});

describe('chat.postEphemeral', () => {
  it('chat.postEphemeral needs both the app and the person to be in the channel', async () => {
    const to = (channel: string, user: string) => stage.api('chat.postEphemeral', { channel, user, text: 'psst' });
    expect(await to(gate, 'U0GUS')).toMatchObject({ ok: true });
    expect(await to(gate, 'U0EVE')).toMatchObject({ error: 'user_not_in_channel' });
    expect(await to('C0GENERAL', 'U0ADA')).toMatchObject({ error: 'not_in_channel' });
  });
});

describe('marks', () => {
  it('a reaction or a pin can be added once, and is refused a second time', async () => {
    const { ts } = await post({ text: 'x' });
    const react = () => stage.api('reactions.add', { channel: gate, timestamp: ts, name: 'eyes' });
    expect(await react()).toEqual({ ok: true });
    expect(await react()).toMatchObject({ error: 'already_reacted' });
    const pin = () => stage.api('pins.add', { channel: gate, timestamp: ts });
    expect(await pin()).toEqual({ ok: true });
    expect(await pin()).toMatchObject({ error: 'already_pinned' });
    const shown = (await stage.messages('U0ADA', gate)).find((one) => one.ts === ts);
    expect(shown).toMatchObject({ pinned: true, reactions: [{ name: 'eyes', users: ['U0SCANDESK1'] }] });
  });
});

describe('a client_msg_id', () => {
  const id = (n: number) => `00000000-0000-5000-8000-${String(n).padStart(12, '0')}`;
  const shown = async (text: string) => (await stage.messages('U0ADA', gate)).filter((one) => one.text === text).length;
  afterEach(() => stage.person('rules', { clientMsgIds: 'known', historyLagMs: 0 }));

  it('a client_msg_id that was used before gets the message that was first posted with it', async () => {
    const first = await post({ text: 'once', client_msg_id: id(1) });
    const again = await post({ text: 'once', client_msg_id: id(1) });
    expect(again).toMatchObject({ ok: true, ts: first.ts, message: { client_msg_id: id(1), text: 'once' } });
    expect(await post({ text: 'once', client_msg_id: id(2) })).not.toMatchObject({ ts: first.ts });
    expect(await shown('once')).toBe(2);
  });

  it('a client_msg_id whose first message cannot be read is refused, and nothing is posted', async () => {
    const { ts } = await post({ text: 'gone', client_msg_id: id(3) });
    await stage.api('chat.delete', { channel: gate, ts });
    expect(await post({ text: 'gone', client_msg_id: id(3) })).toMatchObject({ error: 'duplicate_message_not_found' });
    await stage.person('rules', { historyLagMs: 1_000 });
    await post({ text: 'lags', client_msg_id: id(4) });
    expect(await post({ text: 'lags', client_msg_id: id(4) })).toMatchObject({ error: 'duplicate_message_not_found' });
    stage.clock.forward(1_001);
    expect(await post({ text: 'lags', client_msg_id: id(4) })).toMatchObject({ ok: true });
    expect([await shown('gone'), await shown('lags')]).toEqual([0, 1]);
  });

  it('a client_msg_id of a refused message may be used again', async () => {
    expect(await post({ text: '', client_msg_id: id(5) })).toMatchObject({ error: 'no_text' });
    expect(await post({ text: 'now', client_msg_id: id(5) })).toMatchObject({ ok: true });
    expect(await post({ text: 'x', client_msg_id: 'none' })).toMatchObject({ error: 'invalid_arguments' });
  });

  it('a client_msg_id is refused or ignored by a simulated workspace that is set to do so', async () => {
    await stage.person('rules', { clientMsgIds: 'refused' });
    const refused = await post({ text: 'r', client_msg_id: id(6) });
    expect(faults(refused)).toEqual(['[ERROR] invalid additional property: client_msg_id [json-pointer:]']);
    expect(await post({ text: 'r' })).toMatchObject({ ok: true });
    await stage.person('rules', { clientMsgIds: 'ignored' });
    for (let n = 0; n < 2; n++) {
      expect(await post({ text: 'i', client_msg_id: id(7) })).toMatchObject({ ok: true });
    }
    expect([await shown('r'), await shown('i')]).toEqual([1, 2]);
  });
});

describe('conversations.history', () => {
  const room = 'C0STOCKROOM';
  const stamps: string[] = [];
  beforeAll(async () => {
    await stage.api('conversations.join', { channel: room });
    for (let n = 0; n < 20; n += 1) {
      const { ts } = await stage.api('chat.postMessage', { channel: room, text: `message ${n}` });
      stamps.push(String(ts));
    }
  });
  afterEach(() => stage.person('rules', { historyPerMinute: 0, historyFromOldest: false, historyLagMs: 0 }));
  const history = (args: Json = {}) => stage.api('conversations.history', { channel: room, ...args });
  const texts = (answer: Json) => (answer.messages as Json[]).map((one) => one.text);
  const numbered = (...numbers: number[]) => numbers.map((n) => `message ${n}`);
  const next = (answer: Json) => (answer.response_metadata as Json).next_cursor;

  it('conversations.history is newest first, in pages', async () => {
    const first = await history({ limit: 12 });
    expect(texts(first)).toEqual(numbered(19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8));
    expect(first.has_more).toBe(true);
    const second = await history({ limit: 12, cursor: next(first) });
    expect(texts(second)).toEqual(numbered(7, 6, 5, 4, 3, 2, 1, 0));
    expect(second.has_more).toBe(false);
    expect(await history({ cursor: 'made up' })).toMatchObject({ error: 'invalid_cursor' });
  });

  it('conversations.history excludes the first and last moment of a range unless the range is inclusive', async () => {
    const range = { oldest: stamps[3], latest: stamps[6] };
    expect(texts(await history(range))).toEqual(numbered(5, 4));
    expect(texts(await history({ ...range, inclusive: true }))).toEqual(numbered(6, 5, 4, 3));
  });

  it('conversations.history applies the range on every page, from either end', async () => {
    const args = { oldest: stamps[15], inclusive: true, limit: 3 };
    const newest = await history(args);
    expect(texts(newest)).toEqual(numbered(19, 18, 17));
    expect(texts(await history({ ...args, cursor: next(newest) }))).toEqual(numbered(16, 15));
    await stage.person('rules', { historyFromOldest: true });
    const oldest = await history(args);
    expect(texts(oldest)).toEqual(numbered(17, 16, 15));
    expect(texts(await history({ ...args, cursor: next(oldest) }))).toEqual(numbered(19, 18));
  });

  it('conversations.history shows a message only later, where the workspace is set to lag', async () => {
    await stage.person('rules', { historyLagMs: 4_000 });
    stage.clock.forward(4_001);
    const { ts } = await stage.api('chat.postMessage', { channel: room, text: 'late' });
    expect(texts(await history({ limit: 2 }))).toEqual(numbered(19, 18));
    expect(texts(await history({ oldest: stamps[18] }))).toEqual(numbered(19));
    stage.clock.forward(2_000);
    expect(texts(await history({ limit: 1 }))).toEqual(numbered(19));
    stage.clock.forward(2_001);
    expect(texts(await history({ limit: 1 }))).toEqual(['late']);
    await stage.api('chat.delete', { channel: room, ts });
  });

  it('conversations.history gives a distributed, unlisted app one call a minute and 15 messages', async () => {
    await stage.person('rules', { historyPerMinute: 1 });
    expect((await history({ limit: 100 })).messages).toHaveLength(15);
    const response = await fetch(`${stage.url}/api/conversations.history?channel=${room}`, {
      headers: { authorization: `Bearer ${botToken}` },
    });
    expect(response.status).toBe(429);
    expect(await response.json()).toEqual({ ok: false, error: 'ratelimited' });
    const wait = Number(response.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    stage.clock.forward(wait * 1000);
    expect((await history()).messages).toHaveLength(15);
  });

  it('conversations.history is closed to an app outside the channel, and omits messages for one person', async () => {
    expect(await history({ channel: 'C0GENERAL' })).toMatchObject({ error: 'not_in_channel' });
    expect(await history({ channel: 'C0MANAGERS' })).toMatchObject({ error: 'channel_not_found' });
    await stage.api('chat.postEphemeral', { channel: room, user: 'U0ADA', text: 'secretly' });
    expect(texts(await history())).not.toContain('secretly');
  });
});

describe('a channel', () => {
  it('conversations.join warns that the app is already in a channel, and refuses private channels', async () => {
    expect(await stage.api('conversations.join', { channel: gate })).toMatchObject({
      ok: true,
      warning: 'already_in_channel',
    });
    expect(await stage.api('conversations.join', { channel: 'C0MANAGERS' })).toMatchObject({
      error: 'channel_not_found',
    });
    await stage.person('invite', { as: 'U0ADA', channel: 'C0MANAGERS', user: 'U0SCANDESK1' });
    expect(await stage.api('conversations.join', { channel: 'C0MANAGERS' })).toMatchObject({
      error: 'method_not_supported_for_channel_type',
    });
    expect(await post({ channel: 'C0MANAGERS', text: 'x' })).toMatchObject({ ok: true });
    await stage.person('kick', { as: 'U0ADA', channel: 'C0MANAGERS', user: 'U0SCANDESK1' });
    expect(await post({ channel: 'C0MANAGERS', text: 'x' })).toMatchObject({ error: 'channel_not_found' });
  });

  it('conversations.info states that a channel is shared with another organization', async () => {
    expect(await stage.api('conversations.info', { channel: 'C0PARTNER' })).toMatchObject({
      channel: { is_ext_shared: true, shared_team_ids: ['T0SANDBOX1', 'T0PARTNER1'] },
    });
  });

  it('conversations.list returns channels by kind, in pages', async () => {
    const names = async (args: Json) =>
      ((await stage.api('conversations.list', args)).channels as Json[]).map((one) => one.name);
    expect(await names({})).toEqual(expect.arrayContaining(['general', 'front-gate', 'stock-room', 'partner-venue']));
    expect(await names({ types: 'private_channel' })).toEqual([]);
    const first = await stage.api('conversations.list', { limit: 2 });
    const second = await stage.api('conversations.list', {
      limit: 2,
      cursor: (first.response_metadata as Json).next_cursor,
    });
    expect((second.channels as Json[])[0]).toMatchObject({ name: 'stock-room' });
    expect(await stage.api('conversations.list', { types: 'rooms' })).toMatchObject({ error: 'invalid_types' });
  });

  it('conversations.members returns a channel’s members', async () => {
    expect((await stage.api('conversations.members', { channel: 'C0PARTNER' })).members).toEqual(
      expect.arrayContaining(['U0ADA', 'U0MIA', 'U0EVE']),
    );
  });
});

describe('people and groups', () => {
  it('users.info returns a person’s roles and time zone, and users.list every member', async () => {
    const user = async (id: string) => (await stage.api('users.info', { user: id })).user as Json;
    expect(await user('U0ADA')).toMatchObject({ is_admin: true, is_owner: true, tz: 'Europe/Berlin' });
    expect(await user('U0MIA')).toMatchObject({ is_admin: false, tz: 'America/Chicago' });
    expect([-18_000, -21_600]).toContain((await user('U0MIA')).tz_offset);
    expect(await user('U0GUS')).toMatchObject({ is_restricted: true, is_ultra_restricted: true });
    expect(await user('U0EVE')).toMatchObject({ team_id: 'T0PARTNER1' });
    expect(await stage.api('users.info', { user: 'U0NOBODY' })).toMatchObject({ error: 'user_not_found' });
    expect((await stage.api('users.list')).members).toHaveLength(5);
    expect(await stage.api('team.info')).toMatchObject({ team: { name: 'Harbour Hall' } });
    expect(await stage.api('bots.info', { bot: 'B0SCANDESK1' })).toMatchObject({ bot: { user_id: 'U0SCANDESK1' } });
  });

  it('usergroups.list returns user groups with their members', async () => {
    const groups = (await stage.api('usergroups.list', { include_users: true })).usergroups as Json[];
    expect(groups[0]).toMatchObject({ handle: 'gate-crew', users: ['U0MIA', 'U0GUS'] });
    expect(await stage.api('usergroups.users.list', { usergroup: groups[0]!.id })).toMatchObject({
      users: ['U0MIA', 'U0GUS'],
    });
    expect(await stage.api('usergroups.users.list', { usergroup: 'S0' })).toMatchObject({ error: 'no_such_subteam' });
  });
});

describe('a file from the app', () => {
  it('a file from the app is uploaded in Slack’s three steps, and can be shown as a picture', async () => {
    const client = new WebClient(botToken, { slackApiUrl: `${stage.url}/api/` });
    const content = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255]);
    await client.filesUploadV2({ channel_id: gate, file: content, filename: 'code.png', initial_comment: 'A code' });
    const shown = (await stage.messages('U0MIA', gate)).at(-1)!;
    expect(shown).toMatchObject({ text: 'A code', files: [{ name: 'code.png', size: 8 }] });
    const [file] = shown.files as Json[];
    const bytes = await fetch(`${stage.url}/sandbox/file/${file!.id}?as=U0MIA`);
    expect(Buffer.from(await bytes.arrayBuffer())).toEqual(content);
    expect(bytes.headers.get('content-type')).toBe('image/png');
    // As in Slack, which scans an uploaded file first: until then the file has no type, and no block may show it.
    const blocks = [{ type: 'image', alt_text: 'A code', slack_file: { id: file!.id } }];
    const info = async () => (await stage.api('files.info', { file: file!.id })).file;
    expect(await info()).toMatchObject({ mimetype: '', filetype: '' });
    const early = await post({ text: 'x', blocks });
    expect(early).toMatchObject({ error: 'invalid_blocks', errors: [expect.stringContaining('invalid slack file')] });
    stage.clock.forward(1000);
    expect(await info()).toMatchObject({ mimetype: 'image/png', filetype: 'png' });
    expect(await post({ text: 'x', blocks })).toMatchObject({ ok: true });
  });

  it('a file of the app can be deleted by the app alone, and only once, and its message is not deleted', async () => {
    const client = new WebClient(botToken, { slackApiUrl: `${stage.url}/api/` });
    await client.filesUploadV2({
      channel_id: gate,
      file: Buffer.from('a'),
      filename: 'a.csv',
      initial_comment: 'Rows',
    });
    const shown = async () => (await stage.messages('U0MIA', gate)).find(({ text }) => text === 'Rows')!;
    const [{ id }] = (await shown()).files as [{ id: string }];
    const remove = (file: string) => stage.api('files.delete', { file });
    expect(await remove(id)).toEqual({ ok: true });
    expect(await shown()).toMatchObject({ text: 'Rows', files: [{ id, deleted: true }] });
    const history = await stage.api('conversations.history', { channel: gate });
    expect(JSON.stringify(history)).toContain(`{"id":"${id}","mode":"tombstone"}`);
    expect((await fetch(`${stage.url}/sandbox/file/${id}?as=U0MIA`)).status).toBe(404);
    expect(await remove(id)).toMatchObject({ ok: false, error: 'file_deleted' });
    expect(await stage.api('files.info', { file: id })).toMatchObject({ error: 'file_deleted' });
    expect(await remove('F0NONE')).toMatchObject({ ok: false, error: 'file_not_found' });
    const form = new FormData();
    form.set('as', 'U0MIA');
    form.set('file', new Blob(['b']), 'b.txt');
    const uploaded = await fetch(`${stage.url}/sandbox/upload`, { method: 'POST', body: form });
    const { file } = (await uploaded.json()) as { file: { id: string } };
    expect(await remove(file.id)).toMatchObject({ ok: false, error: 'file_not_found' });
    await stage.person('say', { as: 'U0MIA', channel: gate, text: 'mine', files: [file.id] });
    expect(await remove(file.id)).toMatchObject({ ok: false, error: 'cant_delete_file' });
  });

  it('a file from the app with a length that was not announced is refused, and its upload URL is used up', async () => {
    const promised = await stage.api('files.getUploadURLExternal', { filename: 'a.csv', length: 3 });
    const put = (body: string) => fetch(String(promised.upload_url), { method: 'POST', body });
    expect((await put('four')).status).toBe(400);
    expect((await put('two')).status).toBe(400);
    const files = [{ id: promised.file_id }];
    expect(await stage.api('files.completeUploadExternal', { files })).toMatchObject({ error: 'file_not_found' });
  });
});

describe('a permalink', () => {
  it('chat.getPermalink returns the URL of an existing message', async () => {
    const { ts } = await post({ text: 'x' });
    const answer = await stage.api('chat.getPermalink', { channel: gate, message_ts: ts });
    expect(answer.permalink).toBe(`${stage.url}/archives/${gate}/p${String(ts).replace('.', '')}`);
    expect(await stage.api('chat.getPermalink', { channel: gate, message_ts: '1.000001' })).toMatchObject({
      error: 'message_not_found',
    });
  });
});
