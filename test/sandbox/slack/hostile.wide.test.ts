import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { botToken, type Json, modal, plain, type Stage, setStage, textInput, triggerOf } from './helpers.js';

let stage: Stage;
let view: string;
let ts: string;
beforeAll(async () => {
  stage = await setStage();
  await stage.api('conversations.join', { channel: 'C0FRONTGATE' });
  const blocks = [{ type: 'actions', block_id: 'b', elements: [{ type: 'button', action_id: 'a', text: plain('x') }] }];
  ts = String((await stage.api('chat.postMessage', { channel: 'C0FRONTGATE', text: 'x', blocks })).ts);
  const inputs = [
    textInput('file', { optional: true }, { type: 'file_input' }),
    textInput('a', { optional: true }),
    { type: 'actions', block_id: 'b', elements: [{ type: 'users_select', action_id: 'a' }] },
  ];
  const opened = await stage.api('views.open', { trigger_id: await triggerOf(stage), view: modal(inputs) });
  view = String((opened.view as Json).id);
});
afterAll(() => stage.close());

const status = async (path: string, init: RequestInit): Promise<number> => {
  const response = await fetch(`${stage.url}${path}`, { method: 'POST', ...init });
  await response.arrayBuffer();
  return response.status;
};

const methods = [
  'api.test',
  'auth.test',
  'chat.postMessage',
  'chat.update',
  'conversations.history',
  'conversations.list',
]
  .concat([
    'views.open',
    'views.update',
    'views.publish',
    'files.completeUploadExternal',
    'oauth.v2.access',
    'users.info',
  ])
  .concat(['conversations.open', 'reactions.add', 'usergroups.users.list', 'conversations.replies']);
const doors = [
  'say',
  'action',
  'options',
  'submit',
  'close',
  'home',
  'shortcut',
  'channels',
  'invite',
  'kick',
  'rules',
];

describe('whatever comes', () => {
  it('the simulated Web API responds to any request with HTTP 200', async () => {
    const some = fc.jsonValue({ maxDepth: 3 });
    const args = fc.record(
      {
        channel: fc.oneof(some, fc.constant('C0FRONTGATE')),
        ts: fc.oneof(some, fc.constant(ts)),
        limit: some,
        cursor: some,
      },
      { requiredKeys: [] },
    );
    const more = fc.record(
      {
        text: some,
        blocks: some,
        attachments: some,
        metadata: some,
        view: some,
        view_id: fc.oneof(some, fc.constant(view)),
        user: some,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...methods), args, more, fc.boolean(), async (method, first, second, asForm) => {
        const body = { ...first, ...second };
        const authorization = `Bearer ${botToken}`;
        const form = new URLSearchParams(
          Object.fromEntries(Object.entries(body).map(([name, value]) => [name, JSON.stringify(value) ?? ''])),
        );
        const got = asForm
          ? await status(`/api/${method}`, { headers: { authorization }, body: form })
          : await status(`/api/${method}`, {
              headers: { authorization, 'content-type': 'application/json' },
              body: JSON.stringify(body),
            });
        expect(got).toBe(200);
      }),
      { numRuns: 150 },
    );
  });

  it('the simulated workspace’s own API responds to any request with a known HTTP status', async () => {
    const some = fc.jsonValue({ maxDepth: 2 });
    const nested = fc.dictionary(fc.constantFrom('file', 'a', 'b'), fc.dictionary(fc.constantFrom('value', 'a'), some));
    const request = fc.record(
      {
        as: fc.oneof({ weight: 4, arbitrary: fc.constant('U0ADA') }, { weight: 1, arbitrary: some }),
        container: fc.oneof(
          fc.constant({ type: 'view', view_id: view }),
          fc.constant({ type: 'message', channel: 'C0FRONTGATE', ts }),
          some,
        ),
        block_id: fc.constantFrom('a', 'b', 'file', '__proto__'),
        action_id: fc.constantFrom('a', 'value', '__proto__'),
        chosen: fc.oneof(fc.record({ selected_user: some, files: some, value: some }, { requiredKeys: [] }), some),
        values: fc.oneof(nested, some),
        value: some,
        view_id: fc.oneof(fc.constant(view), some),
        channel: fc.oneof(fc.constant('C0FRONTGATE'), some),
        text: some,
      },
      { requiredKeys: ['as'] },
    );
    const keys: Readonly<Record<string, readonly string[]>> = {
      action: ['as', 'container', 'block_id', 'action_id', 'chosen', 'values'],
      options: ['as', 'container', 'block_id', 'action_id', 'value'],
      submit: ['as', 'view_id', 'values'],
      say: ['as', 'channel', 'text'],
    };
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...doors), request, async (door, body) => {
        const wanted = keys[door];
        const kept = wanted ? Object.fromEntries(Object.entries(body).filter(([key]) => wanted.includes(key))) : body;
        const headers = { 'content-type': 'application/json' };
        const got = await status(`/sandbox/${door}`, { headers, body: JSON.stringify(kept) });
        // 502: the app, which answers nothing here, offers no options.
        expect([200, 400, 403, 404, 409, 502]).toContain(got);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['a body that is no JSON', '/sandbox/say', { headers: { 'content-type': 'application/json' }, body: '{' }, 400],
    ['an upload that is no form', '/sandbox/upload', { body: 'x' }, 400],
    [
      'a form that breaks off',
      '/sandbox/upload',
      {
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
        body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nab',
      },
      400,
    ],
    ['a body that is too long', '/api/chat.postMessage', { body: `text=${'x'.repeat(2_000_001)}` }, 413],
    ['an upload to a URL that was made up', '/upload/v1/guess', { body: 'x' }, 400],
  ] as const)('a request to the simulated workspace is refused: %s', async (_name, path, init, expected) => {
    expect(await status(path, init as RequestInit)).toBe(expected);
  });
});
