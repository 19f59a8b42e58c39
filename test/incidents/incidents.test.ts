import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock, systemRandom } from '../../src/clock.js';
import { silentLog } from '../../src/log.js';
import { createMetrics } from '../../src/metrics.js';
import { createDelivery, createRelays, type Post, relaySettingsSchema } from '../../src/relay/index.js';
import { createTimers } from '../../src/relay/rules/timers/timers.js';
import { createChannels } from '../helpers/channels.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { effort } from '../helpers/effort.js';
import { clearOutbox } from '../helpers/outbox.js';
import { gate, owner, postScan, scanForm, startIntake } from '../helpers/relay.js';

const second = 1_000;
const minute = 60 * second;
const allDay = { zone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' };
const noon = Date.UTC(2026, 4, 1, 12);
const burst = { id: 'b', name: 'Refusals', channel: 'C1', when: { kind: 'burst', n: 3, minutes: 5 } };
const silence = {
  id: 's',
  name: 'Quiet',
  channel: 'C1',
  when: { kind: 'silence', of: 'relay', minutes: 10, hours: allDay },
};

onEachDatabase('an incident', (databases) => {
  let url: string;
  const closing: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    url = await databases.fresh();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) {
      await close();
    }
  });

  const open = async () => {
    const store = await openTestStore(url);
    closing.push(() => store.close());
    await clearOutbox(store);
    const tables = [
      'incidents',
      'received_scans',
      'relay_secrets',
      'digests',
      'silences',
      'relays',
      'rule_memories',
    ] as const;
    for (const table of [...tables, 'mutes', 'counters', 'message_updates'] as const) {
      await store.db.deleteFrom(table).execute();
    }
    let now = noon;
    const clock: Clock = { ...systemClock, now: () => now };
    const channels = createChannels();
    const intake = await startIntake(store, { clock });
    closing.push(() => intake.close());
    const relays = createRelays({ store, clock, random: systemRandom, onPosts: () => undefined });
    const timers = createTimers({ store, clock, log: silentLog });
    const newRelay = async (settings: object) => {
      const { relay, path } = await relays.create({ ...gate, settings: relaySettingsSchema.parse(settings) });
      return {
        id: relay.id,
        /** Posts a scan, which is not valid unless the fields say otherwise. */
        scan: async (fields: Record<string, string> = {}) => {
          const at = new Date(now).toISOString().slice(0, 19).replace('T', ' ');
          const form = { ...scanForm(), scanned_at_utc: at, status: '0', text: 'no', ...fields };
          expect((await postScan(`${intake.url}${path}`, form)).status).toBe(200);
        },
      };
    };
    return {
      ...{ store, channels, relays, newRelay },
      /** Moves the clock, and polls the timers. */
      pass: async (ms: number) => {
        now += ms;
        await timers.poll();
      },
      now: () => now,
      incidents: () => store.db.selectFrom('incidents').selectAll().orderBy('opened_at').execute(),
      /** Sends pending posts and updates messages; returns the posts as their messages show them then. */
      send: async () => {
        const delivery = createDelivery({
          ...{ store, publisher: channels, clock: systemClockAt(() => now), random: systemRandom, log: silentLog },
          ...{ metrics: createMetrics(), intervalMs: 0, instanceId: `worker-${systemRandom.bytes(6).toString('hex')}` },
          times: { pollMs: 20, pollGapMs: 1, holdMs: 20, parentEveryMs: 0, editGapMs: 0, heartbeatMs: 50 },
        });
        delivery.start();
        const isOpen = async () => {
          const posts = await store.db.selectFrom('outbox').select('seq').where('finished_at', 'is', null).execute();
          const edits = await store.db
            .selectFrom('message_updates')
            .innerJoin('outbox', 'outbox.seq', 'message_updates.post_seq')
            .select('post_seq')
            .where('outbox.state', '=', 'delivered')
            .where('due_at', 'is not', null)
            .execute();
          return posts.length + edits.length;
        };
        await expect.poll(isOpen, { interval: 20 }).toBe(0);
        await delivery.stop();
        return shown(channels);
      },
    };
  };

  it('a burst alert is one message that finally says when the alert ended, with details in its thread', async () => {
    const { newRelay, pass, send, incidents } = await open();
    const { scan } = await newRelay({ rules: [burst] });
    for (const [n, sid] of ['101', '102', '101'].entries()) {
      await scan({ tid: `a${n}`, sid });
      await pass(minute);
    }
    const opened = await send();
    expect(opened.map(({ kind }) => kind)).toEqual(['burst', 'reply']);
    expect(opened[1]).toMatchObject({ threadTs: '1.000000', reply: { part: 'opened' } });
    expect(scansOf(opened[1]!)).toEqual(['a0', 'a1', 'a2']);

    for (let n = 0; n < 4; n++) {
      await scan({ sid: '102' });
      await pass(2 * minute);
    }
    expect((await send())[0]).toMatchObject({
      kind: 'burst',
      incident: { scans: 7, tally: { services: { 101: 2, 102: 5 } } },
    });
    await pass(3 * minute);
    const [row] = await incidents();
    expect(row).toMatchObject({
      ...{ scans: 7, began_at: noon, last_at: noon + 9 * minute, ended_at: noon + 14 * minute, end_reason: 'calm' },
    });
    const over = await send();
    expect(over.map(({ kind }) => kind)).toEqual(['burst', 'reply', 'reply']);
    expect(over[0]).toMatchObject({ incident: { ended: { why: 'calm', at: noon + 14 * minute } } });
    expect(over[2]).toMatchObject({ reply: { part: 'over' }, incident: { scans: 7 } });

    // A later burst is a new message.
    await pass(minute);
    for (let n = 0; n < 3; n++) {
      await scan();
    }
    expect((await send()).filter(({ kind }) => kind === 'burst')).toHaveLength(2);
    expect(await incidents()).toHaveLength(2);
  });

  it('an open burst alert gets replies with its number of scans at intervals', async () => {
    const { newRelay, pass, send } = await open();
    const { scan } = await newRelay({ rules: [burst] });
    for (let n = 0; n < 3; n++) {
      await scan();
    }
    for (let n = 0; n < 10; n++) {
      await pass(4 * minute);
      await scan();
    }
    const updates = (await send()).flatMap((post) =>
      post.kind === 'reply' && post.reply.part === 'update' ? [post.reply.scans] : [],
    );
    expect(updates).toEqual([6, 10]);
  });

  it('an alert for missing scans of a device is over with the next scan of this device', async () => {
    const { newRelay, pass, send, incidents } = await open();
    const of = { ...silence, when: { ...silence.when, of: 'device', ids: ['D1'] } };
    const { scan } = await newRelay({ rules: [of] });
    await scan({ udid: 'D1', status: '1' });
    await pass(10 * minute);
    await scan({ udid: 'D2' });
    await pass(minute);
    expect(await incidents()).toMatchObject([{ kind: 'silence', subject_id: 'D1', ended_at: null, began_at: noon }]);
    await pass(31 * minute);
    await scan({ udid: 'D1', sid: '101', tid: 'back' });
    await pass(second);
    const [message, reply] = await send();
    expect(message).toMatchObject({
      ...{ kind: 'silence' },
      incident: { ended: { why: 'scan', at: noon + 42 * minute }, endScan: { tid: 'back' } },
    });
    expect(reply).toMatchObject({ kind: 'reply', reply: { part: 'over' } });
    expect(await incidents()).toHaveLength(1);
  });

  it('an alert is over when its rule is turned off, or its relay is deleted', async () => {
    const { newRelay, pass, incidents, relays } = await open();
    const one = await newRelay({ rules: [burst] });
    const two = await newRelay({ rules: [burst] });
    for (const { scan } of [one, one, one, two, two, two]) {
      await scan();
    }
    const off = relaySettingsSchema.parse({ rules: [{ ...burst, on: false }] });
    await relays.change(owner, one.id, { settings: off });
    await relays.remove(owner, two.id);
    await pass(second);
    const reasons = Object.fromEntries((await incidents()).map((row) => [row.relay_id, row.end_reason]));
    expect(reasons).toEqual({ [one.id]: 'rule', [two.id]: 'relay' });
    // A rule that is turned on again counts from zero.
    await relays.change(owner, one.id, { settings: relaySettingsSchema.parse({ rules: [burst] }) });
    await one.scan();
    expect(await incidents()).toHaveLength(2);
  });

  it('an open alert stays open for the longer time of its changed rule, and is over after that time', async () => {
    const { newRelay, pass, incidents, relays } = await open();
    const { id, scan } = await newRelay({ rules: [burst] });
    for (let n = 0; n < 3; n++) {
      await scan();
    }
    const longer = { ...burst, when: { kind: 'burst', n: 9, minutes: 30 } };
    await relays.change(owner, id, { settings: relaySettingsSchema.parse({ rules: [longer] }) });
    await pass(29 * minute);
    await scan();
    expect(await incidents()).toMatchObject([{ ended_at: null, scans: 4 }]);
    await pass(30 * minute);
    expect(await incidents()).toMatchObject([{ end_reason: 'calm', scans: 4 }]);
  });

  describe('an alert of many scans that are not valid that its rule does not post at once', () => {
    const held = { ...burst, mention: { users: ['U7'], groups: [] } };
    const quiet = { ...allDay, from: '11:00', to: '12:10' };

    it('an alert that is over before its quiet hours end is posted as over then, without its mentions', async () => {
      const { newRelay, pass, send } = await open();
      const { scan } = await newRelay({ rules: [{ ...held, quiet }] });
      for (let n = 0; n < 4; n++) {
        await scan();
      }
      await pass(9 * minute);
      expect(await send()).toEqual([]);
      await pass(2 * minute);
      const posts = await send();
      expect(posts.map(({ kind }) => kind)).toEqual(['burst', 'reply']);
      expect(posts).toMatchObject([
        { mention: { users: [] }, incident: { scans: 4, ended: { why: 'calm' } } },
        { reply: { part: 'opened', scans: [{}, {}, {}] } },
      ]);
    });

    it('an alert that goes on when its quiet hours end is one message then, with its mentions and figures', async () => {
      const { newRelay, pass, send } = await open();
      const { scan } = await newRelay({ rules: [{ ...held, quiet }] });
      for (let n = 0; n < 12; n++) {
        await scan();
        await pass(minute);
      }
      const posts = await send();
      expect(posts.map(({ kind }) => kind)).toEqual(['burst', 'reply']);
      expect(posts[0]).toMatchObject({ mention: { users: ['U7'] }, incident: { scans: 12 } });
    });

    it.each([
      ['goes on when its mute ends', 12, ['burst', 'reply']],
      ['is over when its mute ends', 3, []],
    ])('an alert that %s is posted once or never', async (_, scans, kinds) => {
      const { newRelay, pass, send, relays } = await open();
      const { id, scan } = await newRelay({ rules: [held] });
      const what = { kind: 'rule' as const, relayId: id, ruleId: 'b' };
      await relays.mutes.mute(owner, { what, channel: 'C1', who: 'U1', forMs: 10 * minute });
      for (let n = 0; n < 12; n++) {
        if (n < scans) {
          await scan();
        }
        await pass(minute);
      }
      expect((await send()).map(({ kind }) => kind)).toEqual(kinds);
    });

    it('an alert of a rule that posts digests, or in a thread, is a message of its own', async () => {
      const { newRelay, send } = await open();
      for (const how of ['digest', 'thread']) {
        const { scan } = await newRelay({ rules: [{ ...held, how, digestMinutes: 60 }] });
        for (let n = 0; n < 3; n++) {
          await scan();
        }
      }
      expect((await send()).map(({ kind }) => kind)).toEqual(['burst', 'reply', 'burst', 'reply']);
    });
  });

  it('a muted alert’s message is still updated, and its thread gets no reply about the alert’s end', async () => {
    const { newRelay, pass, send, relays, now } = await open();
    const { id, scan } = await newRelay({ rules: [burst] });
    for (let n = 0; n < 3; n++) {
      await scan();
    }
    expect(now()).toBe(noon);
    await send();
    await relays.mutes.mute(owner, {
      what: { kind: 'rule', relayId: id, ruleId: 'b' },
      channel: 'C1',
      who: 'U1',
      forMs: 60 * minute,
    });
    await scan();
    await pass(6 * minute);
    const posts = await send();
    expect(posts.map(({ kind }) => kind)).toEqual(['burst', 'reply']);
    expect(posts[0]).toMatchObject({ incident: { scans: 4, ended: { why: 'calm' } } });
  });

  it('an alert whose message somebody deleted is continued in its thread', async () => {
    const { newRelay, pass, send, channels, incidents } = await open();
    const { scan } = await newRelay({ rules: [burst] });
    for (let n = 0; n < 3; n++) {
      await scan();
    }
    await send();
    channels.scriptEdit({ outcome: 'refused', code: 'slack.message_not_found' });
    await pass(6 * minute);
    expect((await send()).map(({ kind }) => kind)).toEqual(['burst', 'reply', 'reply']);
    expect(await incidents()).toMatchObject([{ end_reason: 'calm' }]);
  });

  it('an alert whose message and thread were deleted is posted again, once', async () => {
    const { newRelay, pass, send, channels } = await open();
    const { scan } = await newRelay({ rules: [burst] });
    for (let n = 0; n < 3; n++) {
      await scan();
    }
    await send();
    channels.scriptEdit({ outcome: 'refused', code: 'slack.message_not_found' });
    channels.script('C1', { accepted: false, says: { outcome: 'no_thread', code: 'slack.thread_not_found' } });
    await pass(6 * minute);
    await send();
    const posted = channels.posted.map(({ post }) => post!.kind);
    expect(posted).toEqual(['burst', 'reply', 'burst', 'reply']);
    expect(channels.posted[2]!.post).toMatchObject({ incident: { ended: { why: 'calm' } } });
  });

  describe('alerts compared with a simple model', () => {
    it('alerts open, count scans and are over as a simple model of all scans expects', async () => {
      const { newRelay, pass, now, store } = await open();
      const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 200 }), fc.boolean(), fc.constantFrom('101', '102')), {
        maxLength: 25,
      });
      await fc.assert(
        fc.asyncProperty(
          steps,
          fc.integer({ min: 2, max: 4 }),
          fc.integer({ min: 1, max: 3 }),
          async (given, n, minutes) => {
            const { id, scan } = await newRelay({ rules: [{ ...burst, when: { kind: 'burst', n, minutes } }] });
            const invalid: { at: number; sid: string }[] = [];
            for (const [seconds, valid, sid] of given) {
              await pass(seconds * second);
              await scan({ sid, status: valid ? '1' : '0' });
              if (!valid) {
                invalid.push({ at: now(), sid });
              }
            }
            await pass(minutes * minute);
            const rows = await store.db
              .selectFrom('incidents')
              .selectAll()
              .where('relay_id', '=', id)
              .orderBy('opened_at')
              .execute();
            const found = rows.map(({ began_at, last_at, ended_at, scans, tally }) => ({
              ...{ began_at, last_at, ended_at, scans, services: JSON.parse(tally).services },
            }));
            expect(found).toEqual(naiveIncidents(invalid, n, minutes * minute));
            const posts = await store.db.selectFrom('outbox').select('kind').where('source_id', '=', id).execute();
            expect(posts.filter(({ kind }) => kind === 'burst')).toHaveLength(rows.length);
          },
        ),
        { numRuns: effort(databases.kind === 'sqlite' ? { short: 15, long: 60 } : { short: 6, long: 25 }) },
      );
    }, 120_000);
  });
});

