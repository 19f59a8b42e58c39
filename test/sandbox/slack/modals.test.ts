import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { faults, type Json, modal, plain, type Stage, setStage, textInput, triggerOf } from './helpers.js';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());
beforeEach(async () => {
  stage.app.heard.length = 0;
  stage.app.answer = () => ({});
});

const open = async (view: Json, as = 'U0ADA'): Promise<Json> => {
  const answer = await stage.api('views.open', { trigger_id: await triggerOf(stage, as), view });
  expect(answer).toMatchObject({ ok: true });
  return answer.view as Json;
};
const stack = async (as = 'U0ADA') => (await stage.look('views', { as })).stack as Json[];
const submit = (view: Json, values: Json = {}, as = 'U0ADA') =>
  stage.person('submit', { as, view_id: view.id, values });
const lastPayload = () => stage.app.heard.at(-1)!.payload;

describe('a trigger', () => {
  it('a trigger of the simulated Slack opens one modal, and no second modal', async () => {
    const trigger_id = await triggerOf(stage);
    expect(await stage.api('views.open', { trigger_id, view: modal() })).toMatchObject({ ok: true });
    expect(await stage.api('views.open', { trigger_id, view: modal() })).toMatchObject({
      ok: false,
      error: 'exchanged_trigger_id',
    });
  });

  it('a trigger of the simulated Slack expires after three seconds', async () => {
    await stage.person('rules', { triggerMs: 3000 });
    const trigger_id = await triggerOf(stage);
    stage.clock.forward(3001);
    expect(await stage.api('views.open', { trigger_id, view: modal() })).toMatchObject({ error: 'expired_trigger_id' });
    await stage.person('rules', { triggerMs: 60_000 });
  });

  it('a trigger that was made up is refused', async () => {
    expect(await stage.api('views.open', { trigger_id: '1.2.3', view: modal() })).toMatchObject({
      error: 'invalid_trigger_id',
    });
  });

  it('a trigger can be used again after a view that Slack refuses', async () => {
    const trigger_id = await triggerOf(stage);
    const refused = await stage.api('views.open', { trigger_id, view: modal([], { title: plain('x'.repeat(25)) }) });
    expect(refused).toMatchObject({ ok: false, error: 'invalid_arguments' });
    expect(faults(refused)).toEqual(['[ERROR] must be less than 25 characters [json-pointer:/view/title/text]']);
    expect(await stage.api('views.open', { trigger_id, view: modal() })).toMatchObject({ ok: true });
  });
});

