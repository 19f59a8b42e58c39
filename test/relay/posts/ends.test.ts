/** What ends a post, and that nothing holds up its channel for longer than a day. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { StoreError } from '../../../src/database/errors.js';
import { relayPost } from '../../../src/slack/channel-posts/blocks/relay-post.js';
import { describeReason } from '../../../src/slack/channel-posts/describe/describe-state.js';
import { tidOf } from '../../helpers/channels.js';
import { onEachDatabase } from '../../helpers/databases.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { allDay, hour, minute, openWorld } from './world.js';

onEachDatabase('the end of a post', (databases) => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) {
      await close();
    }
  });
  const open = async () => {
    const world = await openWorld(databases, closing);
    const relay = await world.newRelay({
      rules: [{ id: 'all', channel: 'C1', when: [{ kind: 'result', is: 'invalid' }] }],
    });
    await relay.scan({ tid: 'first' });
    await relay.scan({ tid: 'second' });
    const states = async () =>
      (await world.outbox()).filter(({ kind }) => kind === 'scan').map(({ state, last_code: code }) => [state, code]);
    /** Whether the channel's first open post has been tried, and waits. */
    const isWaiting = async () => {
      const [head] = (await world.outbox()).filter(({ finished_at }) => finished_at === null);
      return head === undefined || (head.state !== 'sending' && head.next_at > world.now());
    };
    /** Moves the clock on in steps, with time for each to work. */
    const passHours = async (hours: number, done: () => Promise<boolean>) => {
      for (let n = 0; n < hours * 2 && !(await done()); n++) {
        world.setNow(world.now() + 30 * minute);
        await wait(40);
        for (let tries = 0; tries < 50 && !(await isWaiting()); tries++) {
          await wait(20);
        }
      }
    };
    const sent = async () => (await states())[1]?.[0] === 'delivered';
    return { world, relay, states, passHours, sent };
  };

  it('a post whose attempts are never confirmed and never found ends within a day, and says that it may be in the channel', async () => {
    const { world, states, passHours, sent } = await open();
    const stop = world.delivering({
      post: async (post, signal) =>
        tidOf(post as never) === 'first'
          ? { outcome: 'unconfirmed', code: 'slack.request_broken' }
          : await world.channels.post(post, signal),
    });
    const began = world.now();
    await passHours(30, sent);
    await stop();
    const [[state, code], second] = (await states()) as [[string, string], [string, null]];
    expect([state, second[0]]).toEqual(['dead', 'delivered']);
    expect(describeReason(code)).toMatch(/it may be in the channel all the same$/);
    expect(world.now() - began).toBeLessThan(26 * hour);
  });

  it('a post that cannot be drawn becomes a dead letter at the second failure', async () => {
    const { world, states, passHours, sent } = await open();
    let drawn = 0;
    const stop = world.delivering({
      post: async (post, signal) => {
        if (tidOf(post as never) === 'first') {
          drawn += 1;
          throw new Error('a message that Slack would refuse');
        }
        return await world.channels.post(post, signal);
      },
    });
    await passHours(2, sent);
    await stop();
    expect(drawn).toBe(2);
    expect(await states()).toEqual([
      ['dead', 'relay.undrawn'],
      ['delivered', null],
    ]);
  });

  wideIt('a store that fails while a post is drawn is no attempt: the post is sent after a day of it', async () => {
    const { world, states, passHours, sent } = await open();
    let fails = true;
    const stop = world.delivering({
      post: async (post, signal) => {
        if (fails) {
          throw new StoreError('store.unavailable', 'the store is down');
        }
        return await world.channels.post(post, signal);
      },
    });
    await passHours(30, async () => false);
    expect((await states()).map(([state]) => state)).toEqual(['pending', 'pending']);
    fails = false;
    await passHours(2, sent);
    await stop();
    expect((await states()).map(([state]) => state)).toEqual(['delivered', 'delivered']);
  });

  it.each([36, 64, 128])(
    'an alert about a device with an id of %i characters can be drawn with its menu',
    async (length) => {
      const world = await openWorld(databases, closing);
      const udid = 'a'.repeat(length);
      const when = { kind: 'silence', of: 'device', ids: [udid], minutes: 30, hours: allDay };
      const relay = await world.newRelay({ rules: [{ id: '01kqhranx0f16ew0m2hr9jw2a3', channel: 'C1', when }] });
      await relay.scan({ status: '1', udid });
      await world.passBy(31 * minute);
      const alert = (await world.deliver()).find(({ kind }) => kind === 'silence')!;
      expect(JSON.stringify(relayPost(alert).blocks)).toContain('post.menu');
    },
  );

  it('an alert that ends while Slack takes no updates for 36 hours is shown as over once Slack is back', async () => {
    const world = await openWorld(databases, closing);
    const when = { kind: 'burst', n: 3, minutes: 60 };
    const relay = await world.newRelay({ rules: [{ id: 'b', name: 'Refusals', channel: 'C1', when }] });
    for (const tid of ['a', 'b', 'c']) {
      await relay.scan({ tid });
    }
    await world.deliver();
    await world.passBy(61 * minute);
    let failed = 0;
    const back = world.now() + 36 * hour;
    const isDown = () => world.now() < back;
    const stop = world.delivering({
      async edit(post, ts, signal) {
        failed += isDown() ? 1 : 0;
        return isDown() ? { outcome: 'retry', code: 'slack.http_503' } : await world.channels.edit(post, ts, signal);
      },
    });
    while (isDown()) {
      const before = failed;
      await expect.poll(() => failed, { interval: 10 }).toBeGreaterThan(before);
      world.setNow(world.now() + 90 * minute);
    }
    const isShown = () =>
      world.channels.edited.some(({ post }) => post.kind === 'burst' && post.incident?.ended !== undefined);
    await expect.poll(isShown, { interval: 10 }).toBe(true);
    await stop();
    expect(failed).toBeGreaterThan(20);
  });

  it('a person who gets an alert of a paused relay is mentioned at once, and posts of scans wait', async () => {
    const world = await openWorld(databases, closing);
    const when = { kind: 'burst', n: 3, minutes: 60 };
    const all = { id: 'all', channel: 'C1', when: [{ kind: 'result', is: 'invalid' }] };
    const relay = await world.newRelay({ match: 'all', rules: [{ id: 'b', channel: 'C1', when }, all] });
    for (const tid of ['a', 'b', 'c']) {
      await relay.scan({ tid });
    }
    await world.deliver();
    await world.relays.pause(world.owner, relay.id);
    await relay.scan({ tid: 'held' });
    const [incident] = await world.incidents();
    await world.relays.postActions.handOver(world.owner, incident!.post_key, { who: 'U1', to: 'U2' });
    const mentioned = () => world.channels.posted.some(({ post }) => post?.mention.users.includes('U2'));
    await world.deliver(async () => mentioned());
    expect(world.channels.in('C1')).not.toContain('held');
    await world.relays.resume(world.owner, relay.id);
    await world.deliver();
    expect(world.channels.in('C1')).toContain('held');
  });
});
