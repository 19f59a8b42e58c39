import { afterAll, beforeAll, describe, expect } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { createRelays, type Relays, relaySettingsSchema } from '../../../src/relay/index.js';
import type { Store } from '../../../src/workspaces/types.js';
import { postScan, scanForm } from '../../helpers/relay.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { connect } from '../connected.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';
import { closeAll, reads, text } from './relay-stage.js';

const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };

describe('a relay with a channel that takes no posts', () => {
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

  const inChannel = async (channel: string, tid: string) =>
    (await ada.messages(channel)).filter((message) => message.text.includes(tid)).length;
  const showsUp = (channel: string, tid: string) =>
    eventually(async () => (await inChannel(channel, tid)) === 1, `${tid} in ${channel}`);
  const rule = (id: string, channel: string) => ({ id, channel, when: { kind: 'every' } });
  const homeSays = async (words: string) => {
    await ada.openHome();
    return eventually(async () => {
      const blocks = JSON.stringify((await ada.home())?.view.blocks);
      return blocks.includes(words) && blocks;
    }, `App Home with ${words}`);
  };

  const opened = async () => {
    await closeAll(ada);
    await ada.say('/scandesk relay');
    await ada.click(await ada.seesWindow('Relays'), 'relay.manage');
    return ada.seesWindow('Relay');
  };

  wideIt(
    'a relay’s blocked channel is shown by notice, window and App Home; other channels still get posts',
    async () => {
      const settings = relaySettingsSchema.parse({
        match: 'all',
        rules: [rule('one', 'C0FRONTGATE'), rule('two', 'C0FRONTGATE'), rule('three', 'C0STOCKROOM')],
      });
      // The relay's own channel is not the blocked one: with rules, the rules decide where it posts.
      const { relay, path } = await relays.create({
        ...{
          owner,
          serviceIds: [],
          serviceName: 'Main gate',
          channel: 'C0GENERAL',
          notable: 'all',
          createdBy: 'U0ADA',
        },
        settings,
      });
      const scan = (tid: string) => postScan(`${testApp.appUrl}${path}`, scanForm({ tid }));
      await testApp.post('/sandbox/kick', { as: 'U0ADA', channel: 'C0FRONTGATE', user: 'U0SCANDESK1' });
      expect((await scan('gone-1')).status).toBe(200);
      await showsUp('C0STOCKROOM', 'gone-1');
      const notice = await eventually(
        async () => (await ada.directMessages()).find(({ text: said }) => said.includes('can’t post in a channel')),
        'a notice',
      );
      expect(JSON.stringify(notice.blocks)).toContain('"channel_id":"C0FRONTGATE"');

      expect(await homeSays('Blocked in ')).toContain('relay.try_again');
      const blocked = await opened();
      expect(text(blocked)).toMatch(
        /Scandesk isn’t in .*, or the channel no longer exists, and 2 rules post there\. Invite Scandesk again, or choose another channel in those rules\./,
      );
      await ada.click(blocked, 'relay.try_again');
      await reads(ada, 'Still blocked. See below why, and what to do.');
      await testApp.post('/sandbox/invite', { as: 'U0ADA', channel: 'C0FRONTGATE', user: 'U0SCANDESK1' });
      await ada.click(await opened(), 'relay.try_again');
      expect(text(await reads(ada, 'Scandesk can post there again.'))).toContain('✅ Active');
      await showsUp('C0FRONTGATE', 'gone-1');

      await testApp.post('/sandbox/archive', { as: 'U0ADA', channel: 'C0FRONTGATE' });
      await scan('gone-2');
      await showsUp('C0STOCKROOM', 'gone-2');
      await homeSays('Blocked in ');
      expect(text(await opened())).toContain(' is archived, and 2 rules post there. Unarchive it, or choose');
      const rules = settings.rules.map((one) => ({ ...one, channel: 'C0STOCKROOM' }));
      await relays.change(owner, relay.id, { settings: { ...settings, rules } });
      await eventually(async () => (await relays.get(owner, relay.id))?.blocked.length === 0, 'no blocked channel');
      expect(text(await opened())).toContain('✅ Active');
      expect(await inChannel('C0FRONTGATE', 'gone-1')).toBe(1);
    },
  );
});