describe('a modal', () => {
  it('a modal is shown to the person whose trigger opened it, and to nobody else', async () => {
    const view = await open(modal([textInput('a')], { private_metadata: 'kept' }));
    expect(view).toMatchObject({
      type: 'modal',
      private_metadata: 'kept',
      state: { values: {} },
      team_id: 'T0SANDBOX1',
    });
    expect(await stack()).toMatchObject([{ id: view.id, callback_id: 'a_modal' }]);
    expect(await stack('U0MIA')).toEqual([]);
  });

  it('modals can be stacked three high, and no higher', async () => {
    const first = await open(modal([textInput('a', { optional: true })]));
    const push = async () => {
      const id = (await stack()).at(-1)!.id;
      stage.app.answer = () => ({});
      await stage.person('action', {
        as: 'U0ADA',
        container: { type: 'view', view_id: id },
        block_id: 'more',
        action_id: 'push',
      });
      return stage.api('views.push', { trigger_id: lastPayload().trigger_id, view: pushing });
    };
    const pushing = modal([
      { type: 'actions', block_id: 'more', elements: [{ type: 'button', action_id: 'push', text: plain('More') }] },
    ]);
    await stage.api('views.update', { view_id: first.id, view: pushing });
    expect(await push()).toMatchObject({ ok: true, view: { previous_view_id: first.id, root_view_id: first.id } });
    expect(await push()).toMatchObject({ ok: true });
    expect(await push()).toMatchObject({ ok: false, error: 'push_limit_reached' });
    expect(await stack()).toHaveLength(3);
    await stage.person('close', { as: 'U0ADA', view_id: (await stack()).at(-1)!.id });
    expect(await stack()).toHaveLength(2);
    await stage.person('close', { as: 'U0ADA', view_id: (await stack()).at(-1)!.id, all: true });
    expect(await stack()).toEqual([]);
  });

  it('a modal cannot be pushed by a trigger that came from outside a modal', async () => {
    await open(modal());
    const trigger_id = await triggerOf(stage);
    expect(await stage.api('views.push', { trigger_id, view: modal() })).toMatchObject({ error: 'not_found' });
  });

  it('a modal is updated by ID and hash, and keeps the text typed into remaining fields', async () => {
    const view = await open(modal([textInput('a'), textInput('b')], { clear_on_close: true }));
    stage.app.answer = () => ({ body: { response_action: 'errors', errors: { a: 'Not that one.' } } });
    await submit(view, { a: { value: { value: 'typed' } }, b: { value: { value: 'gone' } } });
    const changed = modal([textInput('a'), textInput('c', {}, { initial_value: 'fresh' })]);
    const hash = (await stack())[0]!.hash;
    expect(await stage.api('views.update', { view_id: view.id, hash, view: changed })).toMatchObject({
      ok: true,
      view: {
        id: view.id,
        state: { values: { a: { value: { value: 'typed' } }, c: { value: { value: 'fresh' } } } },
      },
    });
    expect(await stage.api('views.update', { view_id: view.id, hash, view: changed })).toMatchObject({
      error: 'hash_conflict',
    });
  });

  it('a modal can be updated by its external_id, which must be unique', async () => {
    await open(modal([], { external_id: 'mine' }));
    expect(await stage.api('views.update', { external_id: 'mine', view: modal() })).toMatchObject({ ok: true });
    await open(modal([], { external_id: 'taken' }));
    const trigger_id = await triggerOf(stage, 'U0MIA');
    const second = await stage.api('views.open', { trigger_id, view: modal([], { external_id: 'taken' }) });
    expect(second).toMatchObject({ error: 'duplicate_external_id' });
  });

  it('a modal of more than 250 kB is refused', async () => {
    const blocks = Array.from({ length: 100 }, () => ({
      type: 'section',
      text: { type: 'plain_text', text: 'ä'.repeat(1300) },
    }));
    const trigger_id = await triggerOf(stage);
    expect(await stage.api('views.open', { trigger_id, view: modal(blocks) })).toMatchObject({
      error: 'view_too_large',
    });
  });

  it('a closed modal can no longer be changed', async () => {
    const view = await open(modal());
    await stage.person('close', { as: 'U0ADA', view_id: view.id });
    expect(await stage.api('views.update', { view_id: view.id, view: modal() })).toMatchObject({ error: 'not_found' });
  });

  it('a closed modal is reported to the app only if the view has notify_on_close', async () => {
    const quiet = await open(modal());
    stage.app.heard.length = 0;
    await stage.person('close', { as: 'U0ADA', view_id: quiet.id });
    expect(stage.app.heard).toEqual([]);
    const loud = await open(modal([], { notify_on_close: true }));
    await stage.person('close', { as: 'U0ADA', view_id: loud.id });
    expect(lastPayload()).toMatchObject({ type: 'view_closed', is_cleared: false, view: { id: loud.id } });
  });
});

