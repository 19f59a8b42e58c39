/**
 * A run of alerts in a room: scans come, barcodes are forgotten and time passes, while the app is killed. After each step
 * what people see must become what a naive reader says, within a minute of the clock.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import type { AppProcess } from '../app-process.js';
import type { MovedClock } from '../moved-clock.js';
import { createPerson } from '../person.js';
import type { Chance } from './chance.js';
import { createDevices, type Devices } from './devices.js';
import {
  type BurstRule,
  burstsOf,
  type ExpectedAlert,
  type ReadScan,
  type SilenceRule,
  silencesOf,
  toleranceMs,
} from './expected-alerts.js';
import { createForgetting } from './forgetting.js';
import type { Figures } from './promises.js';
import type { FaultRoom } from './room.js';
import { createAlertReader, differences } from './seen-alerts.js';

const second = 1_000;
const day = 24 * 3_600 * second;
/** A scan this soon before an alert changes would be a race with the change. */
const apartMs = 40 * second;
/** How long after a step the app may be killed. */
const killedWithinMs = 1_500;
/** How long after a step the app stores and posts what the step brought. */
const atWorkMs = 350;

/** A barcode that is forgotten should belong to an alert that is open: the order stays, only its beginning is drawn. */
const round = [
  ...(['burst', 'forget', 'pass', 'pass', 'more', 'pass', 'burst', 'more', 'forget', 'pass', 'pass', 'back'] as const),
  ...(['pass', 'pass', 'pass', 'pass', 'pass', 'pass'] as const),
];

export interface AlertRun {
  readonly devices: Devices;
  /** How often each event came so far: `b escalated`, `s rests`, `forgotten`. */
  readonly seen: ReadonlyMap<string, number>;
  readonly kills: number;
  /** Does one step, and waits until people see what a naive reader expects. */
  runStep(how: { readonly killed: boolean }): Promise<void>;
  figures(): Promise<Figures>;
  close(): Promise<void>;
}

