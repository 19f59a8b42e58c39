import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import { botScopes } from '../../../src/slack/bolt/scopes.js';
import type { Store } from '../../../src/workspaces/types.js';
import { closeAll, connect, makeRelay, reads, scan, text } from '../relays/relay-stage.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

const bot = 'U0SCANDESK1';
const channel = 'C0FRONTGATE';

/** The app's token is valid but has fewer scopes, as if it was installed before the manifest asked for more. */
describe('a relay whose app lacks a scope', () => {
  const lines: string[] = [];
  let testApp: TestApp;
  let store: Store;
  let ada: Person;

  beforeAll(async () => {
    testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' }, lines });
    ada = testApp.person('U0ADA');
    store = await testApp.openStore();
    await connect(ada);
  });
  afterEach(() => granted(botScopes));
  afterAll(async () => {
    await store?.close();
    await testApp?.stop();
  });

  const granted = (scopes: readonly string[]) => testApp.post('/sandbox/install', { scopes });
  const without = (...scopes: string[]) => botScopes.filter((scope) => !scopes.includes(scope));
  const cutNextAnswer = () => testApp.rules({ faults: [{ method: 'chat.postMessage', times: 1, as: 'die' }] });
  const posted = async (tid: string) =>
    (await ada.messages(channel)).filter(({ user, text: said }: ShownMessage) => user === bot && said.includes(tid))
      .length;
  const showsUp = (tid: string) =>
    eventually(async () => ((await posted(tid)) > 0 ? true : undefined), `a post of ${tid}`);
  const pausedWhy = async (id: string) =>
    (await store.db.selectFrom('relays').select('paused_why').where('id', '=', id).executeTakeFirstOrThrow())
      .paused_why;
  const states = async (id: string) =>
    (
      await store.db
        .selectFrom('outbox')
        .select(['state', 'last_code'])
        .where('source_id', '=', id)
        .orderBy('seq')
        .execute()
    ).map(({ state, last_code: code }) => [state, code]);
  const window = async (id: string) => {
    await closeAll(ada);
    await ada.say('/scandesk relay');
    const list = await ada.seesWindow('Relays');
    const row = list.view.blocks as { block_id: string; elements?: { action_id: string; value?: string }[] }[];
    const manage = row.find(({ elements }) => elements?.some(({ value }) => value?.includes(id)));
    await ada.click(list, 'relay.manage', undefined, manage!.block_id);
    return ada.seesWindow('Relay');
  };
  const replay = async (id: string) => ada.click(await window(id), 'relay.replay');

  it('an app without the scope to search names the scope, gives up the post in doubt, and delivers later posts', async () => {
    const { url, id } = await makeRelay(ada, { channel });
    await granted(without('channels:history'));
    await cutNextAnswer();
    await scan(url, { tid: 'lost-1' });
    await scan(url, { tid: 'next-1' });
    await showsUp('next-1');
    expect(await states(id)).toEqual([
      ['dead', 'doubt.slack.missing_scope:channels:history'],
      ['delivered', null],
    ]);
    expect(await pausedWhy(id)).toBeNull();
    expect(lines.some((line) => line.includes('slack.missing_scope:channels:history'))).toBe(true);

    expect(text(await window(id))).toContain(
      'because it is missing the permission channels:history (to add it, a workspace admin can install Scandesk again',
    );

    // A retry while the scope is still missing ends in the same way, and pauses no relay.
    await replay(id);
    await eventually(async () => (await states(id))[0]?.[0] === 'dead', 'the post set aside again');
    expect(await pausedWhy(id)).toBeNull();

    await granted(botScopes);
    await replay(id);
    await eventually(async () => (await states(id))[0]?.[0] === 'delivered', 'the post that was found');
    expect([await posted('lost-1'), await posted('next-1')]).toEqual([1, 1]);
  });

  it('an app without the scope to post names the scope, pauses no relay, and posts after a grant', async () => {
    const { url, id } = await makeRelay(ada, { channel });
    await granted(without('chat:write'));
    await scan(url, { tid: 'held-1' });
    await scan(url, { tid: 'held-2' });
    await eventually(async () => (await states(id))[0]?.[1] === 'slack.missing_scope:chat:write', 'the reason');
    expect((await states(id)).map(([state]) => state)).toEqual(['pending', 'pending']);
    expect(await pausedWhy(id)).toBeNull();
    expect(text(await window(id))).toContain('Posts are pending: Scandesk is missing the permission chat:write');
    await granted(botScopes);
    await ada.click(await window(id), 'relay.pause');
    await ada.click(await reads(ada, 'Resume'), 'relay.resume');
    await showsUp('held-2');
    expect([await posted('held-1'), await posted('held-2')]).toEqual([1, 1]);
  });
});