describe('submitting', () => {
  it('a modal’s submission sends person, view and values, and an empty response closes the modal', async () => {
    const view = await open(modal([textInput('a')], { private_metadata: 'kept' }));
    expect(await submit(view, { a: { value: { type: 'plain_text_input', value: ' 007 ' } } })).toEqual({
      ok: true,
      response_action: 'close',
    });
    expect(lastPayload()).toMatchObject({
      type: 'view_submission',
      user: { id: 'U0ADA', team_id: 'T0SANDBOX1' },
      team: { id: 'T0SANDBOX1' },
      response_urls: [],
      view: {
        id: view.id,
        callback_id: 'a_modal',
        private_metadata: 'kept',
        state: { values: { a: { value: { type: 'plain_text_input', value: ' 007 ' } } } },
      },
    });
    expect(await stack()).toEqual([]);
  });

  it('a modal’s submission shows the errors of the response under the fields', async () => {
    const view = await open(modal([textInput('a')]));
    stage.app.answer = () => ({ body: { response_action: 'errors', errors: { a: 'That key is refused.' } } });
    const given = { a: { value: { value: 'x' } } };
    expect(await submit(view, given)).toEqual({
      ok: true,
      response_action: 'errors',
      errors: { a: 'That key is refused.' },
    });
    expect(await stack()).toMatchObject([{ id: view.id, errors: { a: 'That key is refused.' } }]);
    stage.app.answer = () => ({});
    expect(await submit(view, given)).toMatchObject({ response_action: 'close' });
  });

  it('the response to a modal’s submission can replace the modal, push a second modal, or close all', async () => {
    const view = await open(modal());
    stage.app.answer = () => ({ body: { response_action: 'update', view: modal([], { callback_id: 'saving' }) } });
    expect(await submit(view)).toMatchObject({ ok: true, response_action: 'update' });
    expect(await stack()).toMatchObject([{ id: view.id, callback_id: 'saving' }]);
    stage.app.answer = () => ({ body: { response_action: 'push', view: modal([], { callback_id: 'over' }) } });
    expect(await submit(view)).toMatchObject({ response_action: 'push' });
    expect(await stack()).toMatchObject([{ callback_id: 'saving' }, { callback_id: 'over' }]);
    const top = (await stack()).at(-1)!;
    stage.app.answer = () => ({ body: { response_action: 'clear' } });
    expect(await submit(top)).toMatchObject({ response_action: 'clear' });
    expect(await stack()).toEqual([]);
  });

  it.each<[string, Json | string]>([
    ['text that is no JSON', 'Saved!'],
    ['an unknown action', { response_action: 'reopen' }],
    ['errors for a block that is no input', { response_action: 'errors', errors: { nowhere: 'x' } }],
    ['an empty list of errors', { response_action: 'errors', errors: {} }],
    ['a view that Slack refuses', { response_action: 'update', view: { type: 'modal', blocks: [] } }],
    ['a home in place of a modal', { response_action: 'update', view: { type: 'home', blocks: [] } }],
  ])(
    'a modal’s submission fails with “trouble connecting”, and the modal stays, when the app responds with %s',
    async (_name, body) => {
      const view = await open(modal([textInput('a', { optional: true })]));
      stage.app.answer = () => ({ body });
      expect(await submit(view)).toMatchObject({ ok: false, error: 'trouble_connecting', why: expect.any(String) });
      expect(await stack()).toMatchObject([{ id: view.id }]);
    },
  );

  it('a modal’s submission fails with “trouble connecting” when the app is late, and the modal stays', async () => {
    const view = await open(modal());
    let release = (): void => undefined;
    const held = new Promise<void>((done) => {
      release = done;
    });
    stage.app.answer = () => held.then(() => ({}));
    await stage.person('rules', { acknowledgeMs: 50 });
    expect(await submit(view)).toEqual({ ok: false, error: 'trouble_connecting', why: 'operation_timeout' });
    await stage.person('rules', { acknowledgeMs: 10_000 });
    release();
    expect(await stack()).toMatchObject([{ id: view.id }]);
  });

  it.each<[string, Json, string | null, boolean]>([
    ['no text in a required field is refused', {}, null, false],
    ['no text in an optional field is sent to the app', { optional: true }, null, true],
    ['fewer characters than the minimum is refused', { element: { min_length: 3 } }, 'ab', false],
    ['the minimum of characters is sent to the app', { element: { min_length: 3 } }, 'abc', true],
    ['more characters than the maximum is refused', { element: { max_length: 2 } }, 'abc', false],
    [
      'a word in a number field is refused',
      { element: { type: 'number_input', is_decimal_allowed: true } },
      'one',
      false,
    ],
    [
      'a fraction in a field for whole numbers is refused',
      { element: { type: 'number_input', is_decimal_allowed: false } },
      '1.5',
      false,
    ],
    [
      'a number above the maximum is refused',
      { element: { type: 'number_input', is_decimal_allowed: false, max_value: '9' } },
      '10',
      false,
    ],
    [
      'a number above the minimum is sent to the app',
      { element: { type: 'number_input', is_decimal_allowed: true, min_value: '-1' } },
      '-0.5',
      true,
    ],
    ['an invalid e-mail address is refused', { element: { type: 'email_text_input' } }, 'ada at example', false],
    ['an e-mail address is sent to the app', { element: { type: 'email_text_input' } }, 'ada@example.com', true],
    ['an invalid URL is refused', { element: { type: 'url_text_input' } }, 'example', false],
    ['a URL is sent to the app', { element: { type: 'url_text_input' } }, 'https://example.com/x', true],
  ])('a modal’s submission with %s', async (_name, { element = {}, ...block }, value, good) => {
    const view = await open(modal([textInput('a', block as Json, element as Json)]));
    stage.app.heard.length = 0;
    const result = await submit(view, { a: { value: { value } } });
    expect(result.ok).toBe(good);
    expect(stage.app.heard).toHaveLength(good ? 1 : 0);
    if (!good) {
      expect(result).toMatchObject({ error: 'invalid_input', errors: { a: expect.any(String) } });
    }
  });

  it('a modal’s submission has a response_url for a chosen channel where the app requested one', async () => {
    const picker = { type: 'conversations_select', action_id: 'value', response_url_enabled: true };
    const view = await open(
      modal([{ ...textInput('where'), element: { ...picker, default_to_current_conversation: true } }]),
    );
    await submit(view);
    const [given] = lastPayload().response_urls as Json[];
    expect(given).toMatchObject({ block_id: 'where', action_id: 'value', channel_id: 'C0FRONTGATE' });
    const posted = await fetch(String(given!.response_url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'set up', response_type: 'in_channel' }),
    });
    expect(posted.status).toBe(200);
    expect((await stage.messages('U0MIA', 'C0FRONTGATE')).at(-1)).toMatchObject({ text: 'set up' });
  });

  it('a modal’s submission by a person who did not open the modal is refused', async () => {
    const view = await open(modal());
    expect(await submit(view, {}, 'U0MIA')).toMatchObject({ ok: false, error: 'view_not_found' });
  });
});

