import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { createRelays, type Relays, relaySettingsSchema } from '../../../src/relay/index.js';
import type { Store } from '../../../src/workspaces/types.js';
import { postScan, scanForm } from '../../helpers/relay.js';
import { connect } from '../connected.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';
import { closeAll, reads, text } from './relay-stage.js';

const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };

describe('a relay of whose channels one is archived', () => {
  let testApp: TestApp;
  let store: Store;
  let relays: Relays;
  let ada: Person;
  beforeAll(async () => {
    testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
    ada = testApp.person('U0ADA');
    await connect(ada);
    for (const channel of ['C0FRONTGATE', 'C0STOCKROOM']) {
      await testApp.post('/sandbox/invite', { as: 'U0ADA', channel, user: 'U0SCANDESK1' });
    }
    store = await testApp.openStore();
    relays = createRelays({ store, clock: systemClock, random: systemRandom, onPosts: () => undefined });
  });
  afterAll(async () => {
    await store?.close();
    await testApp?.stop();
  });

  const opened = async () => {
    await closeAll(ada);
    await ada.say('/scandesk relay');
    await ada.click(await ada.seesWindow('Relays'), 'relay.manage');
    return ada.seesWindow('Relay');
  };

  it('says which one, how many rules post there and what to do, and goes on elsewhere', async () => {
    const rule = (id: string, channel: string) => ({ id, channel, when: { kind: 'every' } });
    const settings = relaySettingsSchema.parse({
      match: 'all',
      rules: [rule('one', 'C0FRONTGATE'), rule('two', 'C0FRONTGATE'), rule('three', 'C0STOCKROOM')],
    });
    // Its own channel is another by now: what matters is where its rules post.
    const { relay, path } = await relays.create({
      ...{ owner, serviceIds: [], serviceName: 'Main gate', channel: 'C0GENERAL', notable: 'all', createdBy: 'U0ADA' },
      settings,
    });
    await testApp.post('/sandbox/archive', { as: 'U0ADA', channel: 'C0FRONTGATE' });
    expect((await postScan(`${testApp.appUrl}${path}`, scanForm({ tid: 'gone-1' }))).status).toBe(200);
    await eventually(async () => (await relays.get(owner, relay.id))?.relay.paused, 'a pause');

    const paused = await opened();
    expect(JSON.stringify(paused.view.blocks)).toMatch(
      /can’t post in "[^}]*},?}?,{"type":"channel","channel_id":"C0FRONTGATE"}/,
    );
    expect(text(paused)).toContain(
      '<#C0FRONTGATE> is archived, and 2 rules post there. Choose another channel in those rules. Then press Resume.',
    );
    const rules = settings.rules.map((one) => ({ ...one, channel: 'C0STOCKROOM' }));
    await relays.change(owner, relay.id, { settings: { ...settings, rules } });
    const moved = await opened();
    expect(text(moved)).toContain('Pending posts will be sent to the relay’s new channels. Press Resume.');
    expect(text(moved)).not.toContain('<#C0FRONTGATE>');
    await ada.click(moved, 'relay.resume');
    expect(text(await reads(ada, 'Resumed. Waiting posts are being delivered.'))).toContain('✅ Active');
    await eventually(
      async () => (await ada.messages('C0STOCKROOM')).some((message) => message.text.includes('gone-1')),
      'a post in the other channel',
    );
  });
});
