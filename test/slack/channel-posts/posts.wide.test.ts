import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { createRelays, relaySettingsSchema } from '../../../src/relay/index.js';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import type { Store } from '../../../src/workspaces/types.js';
import { postScan, scanForm } from '../../helpers/relay.js';
import { accountKey, eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
const bot = 'U0SCANDESK1';
const channel = 'C0FRONTGATE';
const key = { key: { 'connect.key': { type: 'plain_text_input', value: accountKey } } };

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

  it('a relay’s reply in doubt is in the thread only once, and a later reply follows', async () => {
    const scan = await newRelay({ rules: [rule({ id: 'again', name: 'Again', how: 'thread' })] });
    await scan({ tid: 'card-first' });
    await withBarcode('card-first');
    await testApp.rules({ faults: [{ method: 'chat.postMessage', times: 1, as: 'die' }] });
    await scan({ tid: 'once-only' });
    await scan({ tid: 'behind-it' });
    await withBarcode('behind-it');
    expect((await ada.messages(channel)).filter((message) => message.text.includes('once-only'))).toHaveLength(1);
  }, 40_000);
});