describe('App Home', () => {
  const home = (text: string): Json => ({ type: 'home', blocks: [{ type: 'header', text: plain(text) }] });

  it('App Home is published by the app when it gets the event that a person opened Home', async () => {
    stage.app.answer = async ({ payload }) => {
      const { user } = payload.event as { user: string };
      await stage.api('views.publish', { user_id: user, view: home(`Hello ${user}`) });
      return {};
    };
    expect(await stage.person('home', { as: 'U0MIA' })).toMatchObject({
      view: { type: 'home', view: { blocks: [{ text: { text: 'Hello U0MIA' } }] } },
    });
    expect(stage.app.heard.at(-1)!.payload).toMatchObject({
      type: 'event_callback',
      team_id: 'T0SANDBOX1',
      event: { type: 'app_home_opened', user: 'U0MIA', tab: 'home' },
      authorizations: [{ team_id: 'T0SANDBOX1', is_bot: true }],
    });
    expect(await stage.look('home', { as: 'U0ADA' })).toEqual({ view: null });
  });

  it('App Home is published with a hash only if the hash is the current one', async () => {
    const first = await stage.api('views.publish', { user_id: 'U0ADA', view: home('one') });
    const { hash } = first.view as Json;
    expect(await stage.api('views.publish', { user_id: 'U0ADA', hash, view: home('two') })).toMatchObject({ ok: true });
    expect(await stage.api('views.publish', { user_id: 'U0ADA', hash, view: home('three') })).toMatchObject({
      error: 'hash_conflict',
    });
  });

  it('App Home accepts neither a modal nor a person of another workspace', async () => {
    expect(await stage.api('views.publish', { user_id: 'U0ADA', view: modal() })).toMatchObject({
      error: 'invalid_arguments',
    });
    expect(await stage.api('views.publish', { user_id: 'U0BO', view: home('x') })).toMatchObject({
      error: 'user_not_found',
    });
  });
});
