import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../../src/workspaces/types.js';
import { connect, makeRelay, scan } from '../relays/relay-stage.js';
import { eventually, startTestApp, type TestApp } from '../test-app.js';

const channel = 'C0FRONTGATE';
const team = 'T0SANDBOX1';

describe('the event of a posted message', () => {
  let testApp: TestApp;
  let store: Store;
  let url: string;

  beforeAll(async () => {
    testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
    store = await testApp.openStore();
    const ada = testApp.person('U0ADA');
    await connect(ada);
    ({ url } = await makeRelay(ada, { channel }));
  });
  afterAll(async () => {
    await store?.close();
    await testApp?.stop();
  });

  const messageOf = async (tid: string) =>
    (await testApp.person('U0ADA').messages(channel)).find(({ text }) => text.includes(tid));
  const postOf = async (tid: string) =>
    await store.db
      .selectFrom('outbox')
      .innerJoin('received_scans', 'received_scans.id', 'outbox.scan_id')
      .select(['outbox.key', 'outbox.state', 'outbox.ts'])
      .where('received_scans.tid', '=', tid)
      .executeTakeFirstOrThrow();
  /** Makes a post in doubt: Slack takes it, its answer is lost, and the history cannot be read for 50 seconds. */
  const inDoubt = async (tid: string) => {
    await testApp.rules({
      faults: [
        { method: 'chat.postMessage', times: 1, as: 'die' },
        { method: 'conversations.history', times: 1, as: '429', retryAfter: 50 },
      ],
    });
    await scan(url, { tid });
    const searched = async () => (await testApp.calls()).some(({ method }) => method === 'conversations.history');
    await eventually(async () => ((await searched()) ? true : undefined), 'a search for the post in doubt');
    return (await messageOf(tid))!;
  };
  const send = (event: object, more: object = {}) =>
    testApp.signed(
      JSON.stringify({
        ...{ type: 'event_callback', team_id: team, api_app_id: 'A0SCANDESK', event_id: 'Ev1', event_time: 1 },
        ...{ authorizations: [{ team_id: team, user_id: 'U0SCANDESK1', is_bot: true }], event, ...more },
      }),
      { type: 'application/json' },
    );

  it('a message event, sent twice, confirms a post in doubt only if app, bot, team and channel match', async () => {
    const message = await inDoubt('seen-1');
    expect(message.metadata?.event_payload).toEqual({ key: (await postOf('seen-1')).key, generation: 0 });
    const event = {
      type: 'message_metadata_posted',
      ...{ app_id: 'A0SCANDESK', bot_id: 'B0SCANDESK1', user_id: 'U0SCANDESK1', team_id: team, channel_id: channel },
      ...{ metadata: message.metadata, message_ts: message.ts, event_ts: message.ts },
    };
    const { metadata } = message;
    for (const wrong of [
      { app_id: 'A0OTHER' },
      { bot_id: 'B0OTHER' },
      { team_id: 'T0OTHER' },
      { channel_id: 'C0STOCKROOM' },
      { message_ts: 'soon' },
      { metadata: { ...metadata, event_type: 'other' } },
      { metadata: { ...metadata, event_payload: { ...metadata!.event_payload, generation: 1 } } },
      { metadata: { ...metadata, event_payload: { key: metadata!.event_payload.key } } },
    ]) {
      expect((await send({ ...event, ...wrong })).status).toBe(200);
    }
    expect((await send(event, { api_app_id: 'A0OTHER' })).status).toBe(200);
    // The listeners of these events run after the HTTP response.
    await new Promise((done) => setTimeout(done, 300));
    expect((await postOf('seen-1')).state).toBe('unconfirmed');

    await Promise.all([send(event), send(event)]);
    await eventually(async () => ((await postOf('seen-1')).state === 'delivered' ? true : undefined), 'a receipt');
    expect((await postOf('seen-1')).ts).toBe(message.ts);
    await testApp.rules({ faults: [] });
    expect((await testApp.calls()).filter(({ method, ok }) => method === 'conversations.history' && ok)).toEqual([]);
  });
});
