/** What holds a post releases it once it is removed or edited, and once the clock is right again. */
import { afterEach, expect, it } from 'vitest';
import { relaySettingsSchema } from '../../../src/relay/index.js';
import { onEachDatabase } from '../../helpers/databases.js';
import { allDay, hour, minute, openWorld } from './world.js';

const invalid = { id: 'r', channel: 'C1', when: [{ kind: 'result', is: 'invalid' }] };
const night = { ...allDay, from: '20:00', to: '08:00' };
const digest = { ...invalid, how: 'digest', digestMinutes: 720 };
const burst = { id: 'r', channel: 'C1', when: { kind: 'burst', n: 3, minutes: 60 } };
const escalate = { minutes: 15, users: ['U7'], groups: [] };

onEachDatabase('a held post', (databases) => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) {
      await close();
    }
  });
  const open = async (rule: object, start = Date.UTC(2026, 4, 1, 21)) => {
    const world = await openWorld(databases, closing, start);
    const relay = await world.newRelay({ rules: [rule] });
    return {
      ...{ ...world, relay },
      edit: (...rules: object[]) =>
        world.relays.change(world.owner, relay.id, { settings: relaySettingsSchema.parse({ rules }) }),
      /** How many minutes pass until a post of this kind is in the outbox; undefined: more than `most`. */
      minutesTo: async (kind: string, most = 15 * 60) => {
        for (let passed = 0; passed <= most; passed += 1) {
          await world.pass(passed === 0 ? 1_000 : minute);
          if ((await world.outbox()).some((post) => post.kind === kind && post.state === 'pending')) {
            return passed;
          }
        }
        return undefined;
      },
    };
  };

  it.each<[string, object, object[], number]>([
    ['a digest whose rule posts each scan from now on is posted at once', digest, [invalid], 0],
    ['a digest whose rule was removed is posted at once', digest, [], 0],
    ['a digest whose rule was turned off is posted at once', digest, [{ ...digest, on: false }], 0],
    ['a digest whose rule stops scans from now on is posted at once', digest, [{ ...invalid, action: 'stop' }], 0],
    ['a digest is posted at the end of its new interval', digest, [{ ...digest, digestMinutes: 30 }], 20],
    ['scans that quiet hours hold are posted once these are removed', { ...invalid, quiet: night }, [invalid], 0],
    [
      'scans that quiet hours hold are posted at their new end',
      { ...invalid, quiet: night },
      [{ ...invalid, quiet: { ...night, to: '22:00' } }],
      50,
    ],
  ])('%s', async (_, rule, edited, minutes) => {
    const { relay, edit, minutesTo, pass } = await open(rule);
    await relay.scan();
    await pass(10 * minute);
    await edit(...edited);
    expect(await minutesTo('digest')).toBe(minutes);
  });

  const noon = { ...allDay, from: '12:40', to: '13:40' };
  const many = { ...burst, when: { kind: 'burst', n: 3, minutes: 240 } };
  const none = { ...burst, when: { kind: 'silence', of: 'relay', minutes: 30, hours: allDay } };
  it.each<[string, string, object, boolean]>([
    ['many scans that are not valid, in quiet hours', 'burst', { ...many, quiet: noon }, false],
    ['many scans that are not valid, muted', 'burst', many, true],
    ['missing scans, in quiet hours', 'silence', { ...none, quiet: noon }, false],
    ['missing scans, muted', 'silence', none, true],
  ])(
    'an alert that waits for Slack is held anew, and posted once nothing holds it: %s',
    async (_, kind, rule, isMuted) => {
      const { relay, relays, owner, passBy, deliver, outbox } = await open(rule, Date.UTC(2026, 4, 1, 12));
      for (const tid of ['a', 'b', 'c']) {
        await relay.scan({ tid });
      }
      await passBy(35 * minute);
      expect((await outbox()).map(({ state }) => state)).toContain('pending');
      if (isMuted) {
        const what = { kind: 'rule' as const, relayId: relay.id, ruleId: 'r' };
        await relays.mutes.mute(owner, { channel: 'C1', what, who: 'U1', forMs: hour });
      }
      await passBy(10 * minute);
      expect(await deliver()).toEqual([]);
      await passBy(90 * minute);
      expect((await deliver()).map(({ kind }) => kind)).toContain(kind);
    },
  );

  it.each<[string, object, number]>([
    ['removed', {}, 0],
    ['made shorter', { quiet: { ...night, to: '21:25' } }, 5],
  ])('an escalation that quiet hours hold is posted once these are %s', async (_, edited, minutes) => {
    const { relay, edit, minutesTo, pass } = await open({ ...burst, escalate }, Date.UTC(2026, 4, 1, 19, 55));
    for (const tid of ['a', 'b', 'c']) {
      await relay.scan({ tid });
    }
    await edit({ ...burst, escalate, quiet: night });
    await pass(35 * minute);
    await relay.scan({ tid: 'd' });
    await pass(50 * minute);
    await edit({ ...burst, escalate, ...edited });
    expect(await minutesTo('escalation')).toBe(minutes);
  });

  it('an alert that a mute for a number of posts holds is posted once a person ends the mute', async () => {
    const { relay, relays, owner, minutesTo, pass } = await open(burst);
    const muted = { kind: 'rule' as const, relayId: relay.id, ruleId: 'r' };
    const mute = await relays.mutes.mute(owner, { channel: 'C1', what: muted, who: 'U1', posts: 20 });
    for (const tid of ['a', 'b', 'c']) {
      await relay.scan({ tid });
    }
    await pass(minute);
    await relays.mutes.stop(owner, { who: 'U1', channel: 'C1' }, mute!.id);
    expect(await minutesTo('burst', 50)).toBe(0);
  });

  it.each<[string, object, number]>([
    ['digest', { ...digest, digestMinutes: 15 }, 15],
    ['escalation', { ...burst, escalate }, 15],
  ])('a clock that is set back by an hour delays no %s', async (kind, rule, minutes) => {
    const { relay, minutesTo, pass } = await open(rule);
    await pass(0);
    for (const tid of ['a', 'b', 'c']) {
      await relay.scan({ tid });
    }
    await pass(-hour);
    expect(await minutesTo(kind)).toBe(minutes);
  });
});
