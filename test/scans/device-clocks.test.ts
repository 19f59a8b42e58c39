import { afterEach, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../src/clock.js';
import { silentLog } from '../../src/log.js';
import { createRelays, relaySettingsSchema } from '../../src/relay/index.js';
import { createTimers } from '../../src/relay/rules/timers/timers.js';
import { momentOf } from '../../src/relay/validation/validate.js';
import { createDeviceClocks } from '../../src/scans/device-clocks.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { gate, owner, postScan, scanForm, startIntake } from '../helpers/relay.js';

const minute = 60_000;
const hour = 60 * minute;
const start = Date.UTC(2026, 4, 1);
const allDay = { zone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' };
const stamp = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

/** A scan made at `at`, by a clock that is `slow` ms behind, that arrives at `arrives`. Times from midnight. */
interface Made {
  readonly at: number;
  readonly slow: number;
  readonly arrives: number;
}
const live = (from: number, to: number, every: number, slow = 0): Made[] =>
  Array.from({ length: (to - from) / every }, (_, n) => {
    const at = from + n * every;
    return { at, slow, arrives: at + 1_000 + ((n * 617) % 1_500) };
  });
const offline = (from: number, to: number, uploaded: number, slow = 0): Made[] =>
  Array.from({ length: 200 }, (_, n) => ({
    ...{ at: from + Math.floor(((to - from) * n) / 200), slow, arrives: uploaded + n * 500 },
  }));

onEachDatabase('clocks of devices', (databases) => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) {
      await close();
    }
  });
  const openStore = async () => {
    const store = await openTestStore(await databases.fresh());
    closing.push(() => store.close());
    return store;
  };

  it.each<[string, Made[], number]>([
    ['offline all day', [...live(8 * hour, 10 * hour, minute), ...offline(10 * hour, 18 * hour, 20 * hour)], 0],
    ['offline at its first use', offline(10 * hour, 18 * hour, 20 * hour), 0],
    ['2 hours slow', live(8 * hour, 12 * hour, minute, 2 * hour), 3],
    ['11 minutes slow', live(8 * hour, 12 * hour, minute, 11 * minute), 3],
    [
      '2 hours slow and offline all day',
      [...live(8 * hour, 10 * hour, minute, 2 * hour), ...offline(10 * hour, 18 * hour, 20 * hour, 2 * hour)],
      3,
    ],
    [
      '2 hours fast and offline all day',
      [...live(8 * hour, 10 * hour, minute, -2 * hour), ...offline(10 * hour, 18 * hour, 20 * hour, -2 * hour)],
      0,
    ],
    [
      'slow until noon, and set right then',
      [...live(8 * hour, 12 * hour, minute, 2 * hour), ...live(12 * hour, 14 * hour, minute)],
      3,
    ],
    [
      'right until noon, and slow from then on',
      [...live(8 * hour, 12 * hour, minute), ...live(12 * hour, 14 * hour, minute, 2 * hour)],
      3,
    ],
    ['slow, with a scan each hour', live(8 * hour, 18 * hour, hour, 2 * hour), 3],
  ])('the scans of a device that is %s count when they were made, but for the first ones', async (_, scans, most) => {
    const clocks = createDeviceClocks((await openStore()).db);
    const wrong = scans.filter(({ at, slow, arrives }) => {
      const [scannedAt, receivedAt] = [start + at - slow, start + arrives];
      const clockOffset = clocks.observe({ owner, relayId: 'r', udid: 'd', scannedAt, receivedAt });
      const moment = momentOf({ scannedAtUtc: stamp(scannedAt), receivedAt, clockOffset }, 10);
      return Math.abs(moment.at - (start + at)) > 2 * minute;
    });
    expect(wrong.length).toBeLessThanOrEqual(most);
  });

  it('the clocks of two workspaces’ devices with one id are kept apart, and a right clock is not reported', async () => {
    const clocks = createDeviceClocks((await openStore()).db);
    for (let n = 0; n < 5; n++) {
      const receivedAt = start + n * minute;
      const scan = { relayId: 'r', receivedAt, udid: 'd' };
      clocks.observe({ ...scan, owner, scannedAt: receivedAt - hour });
      clocks.observe({ ...scan, owner: { ...owner, team: 'T2' }, scannedAt: receivedAt - 1_000 });
    }
    expect(clocks.wrong(start + 5 * minute)).toEqual([{ owner, udid: 'd', relayId: 'r', offsetMs: hour }]);
    expect(clocks.wrong(start + 26 * hour)).toEqual([]);
  });

  const openRelay = async (settings: object, startAt = start + 12 * hour) => {
    const store = await openStore();
    let now = startAt;
    const clock = { ...systemClock, now: () => now };
    const open = async () => {
      const intake = await startIntake(store, { clock });
      closing.push(() => intake.close());
      return intake;
    };
    let intake = await open();
    const relays = createRelays({ store, clock, random: systemRandom, onPosts: () => undefined });
    const { path } = await relays.create({ ...gate, settings: relaySettingsSchema.parse(settings) });
    const timers = createTimers({ store, clock, log: silentLog });
    const scan = async (slow: number, fields: Record<string, string>) => {
      const form = { ...scanForm(), scanned_at_utc: stamp(now - slow), udid: 'phone', ...fields };
      return /<status>(\d)/.exec((await postScan(`${intake.url}${path}`, form)).body)?.[1];
    };
    return {
      ...{ store, scan },
      pass: async (ms: number) => {
        now += ms;
        await timers.poll();
      },
      restart: async () => {
        intake = await open();
      },
      /** Four scans a minute apart: enough to know the phone's offset. */
      learn: async (slow: number, fields: Record<string, string> = {}) => {
        for (let n = 0; n < 4; n++) {
          await scan(slow, { tid: `known${n}`, ...fields });
          now += minute;
        }
      },
    };
  };

  it('a device 11 minutes slow that scans each minute raises no alert about missing scans', async () => {
    const when = { kind: 'silence', of: 'device', ids: ['phone'], minutes: 10, hours: allDay };
    const relay = await openRelay({ rules: [{ id: 's', channel: 'C1', when }] });
    for (let n = 0; n < 40; n++) {
      await relay.scan(11 * minute, { tid: `T${n}`, status: '1' });
      await relay.pass(minute);
    }
    expect(await relay.store.db.selectFrom('incidents').selectAll().execute()).toEqual([]);
  });

  it('many scans that are not valid of a device 11 minutes slow raise one alert', async () => {
    const when = { kind: 'burst', n: 5, minutes: 10 };
    const relay = await openRelay({ rules: [{ id: 'b', channel: 'C1', when }] });
    for (let n = 0; n < 20; n++) {
      await relay.scan(11 * minute, { tid: `T${n}`, status: '0' });
      await relay.pass(minute);
    }
    expect(await relay.store.db.selectFrom('incidents').selectAll().execute()).toHaveLength(1);
  });

  it.each([
    ['', false],
    [', after a restart of Scandesk too', true],
  ])('a device 2 hours slow does not admit what another device has just admitted%s', async (_, restarts) => {
    const relay = await openRelay({ duplicates: { withinMinutes: 60 } });
    await relay.learn(2 * hour, { status: '' });
    expect(await relay.scan(0, { tid: 'T', udid: 'right', status: '' })).toBe('1');
    await (restarts && relay.restart());
    await relay.pass(minute);
    expect(await relay.scan(2 * hour, { tid: 'T', status: '' })).toBe('0');
    const stored = await relay.store.db
      .selectFrom('received_scans')
      .select(['at', 'received_at'])
      .where('udid', '=', 'phone')
      .execute();
    // The moment by which the account's copy of the scan is matched stays the device's own.
    expect(stored.every(({ at, received_at }) => received_at - at >= 2 * hour - 1_000)).toBe(true);
  });

  it('a device 2 hours slow admits nobody above a limit, and nobody an hour after the active hours', async () => {
    const relay = await openRelay({
      atMost: { n: 2, of: 'relay', withinMinutes: 60 },
      hours: { ...allDay, from: '08:00', to: '18:00' },
    });
    await relay.learn(2 * hour, { status: '1' });
    const answers: (string | undefined)[] = [];
    for (const [tid, udid, slow] of [
      ['A', 'right', 0],
      ['B', 'right', 0],
      ['C', 'phone', 2 * hour],
    ] as const) {
      await relay.pass(minute);
      answers.push(await relay.scan(slow, { tid, udid, status: '' }));
    }
    expect(answers.filter((answer) => answer === '1').length).toBeLessThanOrEqual(2);
    expect(answers.at(-1)).toBe('0');
    await relay.pass(7 * hour);
    expect(await relay.scan(2 * hour, { tid: 'D', status: '' })).toBe('0');
  });
});
