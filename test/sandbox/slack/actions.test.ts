import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { type Json, modal, plain, type Stage, setStage, textInput, triggerOf } from './helpers.js';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
  await stage.api('conversations.join', { channel: 'C0FRONTGATE' });
});
afterAll(() => stage.close());
beforeEach(() => {
  stage.app.heard.length = 0;
  stage.app.answer = () => ({});
});

const option = (value: string) => ({ text: plain(`Option ${value}`), value });
const lastPayload = () => stage.app.heard.at(-1)!.payload;

/** Posts a message of the app with one element; resolves to the message as the container of a click. */
const posted = async (element: Json): Promise<Json> => {
  const blocks = [{ type: 'actions', block_id: 'b', elements: [{ action_id: 'a', ...element }] }];
  const answer = await stage.api('chat.postMessage', { channel: 'C0FRONTGATE', text: 'A card', blocks });
  expect(answer).toMatchObject({ ok: true });
  return { type: 'message', channel: 'C0FRONTGATE', ts: answer.ts };
};
const act = (container: Json, more: Json = {}) =>
  stage.person('action', { as: 'U0MIA', container, block_id: 'b', action_id: 'a', ...more });
const post = (url: unknown, body: Json) =>
  fetch(String(url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('a click in a message', () => {
  it('a click in a message of the simulated Slack sends the app who clicked which button, and where', async () => {
    const container = await posted({ type: 'button', text: plain('Look up'), value: '0012' });
    expect(await act(container)).toEqual({ ok: true });
    expect(lastPayload()).toMatchObject({
      type: 'block_actions',
      user: { id: 'U0MIA', username: 'mia', team_id: 'T0SANDBOX1' },
      team: { id: 'T0SANDBOX1', domain: 'harbour-hall' },
      channel: { id: 'C0FRONTGATE', name: 'front-gate' },
      container: { type: 'message', message_ts: container.ts, channel_id: 'C0FRONTGATE', is_ephemeral: false },
      message: { ts: container.ts, text: 'A card' },
      actions: [{ type: 'button', block_id: 'b', action_id: 'a', value: '0012', text: { text: 'Look up' } }],
      is_enterprise_install: false,
    });
    expect(lastPayload().trigger_id).toEqual(expect.any(String));
  });

  it('the response_url of a click replaces or deletes the clicked message', async () => {
    const container = await posted({ type: 'button', text: plain('Done') });
    await act(container);
    const url = lastPayload().response_url;
    expect((await post(url, { text: 'Done by Mia', replace_original: true })).status).toBe(200);
    const find = async () => (await stage.messages('U0MIA', 'C0FRONTGATE')).find((one) => one.ts === container.ts);
    const changed = await find();
    expect(changed).toMatchObject({ text: 'Done by Mia', edited: true });
    expect(changed).not.toHaveProperty('blocks');
    expect((await post(url, { delete_original: true })).status).toBe(200);
    expect(await find()).toBeUndefined();
    expect((await post(url, { text: 'again', replace_original: true })).status).toBe(400);
  });

  it('a message for one person is not sent to the app with a click, and a response replaces the message', async () => {
    const blocks = [
      { type: 'actions', block_id: 'b', elements: [{ type: 'button', action_id: 'a', text: plain('Share') }] },
    ];
    const answer = await stage.api('chat.postEphemeral', {
      channel: 'C0FRONTGATE',
      user: 'U0MIA',
      text: 'Card',
      blocks,
    });
    const container = { type: 'message', channel: 'C0FRONTGATE', ts: answer.message_ts };
    expect(await act(container)).toEqual({ ok: true });
    expect(lastPayload()).toMatchObject({ container: { is_ephemeral: true } });
    expect(lastPayload()).not.toHaveProperty('message');
    await post(lastPayload().response_url, { text: 'Shared', replace_original: true });
    await post(lastPayload().response_url, { text: 'For all', response_type: 'in_channel' });
    expect((await stage.messages('U0MIA', 'C0FRONTGATE')).slice(-2)).toMatchObject([
      { ts: answer.message_ts, text: 'Shared', ephemeral_for: 'U0MIA' },
      { text: 'For all' },
    ]);
    expect(await act(container, { as: 'U0ADA' })).toMatchObject({ error: 'message_not_found' });
    expect(await stage.api('chat.update', { channel: 'C0FRONTGATE', ts: answer.message_ts, text: 'x' })).toMatchObject({
      error: 'message_not_found',
    });
  });

  it('a click by a person of another organization names that organization to the app', async () => {
    await stage.api('conversations.join', { channel: 'C0PARTNER' });
    const blocks = [
      { type: 'actions', block_id: 'b', elements: [{ type: 'button', action_id: 'a', text: plain('x') }] },
    ];
    const { ts } = await stage.api('chat.postMessage', { channel: 'C0PARTNER', text: 'x', blocks });
    await act({ type: 'message', channel: 'C0PARTNER', ts: ts as string }, { as: 'U0EVE' });
    expect(lastPayload()).toMatchObject({ user: { id: 'U0EVE', team_id: 'T0PARTNER1' }, team: { id: 'T0SANDBOX1' } });
  });

  it('a click on an element that the message does not have is refused', async () => {
    const container = await posted({ type: 'button', text: plain('x') });
    expect(await act(container, { action_id: 'other' })).toMatchObject({ error: 'no_such_element' });
    expect(await act(container, { block_id: 'other' })).toMatchObject({ error: 'no_such_element' });
    expect(await act({ ...container, ts: '1.000001' })).toMatchObject({ error: 'message_not_found' });
    expect(stage.app.heard).toEqual([]);
  });

  it('a click in a message to which the app responds 500 fails with http_service_error', async () => {
    const container = await posted({ type: 'button', text: plain('x') });
    stage.app.answer = () => ({ status: 500 });
    expect(await act(container)).toEqual({ ok: false, error: 'http_service_error' });
  });
});

describe('a choice', () => {
  const cases: [string, Json, Json, Json][] = [
    [
      'static_select',
      { options: [option('1'), option('2')] },
      { selected_option: { value: '2' } },
      { selected_option: option('2') },
    ],
    [
      'radio_buttons',
      { options: [option('1')] },
      { selected_option: { value: '1' } },
      { selected_option: option('1') },
    ],
    ['overflow', { options: [option('1')] }, { selected_option: { value: '1' } }, { selected_option: option('1') }],
    [
      'checkboxes',
      { options: [option('1'), option('2')] },
      { selected_options: [{ value: '2' }] },
      { selected_options: [option('2')] },
    ],
    ['multi_static_select', { options: [option('1')] }, { selected_options: [] }, { selected_options: [] }],
    ['users_select', {}, { selected_user: 'U0ADA' }, { selected_user: 'U0ADA' }],
    ['multi_users_select', {}, { selected_users: ['U0ADA', 'U0GUS'] }, { selected_users: ['U0ADA', 'U0GUS'] }],
    ['conversations_select', {}, { selected_conversation: 'C0GENERAL' }, { selected_conversation: 'C0GENERAL' }],
    ['channels_select', {}, { selected_channel: 'C0GENERAL' }, { selected_channel: 'C0GENERAL' }],
    ['datepicker', {}, { selected_date: '2024-02-29' }, { selected_date: '2024-02-29' }],
    ['timepicker', {}, { selected_time: '23:59' }, { selected_time: '23:59' }],
    ['datetimepicker', {}, { selected_date_time: 1_700_000_000 }, { selected_date_time: 1_700_000_000 }],
  ];
  it.each(cases)('a choice from a %s is sent to the app with all its fields', async (type, element, chosen, told) => {
    const container = await posted({ type, ...element });
    expect(await act(container, { chosen })).toEqual({ ok: true });
    expect(lastPayload()).toMatchObject({ actions: [{ type, action_id: 'a', ...told }] });
    const state = (lastPayload().state as Json).values;
    expect(state).toEqual(type === 'overflow' ? {} : { b: { a: { type, ...told } } });
  });

  it.each<[string, Json, Json, string]>([
    ['static_select', { options: [option('1')] }, { selected_option: { value: '3' } }, 'not_offered'],
    ['overflow', { options: [option('1')] }, { selected_option: { value: '3' } }, 'not_offered'],
    ['checkboxes', { options: [option('1')] }, { selected_options: [{ value: '3' }] }, 'not_offered'],
    [
      'multi_static_select',
      { options: [option('1'), option('2')], max_selected_items: 1 },
      { selected_options: [option('1'), option('2')] },
      'too_many',
    ],
    ['users_select', {}, { selected_user: 'U0NOBODY' }, 'not_offered'],
    ['conversations_select', {}, { selected_conversation: 'C0MANAGERS' }, 'not_offered'],
    [
      'conversations_select',
      { filter: { include: ['private'] } },
      { selected_conversation: 'C0GENERAL' },
      'not_offered',
    ],
    [
      'conversations_select',
      { filter: { exclude_external_shared_channels: true } },
      { selected_conversation: 'C0PARTNER' },
      'not_offered',
    ],
    ['datepicker', {}, { selected_date: '29.2.2024' }, 'not_offered'],
    ['timepicker', {}, { selected_time: '24:00' }, 'not_offered'],
    ['static_select', { options: [option('1')] }, { value: '1' }, 'bad_value'],
  ])('a %s with %j refuses the choice %j', async (type, element, chosen, error) => {
    const container = await posted({ type, ...element });
    expect(await act(container, { chosen })).toMatchObject({ ok: false, error });
    expect(stage.app.heard).toEqual([]);
  });

  it('a click in a window sends the app the values of the window’s fields', async () => {
    const view = modal([
      textInput('note'),
      { type: 'actions', block_id: 'b', elements: [{ type: 'button', action_id: 'a', text: plain('Try') }] },
    ]);
    const opened = await stage.api('views.open', { trigger_id: await triggerOf(stage, 'U0MIA'), view });
    const id = (opened.view as Json).id;
    await act({ type: 'view', view_id: String(id) }, { values: { note: { value: { value: 'typed' } } } });
    expect(lastPayload()).toMatchObject({
      container: { type: 'view', view_id: id },
      view: { id, state: { values: { note: { value: { type: 'plain_text_input', value: 'typed' } } } } },
    });
    expect(lastPayload()).not.toHaveProperty('response_url');
  });

  it('a click in a window that was redrawn meanwhile leaves out the value of a field that the window lost', async () => {
    const buttons = {
      ...{ type: 'actions', block_id: 'b' },
      elements: [{ type: 'button', action_id: 'a', text: plain('Try') }],
    };
    const trigger_id = await triggerOf(stage, 'U0MIA');
    const before = modal([textInput('note'), textInput('lost'), buttons]);
    const { id } = (await stage.api('views.open', { trigger_id, view: before })).view as Json;
    await stage.api('views.update', { view_id: id, view: modal([textInput('note'), buttons]) });
    const typed = (value: string) => ({ value: { value } });
    const container = { type: 'view', view_id: String(id) };
    expect(await act(container, { values: { note: typed('kept'), lost: typed('gone') } })).toEqual({ ok: true });
    const { values } = (lastPayload().view as { readonly state: { readonly values: Json } }).state;
    expect(values).toEqual({ note: { value: expect.objectContaining({ value: 'kept' }) } });
  });

  it('a choice in an input is sent to the app only if the input has dispatch_action', async () => {
    const select = { type: 'static_select', action_id: 'a', options: [option('1')] };
    const quiet = { ...textInput('b'), element: select };
    const chosen = { selected_option: option('1') };
    for (const [dispatch, result] of [
      [false, { error: 'does_not_dispatch' }],
      [true, { ok: true }],
    ] as const) {
      const view = modal([{ ...quiet, dispatch_action: dispatch }]);
      const opened = await stage.api('views.open', { trigger_id: await triggerOf(stage, 'U0MIA'), view });
      const container = { type: 'view', view_id: String((opened.view as Json).id) };
      expect(await act(container, { chosen })).toMatchObject(result);
    }
  });
});

describe('an external select', () => {
  const external = { type: 'external_select', min_query_length: 2 };
  const ask = (container: Json, value: string) =>
    stage.person('options', { as: 'U0MIA', container, block_id: 'b', action_id: 'a', value });

  it('an external select asks the app once enough is typed, and accepts only offered options', async () => {
    const container = await posted(external);
    stage.app.answer = () => ({ body: { options: [option('7')] } });
    expect(await ask(container, 'x')).toEqual({ options: [] });
    expect(stage.app.heard).toEqual([]);
    expect(await act(container, { chosen: { selected_option: { value: '7' } } })).toMatchObject({
      error: 'not_offered',
    });
    expect(await ask(container, 'xy')).toEqual({ options: [option('7')] });
    expect(lastPayload()).toMatchObject({
      type: 'block_suggestion',
      value: 'xy',
      action_id: 'a',
      block_id: 'b',
      team: { id: 'T0SANDBOX1' },
    });
    expect(await act(container, { chosen: { selected_option: { value: '7' } } })).toEqual({ ok: true });
    expect(lastPayload()).toMatchObject({ actions: [{ selected_option: option('7') }] });
  });

  it.each<[string, Json | string]>([
    ['more than 100 options', { options: Array.from({ length: 101 }, (_, index) => option(`${index}`)) }],
    ['an option whose text is too long', { options: [{ text: plain('x'.repeat(76)), value: '1' }] }],
    ['text that is no JSON', 'none'],
  ])('an external select gets invalid_options when the app offers %s', async (_name, body) => {
    const container = await posted(external);
    stage.app.answer = () => ({ body });
    expect(await ask(container, 'xy')).toMatchObject({ ok: false, error: 'invalid_options' });
  });

  it('an external select in a modal offers options that can be submitted', async () => {
    const view = modal([{ ...textInput('b'), element: { ...external, action_id: 'a' } }]);
    const opened = await stage.api('views.open', { trigger_id: await triggerOf(stage, 'U0MIA'), view });
    const id = String((opened.view as Json).id);
    stage.app.answer = () => ({ body: { option_groups: [{ label: plain('All'), options: [option('9')] }] } });
    await ask({ type: 'view', view_id: id }, 'any');
    stage.app.answer = () => ({});
    const values = { b: { a: { selected_option: { value: '9' } } } };
    expect(await stage.person('submit', { as: 'U0MIA', view_id: id, values })).toMatchObject({ ok: true });
    expect(lastPayload()).toMatchObject({
      view: { state: { values: { b: { a: { selected_option: option('9') } } } } },
    });
  });
});

describe('a shortcut', () => {
  it('a global shortcut sends the app a trigger and no channel', async () => {
    expect(await stage.person('shortcut', { as: 'U0MIA', callback_id: 'lookup' })).toEqual({ ok: true });
    expect(lastPayload()).toMatchObject({ type: 'shortcut', callback_id: 'lookup', user: { id: 'U0MIA' } });
    expect(lastPayload()).not.toHaveProperty('channel');
    const opened = await stage.api('views.open', { trigger_id: lastPayload().trigger_id, view: modal() });
    expect(opened).toMatchObject({ ok: true });
  });

  it('a message shortcut sends the app the message and a response_url', async () => {
    await stage.person('say', { as: 'U0ADA', channel: 'C0FRONTGATE', text: 'what is 0012?' });
    const { ts } = (await stage.messages('U0MIA', 'C0FRONTGATE')).at(-1)!;
    const request = { as: 'U0MIA', callback_id: 'lookup_message', channel: 'C0FRONTGATE', message_ts: ts };
    expect(await stage.person('shortcut', request)).toEqual({ ok: true });
    expect(lastPayload()).toMatchObject({
      type: 'message_action',
      channel: { id: 'C0FRONTGATE' },
      message: { text: 'what is 0012?', user: 'U0ADA' },
    });
    expect((await post(lastPayload().response_url, { text: 'a ticket' })).status).toBe(200);
    expect((await stage.messages('U0MIA', 'C0FRONTGATE')).at(-1)).toMatchObject({ ephemeral_for: 'U0MIA' });
  });

  it('a message shortcut that is used without a message is unknown', async () => {
    expect(await stage.person('shortcut', { as: 'U0MIA', callback_id: 'lookup_message' })).toMatchObject({
      error: 'unknown_shortcut',
    });
  });
});

describe('a file given in a modal', () => {
  const give = async (name: string, size = 5): Promise<Json> => {
    const form = new FormData();
    form.append('as', 'U0MIA');
    form.append('file', new Blob(['x'.repeat(size)]), name);
    const response = await fetch(`${stage.url}/sandbox/upload`, { method: 'POST', body: form });
    return ((await response.json()) as Json).file as Json;
  };
  const openWith = async (element: Json) => {
    const view = modal([{ ...textInput('file'), element: { type: 'file_input', action_id: 'value', ...element } }]);
    const opened = await stage.api('views.open', { trigger_id: await triggerOf(stage, 'U0MIA'), view });
    return String((opened.view as Json).id);
  };
  const submit = (view_id: string, ...files: Json[]) =>
    stage.person('submit', { as: 'U0MIA', view_id, values: { file: { value: { files } } } });

  it('a file of a modal reaches the app, which can fetch the file only with the app’s token', async () => {
    const file = await give('värde.csv');
    expect(await submit(await openWith({ filetypes: ['csv'], max_files: 1 }), file)).toMatchObject({ ok: true });
    const state = (lastPayload().view as { state: { values: Json } }).state.values;
    const [told] = (state.file as { value: { files: Json[] } }).value.files;
    expect(told).toMatchObject({ id: file.id, name: 'värde.csv', filetype: 'csv', size: 5, user: 'U0MIA' });
    const url = String(told!.url_private_download);
    const fetched = await fetch(url, { headers: { authorization: `Bearer xoxb-canary-0123456789abcdef` } });
    expect(await fetched.text()).toBe('xxxxx');
    const refused = await fetch(url, { redirect: 'manual', headers: { authorization: 'Bearer xoxb-other' } });
    expect(refused.status).toBe(302);
    expect(await stage.api('files.info', { file: file.id })).toMatchObject({ file: { url_private_download: url } });
  });

  wideIt('a file of a modal is refused if it has a wrong type, is too large, unknown or one too many', async () => {
    const csv = await give('a.csv');
    expect(await submit(await openWith({ filetypes: ['png'] }), csv)).toMatchObject({ error: 'not_offered' });
    expect(await submit(await openWith({ max_files: 1 }), csv, await give('b.csv'))).toMatchObject({
      error: 'too_many',
    });
    expect(await submit(await openWith({}), await give('big.csv', 10_000_001))).toMatchObject({ error: 'not_offered' });
    expect(await submit(await openWith({}), { id: 'F0NOTHING' })).toMatchObject({ error: 'not_offered' });
  });
});