/** The room's third relay has the rule `b` for many scans that are not valid, the fourth the rule `s` for no scans. */
export async function openAlertRun(
  room: FaultRoom,
  {
    clock,
    chance,
    port,
    burst,
    silence,
  }: {
    readonly port: number;
    readonly clock: MovedClock;
    readonly chance: Chance;
    readonly burst: BurstRule;
    readonly silence: SilenceRule;
  },
): Promise<AlertRun> {
  const [, , burstRelay, silenceRelay] = room.relays;
  const since = clock.now();
  const devices = createDevices(chance.fork());
  const store = await room.store();
  const reader = createAlertReader(store);
  const person = createPerson(room.slack.url, 'U0ADA');
  const forgetting = createForgetting({ person, channel: room.relays[0]!.channel, store });
  const scans = { burst: [] as ReadScan[], silence: [] as ReadScan[] };
  const forgotten: string[] = [];
  const doubted = new Set<string>();
  const counts = new Map<string, number>();
  let tickets = 0;
  let kills = 0;
  let app: AppProcess = room.start(port, { clockWrongBy: clock.aheadBy });
  await app.listening;

  const expected = (): Readonly<Record<'b' | 's', readonly ExpectedAlert[]>> => ({
    b: burstsOf(burst, scans.burst),
    s: silencesOf(silence, scans.silence, { since, until: clock.now() + 2 * day }),
  });
  const nextEventAt = (): number => {
    const now = clock.now();
    const events = Object.values(expected()).flatMap((alerts) => alerts.flatMap((alert) => alert.events));
    return Math.min(...events.map(({ at }) => at).filter((at) => at > now));
  };

  const moveTo = async (at: number): Promise<void> => {
    clock.move(Math.max(0, at - clock.now()));
    await app.moveClock(clock.aheadBy);
  };

  const restart = async (): Promise<void> => {
    await app.kill();
    kills += 1;
    app = room.start(port, { clockWrongBy: clock.aheadBy });
  };

  /** Posts one scan until it is answered, and reads when it was received. */
  const scan = async (which: 'burst' | 'silence', valid: boolean): Promise<void> => {
    tickets += 1;
    const [tid, relay] = [`TICKET-${tickets}`, which === 'burst' ? burstRelay! : silenceRelay!];
    const sid = chance.pick(['101', '102']);
    const sentAt = clock.now();
    const scannedAt = new Date(sentAt).toISOString().slice(0, 19).replace('T', ' ');
    await devices.scan(
      { relayId: relay.id, url: () => `http://127.0.0.1:${port}${relay.path}` },
      {
        ...{ count: 1, pauseMs: 0 },
        fields: () => ({ tid, sid, status: valid ? '1' : '0', text: 'told', scanned_at_utc: scannedAt }),
      },
    );
    const rows = await store.db.selectFrom('received_scans').select('received_at').where('tid', '=', tid).execute();
    expect(rows, `the answered scan ${tid} is stored once`).toHaveLength(1);
    const at = rows[0]!.received_at;
    expect([at >= sentAt - 1, at <= clock.now() + 1], `when ${tid} was received`).toEqual([true, true]);
    scans[which].push({ at, valid, sid });
    scans[which].sort((a, b) => a.at - b.at);
  };

  const differing = async (): Promise<string[]> => {
    const messages = await room.messages(burstRelay!.channel);
    const now = clock.now();
    const found: string[] = [];
    for (const [rule, alerts] of Object.entries(expected())) {
      const seen = await reader.read(rule, messages);
      found.push(...differences(alerts, seen, now));
      for (const { row, messages: own } of seen.filter(({ row: { ended_at } }) => ended_at === null)) {
        const text = JSON.stringify([...own.values()]);
        found.push(
          ...forgotten
            .filter((tid) => new RegExp(`${tid}\\b`).test(text))
            .map((tid) => `${row.post_key} shows ${tid}, which was forgotten`),
        );
      }
    }
    return found;
  };

  const unconfirmed = () => store.db.selectFrom('outbox').select('key').where('unconfirmed_at', 'is not', null);

  const settled = async (): Promise<void> => {
    await app.listening;
    const from = clock.now();
    for (let rounds = 1; ; rounds++) {
      const found = await differing();
      for (const { key } of await unconfirmed().execute()) {
        doubted.add(key);
      }
      if (found.length === 0) {
        return;
      }
      if (clock.now() - from > toleranceMs) {
        throw new Error(`at ${new Date(clock.now()).toISOString()}, after ${kills} kills: ${found.join('; ')}`);
      }
      // Posts that a kill left in doubt wait for some seconds: the clock skips them, unless an event would come first.
      const hurried = rounds % 20 === 0 && clock.now() - from < toleranceMs / 2;
      if (hurried && nextEventAt() - clock.now() > apartMs) {
        await moveTo(clock.now() + 4 * second);
      }
      await wait(100);
    }
  };

  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  let countedTo = since;
  const countEvents = (): void => {
    const now = clock.now();
    for (const [rule, alerts] of Object.entries(expected())) {
      for (const { name } of alerts.flatMap(({ events }) => events).filter(({ at }) => at > countedTo && at <= now)) {
        count(`${rule} ${name === '' ? 'opened' : name.replace(/^again\d+/, 'again')}`);
      }
    }
    countedTo = now;
  };

  /** The barcodes that open alerts show, in six cases of ten those in the alert itself first. */
  const shownBarcodes = async (): Promise<string[]> => {
    const seen = await reader.read('b', await room.messages(burstRelay!.channel));
    const all = seen
      .filter(({ row }) => row.ended_at === null)
      .flatMap(({ messages }) => [...messages.values()].flat());
    const from = chance.percent(60) ? all : all.reverse();
    return [...JSON.stringify(from).matchAll(/TICKET-\d+/g)].map(([tid]) => tid);
  };

  const steps = {
    /** Nobody does anything: the clock goes on to the next event. */
    pass: async () => {},
    burst: async () => {
      await Promise.all(Array.from({ length: chance.between(burst.n, burst.n + 6) }, () => scan('burst', false)));
    },
    more: async () => {
      await Promise.all(Array.from({ length: chance.between(1, 4) }, () => scan('burst', chance.percent(30))));
    },
    back: async () => {
      await scan('silence', true);
    },
    forget: async () => {
      const [tid] = await shownBarcodes();
      if (tid !== undefined) {
        await forgetting.forget(tid, () => app.listening);
        forgotten.push(tid);
        count('forgotten');
      }
    },
  };
  const plan: (keyof typeof steps)[] = [];

  return {
    devices,
    seen: counts,
    get kills() {
      return kills;
    },
    async runStep({ killed }) {
      if (plan.length === 0) {
        const turn = chance.between(0, round.length - 1);
        plan.push(...round.slice(turn), ...round.slice(0, turn));
      }
      const step = plan.shift()!;
      const next = nextEventAt();
      const jump = step === 'pass' || next - clock.now() < apartMs;
      if (jump && killed && chance.percent(25)) {
        // The app is not running when the event is due.
        await app.kill();
        kills += 1;
        clock.move(Math.max(0, next + second / 2 - clock.now()));
        app = room.start(port, { clockWrongBy: clock.aheadBy });
        await app.listening;
        killed = false;
      } else if (jump) {
        await moveTo(next + second / 2);
      }
      if (step !== 'pass' && jump) {
        await settled();
      }
      if (step === 'forget' && (await shownBarcodes()).length === 0) {
        await steps.burst();
        await settled();
      }
      const doing = steps[step]();
      doing.catch(() => undefined);
      if (killed) {
        await wait(chance.percent(60) ? chance.between(0, atWorkMs) : chance.between(0, killedWithinMs));
        await restart();
      }
      await doing;
      await settled();
      countEvents();
    },
    async figures() {
      const messages = await room.messages(burstRelay!.channel);
      return { posts: messages.length, folded: 0, doubted: doubted.size, repeated: 0 };
    },
    close: () => store.close(),
  };
}
