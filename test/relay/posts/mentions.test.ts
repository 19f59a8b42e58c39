/** Whom a post mentions: every rule that matched, none that rests, each at most once for a rule and its quiet hours. */
import { afterEach, expect, it } from 'vitest';
import { createScanErasure, relaySettingsSchema } from '../../../src/relay/index.js';
import { relayPost } from '../../../src/slack/channel-posts/blocks/relay-post.js';
import { onEachDatabase } from '../../helpers/databases.js';
import { allDay, hour, minute, openWorld } from './world.js';

const night = { ...allDay, from: '20:00', to: '08:00' };
const all = { id: 'all', channel: 'C1', when: [{ kind: 'result', is: 'invalid' }] };
const vip = {
  ...{ id: 'vip', name: 'VIP', channel: 'C1', mention: { users: ['U7'], groups: [] } },
  when: [{ kind: 'value', is: ['VIP'] }],
};
const digest = { how: 'digest', digestMinutes: 15 };
const [at15, at23] = [Date.UTC(2026, 4, 1, 15), Date.UTC(2026, 4, 1, 23)];

onEachDatabase('the mentions of a post', (databases) => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) {
      await close();
    }
  });
  const open = async (rules: object[], start = at23) => {
    const world = await openWorld(databases, closing, start);
    const relay = await world.newRelay({ match: 'all', rules });
    return {
      ...{ ...world, relay },
      edit: (edited: object[]) =>
        world.relays.change(world.owner, relay.id, {
          settings: relaySettingsSchema.parse({ match: 'all', rules: edited }),
        }),
      /** The kind of each message so far, with the people it mentions. */
      heard: async () => (await world.deliver()).map(({ kind, mention }) => [kind, ...mention.users].join(' ')),
    };
  };

  it('a rule in its quiet hours mentions people once, when these end, under the first message that showed its scans', async () => {
    const { relay, pass, passBy, heard, channels, outbox } = await open([all, { ...vip, quiet: night }]);
    for (let n = 0; n < 3; n++) {
      await relay.scan({ tid: 'VIP' });
      await pass(minute);
    }
    expect(await heard()).toEqual(['scan', 'scan', 'scan']);
    await passBy(10 * hour, 10 * minute);
    expect(await heard()).toEqual(['scan', 'scan', 'scan', 'mention U7']);
    const last = channels.posted.at(-1);
    expect(last?.post?.threadTs).toBe((await outbox())[0]?.ts);
    expect(JSON.stringify(relayPost(last!.post!))).toMatch(/<@U7>.*Scans matched a rule in its quiet hours.*“VIP”/);
    await passBy(24 * hour, hour);
    expect((await heard()).length).toBe(4);
  });

  it('the digest that a rule makes at night speaks also for its scans that another rule posted', async () => {
    const quiet = { ...vip, quiet: night };
    const { relay, edit, pass, passBy, heard } = await open([all, quiet]);
    await relay.scan({ tid: 'VIP' });
    expect(await heard()).toEqual(['scan']);
    await edit([quiet]);
    await pass(minute);
    await relay.scan({ tid: 'VIP' });
    await passBy(10 * hour, 10 * minute);
    expect(await heard()).toEqual(['scan', 'digest U7']);
  });

  it('a mention for a scan that another rule posted is heard though the only scan of its rule’s digest was forgotten', async () => {
    const quiet = { ...vip, quiet: night };
    const { relay, edit, pass, passBy, heard, store, owner, clock } = await open([all, quiet]);
    await relay.scan({ tid: 'VIP' });
    await heard();
    await edit([quiet]);
    await pass(minute);
    await relay.scan({ tid: 'VIP-2' });
    const { forget } = createScanErasure(store, clock);
    await forget(owner, 'VIP-2', { keepCounts: true }, new AbortController().signal);
    await passBy(10 * hour, 10 * minute);
    expect(await heard()).toEqual(['scan', 'mention U7']);
  });

  it.each([
    ['does not come if all scans that it stands for were forgotten', ['VIP', 'VIP'], false],
    ['comes if only the first of the scans that it stands for was forgotten', ['VIP', 'VIP-2'], true],
  ])('a mention that waits for the end of quiet hours %s', async (_, tids, comes) => {
    const value = { kind: 'value', is: ['VIP', 'VIP-2'] };
    const { relay, pass, passBy, heard, store, owner, clock } = await open([
      all,
      { ...vip, when: [value], quiet: night },
    ]);
    for (const tid of tids) {
      await relay.scan({ tid });
      expect(await heard()).toContain('scan');
      await pass(minute);
    }
    await createScanErasure(store, clock).forget(owner, 'VIP', { keepCounts: true }, new AbortController().signal);
    await passBy(10 * hour, 10 * minute);
    expect(await heard()).toEqual(['scan', 'scan', ...(comes ? ['mention U7'] : [])]);
  });

  it('a mention that is on its way is missed once all scans that it stands for were forgotten', async () => {
    const { relay, passBy, heard, store, owner, clock, outbox } = await open([all, { ...vip, quiet: night }]);
    await relay.scan({ tid: 'VIP' });
    await heard();
    await passBy(10 * hour, 10 * minute);
    await createScanErasure(store, clock).forget(owner, 'VIP', { keepCounts: true }, new AbortController().signal);
    expect(await heard()).toEqual(['scan']);
    expect((await outbox()).map(({ kind, state }) => `${kind} ${state}`)).toEqual(['mention missed']);
  });

  it('a mention that waits for the end of quiet hours comes at once when these are removed', async () => {
    const { relay, edit, pass, heard } = await open([all, { ...vip, quiet: night }]);
    await relay.scan({ tid: 'VIP' });
    await heard();
    await edit([all, vip]);
    await pass(minute);
    expect(await heard()).toEqual(['scan', 'mention U7']);
  });

  it.each([
    ['was open before', ['a', 'VIP']],
    ['began with it', ['VIP', 'a']],
  ])('a digest mentions the people of each rule that matched a scan in it: the digest %s', async (_, tids) => {
    const { relay, pass, passBy, heard } = await open(
      [
        { ...all, ...digest },
        { ...vip, ...digest },
      ],
      at15,
    );
    for (const tid of tids) {
      await relay.scan({ tid });
      await pass(minute);
    }
    await passBy(20 * minute);
    expect((await heard()).join()).toMatch(/^(digest|digest,digest|digest U7,digest|digest,digest U7|digest U7)$/);
    expect((await heard()).join().match(/U7/g)).toEqual(['U7']);
  });

  it('a digest leaves the people of a rule in its quiet hours to a reply at their end', async () => {
    const { relay, passBy, heard } = await open([
      { ...all, ...digest },
      { ...vip, quiet: night },
    ]);
    await relay.scan({ tid: 'a' });
    await relay.scan({ tid: 'VIP' });
    await passBy(20 * minute);
    expect(await heard()).toEqual(['digest']);
    await passBy(10 * hour, 10 * minute);
    expect(await heard()).toEqual(['digest', 'mention U7']);
  });

  it('a scan goes into the digest that comes first of the rules that match it', async () => {
    const { relay, passBy, heard } = await open(
      [
        { ...all, ...digest, digestMinutes: 720 },
        { ...vip, ...digest },
      ],
      at15,
    );
    await relay.scan({ tid: 'VIP' });
    await passBy(20 * minute);
    expect(await heard()).toEqual(['digest U7']);
  });

  it('a digest mentions nobody in the name of a rule that was muted meanwhile', async () => {
    const { relay, relays, owner, passBy, heard } = await open(
      [
        { ...all, ...digest },
        { ...vip, ...digest },
      ],
      at15,
    );
    await relay.scan({ tid: 'VIP' });
    const what = { kind: 'rule' as const, relayId: relay.id, ruleId: 'vip' };
    await relays.mutes.mute(owner, { channel: 'C1', what, who: 'U1' });
    await passBy(20 * minute);
    expect(await heard()).toEqual(['digest']);
  });

  it.each([
    ['each scan', {}, ['scan']],
    ['in a thread', { how: 'thread' }, ['card', 'scan']],
  ])('a relay that is resumed in the quiet hours of a rule mentions people at their end: %s', async (_, how, kinds) => {
    const { relay, relays, owner, setNow, pass, passBy, heard } = await open([{ ...vip, ...how, quiet: night }], at15);
    await relays.pause(owner, relay.id);
    await relay.scan({ tid: 'VIP' });
    setNow(at23);
    await relays.resume(owner, relay.id);
    await pass(minute);
    expect(await heard()).toEqual(kinds);
    await passBy(10 * hour, 10 * minute);
    expect(await heard()).toEqual([...kinds, 'mention U7']);
  });
});