function naiveIncidents(invalid: readonly { at: number; sid: string }[], n: number, span: number) {
  const found: object[] = [];
  let from = 0;
  for (let at = 0; at < invalid.length; at++) {
    const recent = invalid.slice(from, at + 1).filter((one) => one.at > invalid[at]!.at - span);
    if (recent.length < n) {
      continue;
    }
    let last = at;
    while (last + 1 < invalid.length && invalid[last + 1]!.at - invalid[last]!.at < span) {
      last += 1;
    }
    const scans = [...recent.slice(-n), ...invalid.slice(at + 1, last + 1)];
    const services: Record<string, number> = {};
    for (const { sid } of scans) {
      services[sid] = (services[sid] ?? 0) + 1;
    }
    const { at: lastAt } = invalid[last]!;
    found.push({ began_at: scans[0]!.at, last_at: lastAt, ended_at: lastAt + span, scans: scans.length, services });
    from = last + 1;
    at = last;
  }
  return found;
}

/** The posts as their messages show them now. */
function shown({ posted, edited }: ReturnType<typeof createChannels>): Post[] {
  const newest = new Map<string, Post>();
  for (const { key, post } of [...posted, ...edited]) {
    newest.set(key, { ...newest.get(key), ...post! });
  }
  return [...newest.values()];
}

function scansOf(post: Post): string[] {
  return post.kind === 'reply' && post.reply.part === 'opened' ? post.reply.scans.map(({ tid }) => tid) : [];
}

/** A clock for delivery, which waits in real time and reads the test's time. */
function systemClockAt(now: () => number): Clock {
  return { ...systemClock, now };
}
