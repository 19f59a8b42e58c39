/** A clock that was ahead when things were made due, and was set back: nothing waits for the wrong time to come. */
import { afterEach, expect, it } from 'vitest';
import { silentLog } from '../../../src/log.js';
import { createTimers } from '../../../src/relay/rules/timers/timers.js';
import { onEachDatabase } from '../../helpers/databases.js';
import { openWorld as openLife } from '../../lives/world.js';
import { allDay, hour, minute, openWorld } from './world.js';

const right = Date.UTC(2026, 4, 1, 12);
const invalid = { channel: 'C1', when: [{ kind: 'result', is: 'invalid' }] };
const escalate = { minutes: 15, users: ['U7'], groups: [] };

/** What waits for a time of each kind: its rule, the kind of its post, and the minutes within which it must be posted. */
const waiting: readonly (readonly [string, object, string, number])[] = [
  ['a digest', { id: 'd', ...invalid, how: 'digest', digestMinutes: 15 }, 'digest', 15],
  ['scans of quiet hours', { id: 'q', ...invalid, quiet: { ...allDay, from: '11:00', to: '13:20' } }, 'digest', 80],
  [
    'an alert’s escalation',
    { id: 'b', channel: 'C1', when: { kind: 'burst', n: 3, minutes: 60 }, escalate },
    'escalation',
    15,
  ],
  ['the end of an alert', { id: 'b', channel: 'C1', when: { kind: 'burst', n: 3, minutes: 30 } }, 'over', 30],
  [
    'an alert of no scans',
    { id: 's', channel: 'C1', when: { kind: 'silence', of: 'relay', minutes: 30, hours: allDay } },
    'silence',
    30,
  ],
];

onEachDatabase('a clock that was ahead', (databases) => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) {
      await close();
    }
  });

  const cases = waiting.flatMap((row) =>
    [400 * 24 * hour, hour].flatMap((ahead) =>
      (['goes on', 'starts anew'] as const).map(
        (process) => [...row.slice(0, 1), ahead / hour, process, ahead, ...row.slice(1)] as const,
      ),
    ),
  ) as unknown as readonly [string, number, string, number, object, string, number][];
  it.each(cases)(
    '%s is posted in time after a clock that was %i hours ahead is set back, in a process that %s',
    async (_, __, process, ahead, rule, kind, within) => {
      const world = await openWorld(databases, closing, right + ahead);
      const relay = await world.newRelay({ rules: [rule] });
      await world.pass(0);
      for (const tid of ['a', 'b', 'c']) {
        await relay.scan({ tid });
      }
      await world.pass(minute);
      world.setNow(right);
      const timers = process === 'goes on' ? world.timers : createTimers({ ...world, log: silentLog });
      const isPosted = async () =>
        (await world.outbox()).some((post) => post.kind === kind || post.key.endsWith(`.${kind}`));
      for (let passed = 0; passed <= within && !(await isPosted()); passed++) {
        world.setNow(right + passed * minute);
        await timers.poll();
      }
      expect(await isPosted()).toBe(true);
    },
  );

  it('a post that was tried in vain outlives a clock that is set ahead during the outage', async () => {
    const life = await openLife(databases);
    closing.push(life.close);
    await life.edit([{ id: 'all', name: 'all', ...invalid }]);
    life.state.isDown = true;
    await life.scan('a');
    for (let tries = 0; tries < 2; tries++) {
      await life.pass(30 * minute);
    }
    life.setAhead(400 * 24 * hour);
    await life.pass(25 * minute);
    await life.pass(25 * minute);
    life.setAhead(0);
    life.state.isDown = false;
    await life.pass(35 * minute);
    expect(life.heard.map(({ post }) => post.kind)).toEqual(['scan']);
  });

  it.each([400 * 24 * hour, hour])(
    'a post, an update and a blocked channel do not wait for a clock that was %i ms ahead',
    async (ahead) => {
      const world = await openWorld(databases, closing, right + ahead);
      const relay = await world.newRelay({ rules: [{ id: 'all', ...invalid }] });
      await relay.scan({ tid: 'a' });
      await world.deliver();
      await relay.scan({ tid: 'b' });
      const stop = world.delivering({
        post: async () => ({ outcome: 'retry', code: 'slack.down', afterMs: 30 * minute }),
      });
      await expect.poll(async () => (await world.outbox()).at(-1)?.next_at).toBeGreaterThan(world.now());
      await stop();
      const [first] = await world.outbox();
      await world.relays.postActions.acknowledge(world.owner, first!.key, 'U1');
      await world.store.db
        .updateTable('channel_queues')
        .set({ next_at: right + ahead + hour })
        .execute();
      world.setNow(right);
      const shown = await world.deliver();
      expect(shown.map(({ kind }) => kind)).toEqual(['scan', 'scan']);
      expect(JSON.stringify(shown[0])).toContain('"acknowledged":{"by":"U1"');
    },
  );
});
