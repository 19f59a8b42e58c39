import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { RelaySettings } from '../../src/relay/index.js';
import { byChance, type Chance } from '../helpers/faults/chance.js';
import { createDevices } from '../helpers/faults/devices.js';
import { allPosted, expectPromisesKept } from '../helpers/faults/promises.js';
import { tell } from '../helpers/faults/report.js';
import { type FaultRoom, openRoom } from '../helpers/faults/room.js';
import { freePort } from '../helpers/free-port.js';

/** A database of the sample, with values HLF-000001 and so on. */
const tickets = '1021';
const byDatabase = (unknown: 'accept' | 'reject'): Partial<RelaySettings> => ({
  judging: { kind: 'database', databaseIds: [tickets], unknown, liveShare: 100, budgetMs: 3_000, readings: false },
});

describe.concurrent('the account in trouble while scans come in', () => {
  it('scans are answered and posted though the account is slow, broken, out of API calls or unreachable', () =>
    byChance(async (chance) => {
      const room = await openRoom({
        channels: 3,
        more: [
          { channel: 1, notable: 'invalid' },
          { channel: 2, notable: 'all', settings: byDatabase('accept') },
          { channel: 2, notable: 'invalid', settings: byDatabase('reject') },
        ],
        connected: true,
      });
      try {
        const devices = createDevices(chance.fork());
        const port = await freePort();
        const enough = new AbortController();
        let instance = room.start(port);
        await instance.listening;
        const scanning = Promise.all(
          room.relays.map(({ id, path }, relay) =>
            devices.scan(
              { relayId: id, url: () => `http://127.0.0.1:${port}${path}` },
              {
                count: 100_000,
                pauseMs: 400,
                until: enough.signal,
                ...(relay >= 4 ? { fields: unjudged(relay) } : {}),
              },
            ),
          ),
        );
        scanning.catch(() => enough.abort());
        for (let life = 1; life <= 3; life++) {
          await playFaults(room, chance, 8_000);
          // The names that a process knows are stored; what it has learnt of the account's troubles is not.
          await instance.kill();
          instance = room.start(port);
          await instance.listening;
        }
        enough.abort();
        await scanning;
        await allPosted(room, 60_000);
        expect([...devices.refusals.keys()].filter((why) => why !== 'broken')).toEqual([]);
        const findings = await foundBy(room);
        expect([...findings], 'scans were judged with and without the account').toEqual(
          expect.arrayContaining(['valid', 'unknown_accepted', 'unknown_rejected']),
        );
        tell('account in trouble', devices, await expectPromisesKept(room, devices.answered));
      } finally {
        await room.close();
      }
    }));
});

async function foundBy(room: FaultRoom): Promise<Set<string | null>> {
  const store = await room.store();
  try {
    const rows = await store.db.selectFrom('received_scans').select('finding').distinct().execute();
    return new Set(rows.map(({ finding }) => finding));
  } finally {
    await store.close();
  }
}

/** Scans without a result: every second barcode is a ticket. */
function unjudged(relay: number) {
  return (n: number) => ({
    tid: n % 2 === 0 ? `HLF-${String(relay * 1_000 + n).padStart(6, '0')}` : `none-${relay}-${n}`,
    status: '',
    text: '',
  });
}

/** Gives the account another trouble every moment, and once stops its server. */
async function playFaults(room: FaultRoom, chance: Chance, forMs: number): Promise<void> {
  const until = performance.now() + forMs;
  let away = performance.now() + chance.between(1_000, forMs - 3_000);
  while (performance.now() < until) {
    await room.accountFaults({
      next: Array.from({ length: 3 }, () => ({
        times: chance.between(1, 3),
        as: chance.pick(['slow', 'slow', 'html', 'truncated', 'empty', '500', 'reset', 'refused']),
        delay_ms: chance.pick([0, 500, 20_000]),
        code: chance.pick(['2', '10', '100', '111', '113']),
      })),
    });
    await wait(chance.between(300, 1_500));
    if (performance.now() > away) {
      away = Number.POSITIVE_INFINITY;
      await room.account.leave();
      await wait(chance.between(1_000, 3_000));
      await room.account.comeBack();
    }
  }
  await room.accountFaults({ next: [] });
}
