import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { countOf } from '../../src/english.js';
import { ruleSchema } from '../../src/relay/index.js';
import type { ShownMessage } from '../../src/sandbox/slack/api.js';
import type { AppProcess } from '../helpers/app-process.js';
import { onEachDatabase } from '../helpers/databases.js';
import { byChance, type Chance } from '../helpers/faults/chance.js';
import { createDevices, type Devices } from '../helpers/faults/devices.js';
import { tell } from '../helpers/faults/report.js';
import { type FaultRoom, openRoom } from '../helpers/faults/room.js';
import { allTold } from '../helpers/faults/told.js';
import { freePort } from '../helpers/free-port.js';

const second = 1_000;
const minute = 60 * second;
const lives = 12;
const escalatedAfter = [1, 2, 3];
const hours = { zone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' };
/** Each life begins later by its clock; every fourth after a minute without scans. */
const clockOf = (life: number) => life * second + Math.floor(life / 4) * 75 * second;

/** Alerts that last all the time. Each is escalated after another of the minutes without scans. */
const unnoticed = escalatedAfter.map((minutes) => ({
  ...{ id: `e${minutes}`, when: { kind: 'burst', n: 4, minutes: 60 } },
  escalate: { minutes, users: ['U0ADA'], groups: [] },
}));

onEachDatabase('incidents, killed at random instants', (databases) => {
  it(`open once and close once with the right figures, over ${lives} kills`, () =>
    byChance(async (chance) => {
      const rules =
        (...all: readonly object[]) =>
        (channels: readonly string[]) => ({
          lateMinutes: 600,
          rules: all.map((fields) => ruleSchema.parse({ channel: channels[1], ...fields })),
        });
      const room = await openRoom({
        ...{ channels: 2, slackTakesMs: 150, settings: { POST_INTERVAL_MS: '100' } },
        ...(databases.kind === 'postgres' ? { databaseUrl: await databases.fresh() } : {}),
        more: [
          {
            channel: 1,
            notable: 'all',
            settings: rules({ id: 'b', when: { kind: 'burst', n: 4, minutes: 1 } }, ...unnoticed),
          },
          {
            ...{ channel: 1, notable: 'all' },
            settings: rules({ id: 's', when: { kind: 'silence', of: 'relay', minutes: 1, hours } }),
          },
        ],
      });
      try {
        const devices = createDevices(chance.fork());
        const last = await scanWhileKilled(room, devices, chance);
        await last.moveClock(clockOf(lives) + 70 * second);
        await untilOver(room);
        await allTold(room, 60_000);
        const figures = await expectIncidents(room);
        await expectEscalations(room);
        tell('incidents', devices, figures, JSON.stringify(figures));
        expect(figures.bursts, 'bursts that ended while processes were killed').toBeGreaterThanOrEqual(2);
        expect(figures.silences).toBeGreaterThan(0);
      } finally {
        await room.close();
      }
    }));
});

describe('the kills', () => {
  it('leave a minute without scans now and then', () => {
    expect(
      Array.from({ length: lives }, (_, life) => clockOf(life + 1) - clockOf(life)).filter((ms) => ms > minute),
    ).toHaveLength(3);
  });
});

async function scanWhileKilled(room: FaultRoom, devices: Devices, chance: Chance): Promise<AppProcess> {
  const port = await freePort();
  const enough = new AbortController();
  const [, , burst, silent] = room.relays;
  const scanning = Promise.all(
    [burst!, silent!].map(({ id, path }) =>
      devices.scan(
        { relayId: id, url: () => `http://127.0.0.1:${port}${path}` },
        {
          ...{ count: 100_000, pauseMs: 250, until: enough.signal },
          fields: (n) => ({ status: n % 4 === 0 ? '1' : '0', text: 'told', sid: n % 3 === 0 ? '101' : '102' }),
        },
      ),
    ),
  );
  scanning.catch(() => enough.abort());
  for (let life = 0; life < lives && !enough.signal.aborted; life++) {
    const instance = room.start(port, { clockWrongBy: clockOf(life) });
    if (!chance.percent(10)) {
      await instance.listening;
      await wait(chance.percent(30) ? chance.between(2_000, 4_000) : chance.between(200, 1_500));
    }
    await instance.kill();
  }
  const last = room.start(port, { clockWrongBy: clockOf(lives) });
  await last.listening;
  await wait(2 * second);
  enough.abort();
  await scanning;
  return last;
}

async function untilOver(room: FaultRoom): Promise<void> {
  const store = await room.store();
  try {
    const open = () =>
      store.db.selectFrom('incidents').selectAll().where('rule_id', '=', 'b').where('due_at', 'is not', null).execute();
    await expect.poll(open, { timeout: 60_000, interval: 100 }).toEqual([]);
  } finally {
    await store.close();
  }
}

/** By all scans that are stored, and by what is in the channel. */
async function expectIncidents(room: FaultRoom) {
  const store = await room.store();
  try {
    const [, , burst, silent] = room.relays;
    const rows = await store.db
      .selectFrom('incidents')
      .selectAll()
      .where('rule_id', 'in', ['b', 's'])
      .orderBy('opened_at')
      .execute();
    const scans = await store.db
      .selectFrom('scans')
      .select(['id', 'relay_id', 'received_at', 'valid', 'sid'])
      .orderBy('received_at')
      .orderBy('id')
      .execute();
    const bursts = rows.filter(({ kind }) => kind === 'burst');
    const invalid = scans.filter(({ relay_id, valid }) => relay_id === burst!.id && valid === 0);
    expect(
      bursts.map(({ began_at, last_at, scans: count, ended_at, tally }) => ({
        ...{ began_at, last_at, scans: count, ended_at, services: JSON.parse(tally).services },
      })),
      'the figures of bursts',
    ).toEqual(naiveBursts(invalid, 4, minute));

    const silences = rows.filter(({ kind, ended_at }) => kind === 'silence' && ended_at !== null);
    for (const { began_at, ended_at, end_scan_id, end_reason } of silences) {
      expect(end_reason).toBe('scan');
      const between = scans.filter(
        ({ relay_id, received_at: at }) => relay_id === silent!.id && at > began_at && at <= ended_at!,
      );
      expect(
        between.map(({ id }) => id),
        'the first scan again',
      ).toEqual([end_scan_id]);
    }

    const messages = await room.messages(burst!.channel);
    const byKey = new Map<string, ShownMessage[]>();
    for (const message of messages) {
      const key = String(message.metadata?.event_payload.key);
      byKey.set(key, [...(byKey.get(key) ?? []), message]);
    }
    for (const { post_key: key, kind, scans: count, ended_at } of rows) {
      const [message, ...more] = byKey.get(key) ?? [];
      expect([message?.ts !== undefined, more], `${key} opened once`).toEqual([true, []]);
      if (ended_at !== null) {
        expect(message!.text).toContain('Over after');
        const replies = (byKey.get(`${key}.over`) ?? []).map(({ thread_ts }) => thread_ts);
        expect(replies, `${key} closed once`).toEqual([message!.ts]);
      }
      if (kind === 'burst') {
        expect(message!.text).toContain(countOf(count, 'invalid scan'));
        expect(byKey.get(`${key}.opened`)).toHaveLength(1);
      }
    }
    const doubted = await store.db.selectFrom('outbox').select('key').where('unconfirmed_at', 'is not', null).execute();
    return {
      ...{ posts: messages.length, folded: 0, doubted: doubted.length, repeated: 0 },
      ...{ bursts: bursts.length, silences: silences.length },
    };
  } finally {
    await store.close();
  }
}

async function expectEscalations(room: FaultRoom): Promise<void> {
  const store = await room.store();
  try {
    const rows = await store.db
      .selectFrom('incidents')
      .select(['post_key', 'rule_id', 'escalated_at', 'ended_at'])
      .where('rule_id', 'like', 'e%')
      .orderBy('rule_id')
      .execute();
    expect(rows.map(({ rule_id: rule, ended_at }) => [rule, ended_at])).toEqual(
      escalatedAfter.map((minutes) => [`e${minutes}`, null]),
    );
    const messages = await room.messages(room.relays[2]!.channel);
    for (const { post_key: key, escalated_at } of rows) {
      const calls = messages.filter(({ metadata }) => metadata?.event_payload.key === `${key}.escalated`);
      expect([escalated_at !== null, calls.length], `${key} escalated once`).toEqual([true, 1]);
    }
  } finally {
    await store.close();
  }
}

type Scan = { readonly received_at: number; readonly sid: string | null };

function naiveBursts(invalid: readonly Scan[], n: number, span: number): object[] {
  const found: object[] = [];
  let from = 0;
  for (let at = 0; at < invalid.length; at++) {
    const recent = invalid.slice(from, at + 1).filter((one) => one.received_at > invalid[at]!.received_at - span);
    if (recent.length >= n) {
      let last = at;
      while (last + 1 < invalid.length && invalid[last + 1]!.received_at - invalid[last]!.received_at < span) {
        last += 1;
      }
      const all = [...recent.slice(-n), ...invalid.slice(at + 1, last + 1)];
      const services: Record<string, number> = {};
      for (const { sid } of all) {
        services[sid ?? ''] = (services[sid ?? ''] ?? 0) + 1;
      }
      const lastAt = invalid[last]!.received_at;
      found.push({
        ...{ began_at: all[0]!.received_at, last_at: lastAt, scans: all.length, ended_at: lastAt + span },
        services,
      });
      from = last + 1;
      at = last;
    }
  }
  return found;
}
