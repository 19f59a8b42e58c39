import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { createRelays, type Relays } from '../../../src/relay/index.js';
import { createRelaysById } from '../../../src/relay/record/by-id.js';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import type { Store } from '../../../src/workspaces/types.js';
import { postScan, scanForm } from '../../helpers/relay.js';
import { read } from '../block-kit/reading.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
const bot = 'U0SCANDESK1';
const channel = 'C0FRONTGATE';

describe('an acknowledgement while posts are paused or blocked', () => {
  let testApp: TestApp;
  let store: Store;
  let mia: Person;
  let relays: Relays;

  beforeAll(async () => {
    testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
    mia = testApp.person('U0MIA');
    await testApp.post('/sandbox/invite', { as: 'U0ADA', channel, user: bot });
    store = await testApp.openStore();
    relays = createRelays({ store, clock: systemClock, random: systemRandom, onPosts: () => undefined });
  });
  afterAll(async () => {
    await store?.close();
    await testApp?.stop();
  });

  const messages = () => testApp.person('U0ADA').messages(channel);
  const posted = async (tid: string) => {
    const { relay, path } = await relays.create({
      ...{ owner, serviceIds: [], serviceName: 'Main gate', channel, notable: 'all', createdBy: 'U0ADA' },
    });
    expect((await postScan(`${testApp.appUrl}${path}`, scanForm({ tid }))).status).toBe(200);
    const post = await eventually(
      async () => (await messages()).find(({ user, text }) => user === bot && text.includes(tid)),
      'a post',
    );
    return { id: relay.id, post };
  };
  const toldMia = async () => {
    const told = (await mia.messages(channel)).findLast(({ ephemeral_for: who }) => who === 'U0MIA');
    return told && read(told.blocks);
  };
  const saysWho = (post: ShownMessage) =>
    eventually(async () => {
      const now = (await messages()).find(({ ts }) => ts === post.ts);
      return JSON.stringify(now?.blocks).includes('Acknowledged by <@U0MIA>');
    }, 'the name on the post');

  it('a post of a relay that a person paused still shows who acknowledged the post', async () => {
    const { id, post } = await posted('paused-1');
    await relays.pause(owner, id);
    await mia.choose(post, 'Acknowledge');
    await saysWho(post);
    expect(await toldMia()).toBeUndefined();
  });

  it('an acknowledgement in a blocked channel is confirmed in private, and on the post after the block', async () => {
    const { post } = await posted('blocked-1');
    const queue = store.db.updateTable('channel_queues').where('channel', '=', channel);
    await queue.set({ blocked_at: 1, blocked_code: 'slack.not_in_channel', retry_at: Date.now() + 60_000 }).execute();
    await mia.choose(post, 'Acknowledge');
    expect(await eventually(toldMia, 'a word')).toContain('Scandesk can’t post in this channel now');
    await queue.set({ blocked_at: null, blocked_code: null, retry_at: null }).execute();
    await saysWho(post);
  });

  it('an acknowledgement is confirmed in private while its relay lacks access, and on the post later', async () => {
    const { id, post } = await posted('paused-2');
    await createRelaysById(store.db).pauseFor(id, 'token_revoked', Date.now());
    await mia.choose(post, 'Acknowledge');
    expect(await eventually(toldMia, 'a word')).toContain('You acknowledged it.');
    await relays.resume(owner, id);
    await saysWho(post);
  });
});
