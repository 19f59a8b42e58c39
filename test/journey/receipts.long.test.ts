import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/clock.js';
import { signatureOf } from '../../src/sandbox/slack/app/sender.js';
import type { AppProcess } from '../helpers/app-process.js';
import { postgresDatabases, sqliteDatabases } from '../helpers/databases.js';
import { byChance, type Chance } from '../helpers/faults/chance.js';
import { createDevices } from '../helpers/faults/devices.js';
import { allPosted, expectPromisesKept } from '../helpers/faults/promises.js';
import { tell } from '../helpers/faults/report.js';
import { type FaultRoom, openRoom, roomSigningSecret } from '../helpers/faults/room.js';
import { freePort } from '../helpers/free-port.js';
import { shareOf } from '../helpers/long-share.js';

/** How many kills there are on each of the two databases. */
const kills = shareOf(50);
const channels = 20;
const minute = 60_000;
/** Alone on two cores it takes about four minutes. */
const patienceMs = 30 * minute;
const fates = ['delivered', 'delivered', 'delivered', 'doubled', 'dropped', 'late'] as const;
type Fate = (typeof fates)[number];

const databases = { SQLite: sqliteDatabases(), PostgreSQL: postgresDatabases() };

describe.concurrent.each(Object.keys(databases) as (keyof typeof databases)[])('receipts of posts, on %s', (name) => {
  it(
    `posts in doubt are settled by receipts over ${kills} kills, at one read a minute for ${channels} channels`,
    () =>
      byChance(async (chance) => {
        const url = await databases[name].fresh();
        const time = passingTime();
        const port = await freePort();
        const gateway = await openGateway({ port, clock: time.clock, chance: chance.fork() });
        const inDoubt = createDoubts(time, chance.fork());
        const room = await openRoom({
          ...{ channels, databaseUrl: url, clock: time.clock, appUrl: gateway.url, receipts: true },
          ...{ beforeAnswer: inDoubt.beforeAnswer, rules: { historyPerMinute: 1 } },
        });
        try {
          const devices = createDevices(chance.fork(), 12_000);
          const enough = new AbortController();
          const scanning = Promise.all(
            room.relays.map(({ id, path }) =>
              devices.scan(
                { relayId: id, url: () => `http://127.0.0.1:${port}${path}` },
                { count: 100_000, pauseMs: 6_000, withinMs: 600_000, until: enough.signal },
              ),
            ),
          );
          scanning.catch(() => enough.abort());
          for (let round = 0; round < kills && !enough.signal.aborted; round++) {
            const app = await time.start(room, port);
            // Devices are answered; the dead one's leases end; in every other life there is a call of the history too.
            await wait(500);
            await gateway.settled();
            await time.pass(app, round % 2 === 0 ? minute : 5_000);
            await Promise.race([inDoubt.killAtNextPost(app), wait(2_500)]);
            await inDoubt.kill(app);
          }
          const last = await time.start(room, port);
          enough.abort();
          await scanning;
          let waiting = true;
          const passing = (async () => {
            while (waiting) {
              await wait(1_300);
              await time.pass(last, minute);
            }
          })();
          await allPosted(room, 600_000).finally(() => {
            waiting = false;
          });
          await passing;
          const figures = await expectPromisesKept(room, devices.answered);
          const { certain, computedMs } = await timesToCertainty(room, inDoubt.accepted, gateway.fateOf);
          tell(`receipts, ${name}`, devices, figures, table(certain, computedMs));
          expect(certain.length, 'killed between sending and answer').toBeGreaterThanOrEqual(kills * 0.3);
          const told = certain.filter(({ fate }) => isTold(fate));
          expect(median(told.map(({ ms }) => ms))).toBeLessThan(20_000);
        } finally {
          await room.close();
          await gateway.close();
        }
      }),
    patienceMs,
  );
});

/**
 * A clock that minutes can be added to, for the simulated Slack and the app together. It stands still while the app is
 * dead: a start takes a second by it, however slow the machine.
 */
function passingTime() {
  let ahead = 0;
  let heldAt: number | undefined;
  const startsInMs = 1_000;
  const now = () => heldAt ?? Date.now() + ahead;
  const clock: Clock = {
    now,
    steady: now,
    async sleep(ms, signal) {
      for (const until = now() + ms; now() < until; ) {
        await wait(20, undefined, signal ? { signal } : undefined);
      }
    },
  };
  return {
    clock,
    hold(): void {
      heldAt ??= now();
    },
    async start(room: FaultRoom, port: number): Promise<AppProcess> {
      heldAt = now() + startsInMs;
      const app = room.start(port, { clockWrongBy: heldAt - Date.now(), clockHeld: true });
      await app.listening;
      ahead = heldAt - Date.now();
      await app.moveClock(ahead);
      heldAt = undefined;
      return app;
    },
    async pass(app: AppProcess, ms: number): Promise<void> {
      await app.passTime(ms);
      ahead += ms;
    },
  };
}

interface Accepted {
  readonly key: string;
  readonly at: number;
}

/** Kills the app while Slack has taken a message and has not said so. */
function createDoubts({ clock, hold }: ReturnType<typeof passingTime>, chance: Chance) {
  const accepted: Accepted[] = [];
  const unanswered = new Map<string, Accepted>();
  let kill: (() => Promise<void>) | undefined;
  const doubts = {
    accepted,
    async beforeAnswer({ message }: { message?: { metadata?: { event_payload: { key: string } } } }) {
      const key = message?.metadata?.event_payload.key ?? '';
      unanswered.set(key, { key, at: clock.now() });
      if (chance.percent(40)) {
        await kill?.();
      }
      await wait(chance.between(0, 60));
      unanswered.delete(key);
    },
    killAtNextPost: (app: AppProcess) =>
      new Promise<void>((done) => {
        kill = async () => {
          await doubts.kill(app);
          done();
        };
      }),
    async kill(app: AppProcess) {
      kill = undefined;
      if (!app.hasEnded) {
        accepted.push(...unanswered.values());
        unanswered.clear();
        await app.kill();
        hold();
      }
    },
  };
  return doubts;
}

/** A proxy of Slack's events: it drops, doubles and delays them, and waits a moment for an app that starts. */
async function openGateway({ port, clock, chance }: { port: number; clock: Clock; chance: Chance }) {
  const byKey = new Map<string, Fate>();
  const fateOf = (key: string): Fate => {
    const fate = byKey.get(key) ?? chance.pick(fates);
    byKey.set(key, fate);
    return fate;
  };
  const closed = new AbortController();
  let forwarding = 0;
  const forward = async (body: string, forMs: number): Promise<number> => {
    forwarding += 1;
    try {
      return await tryUntil(body, clock.now() + forMs);
    } finally {
      forwarding -= 1;
    }
  };
  const tryUntil = async (body: string, until: number): Promise<number> => {
    while (!closed.signal.aborted) {
      const timestamp = String(Math.floor(clock.now() / 1_000));
      const headers = {
        'content-type': 'application/json',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': signatureOf(roomSigningSecret, timestamp, body),
      };
      const answer = await fetch(`http://127.0.0.1:${port}/slack/events`, { method: 'POST', headers, body }).catch(
        () => undefined,
      );
      if (answer?.ok || clock.now() > until) {
        return answer?.status ?? 502;
      }
      await wait(50);
    }
    return 502;
  };
  const startsWithinMs = 10_000;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const fate = fateOf(JSON.parse(body).event?.metadata?.event_payload.key ?? '');
    let status = 200;
    if (fate === 'late') {
      clock
        .sleep(5 * minute, closed.signal)
        .then(() => forward(body, startsWithinMs))
        .catch(() => undefined);
    } else if (fate !== 'dropped') {
      const both = await Promise.all([forward(body, 2_500), ...(fate === 'doubled' ? [forward(body, 2_500)] : [])]);
      status = Math.max(...both);
    }
    response.writeHead(status).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fateOf,
    /** Resolves once the app has taken what waited for it, and had a moment to read it. */
    async settled() {
      for (let tries = 0; forwarding > 0 && tries < 100; tries++) {
        await wait(50);
      }
      await wait(500);
    },
    async close() {
      closed.abort();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

interface Certain {
  readonly fate: Fate;
  /** When Slack took the post. */
  readonly at: number;
  /** How long after that the post was known to be delivered. */
  readonly ms: number;
}

async function timesToCertainty(
  room: FaultRoom,
  accepted: readonly Accepted[],
  fateOf: (key: string) => Fate,
): Promise<{ readonly certain: readonly Certain[]; readonly computedMs: number }> {
  const store = await room.store();
  try {
    const rows = await store.db.selectFrom('outbox').select(['key', 'finished_at as at', 'unconfirmed_at']).execute();
    const finished = new Map(rows.map(({ key, at }) => [key, at ?? Number.NaN]));
    const certain = accepted.map(({ key, at }) => ({
      ...{ fate: fateOf(key), at },
      ms: Math.max(0, finished.get(key)! - at),
    }));
    const taken = new Map(accepted.map(({ key }) => [key, fateOf(key)]));
    const searched = rows.flatMap(({ key, unconfirmed_at: at }) => {
      const calls = taken.get(key) === undefined ? 2 : isTold(taken.get(key)!) ? 0 : 1;
      return at === null ? [] : Array.from({ length: calls }, (_, n) => ({ at, isLast: n === calls - 1 }));
    });
    return { certain, computedMs: computed(searched) };
  } finally {
    await store.close();
  }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const isTold = (fate: Fate) => fate === 'delivered' || fate === 'doubled';

/** One call a minute for all channels, in the order of the doubts: one settles a post that is there, two one that is not. */
function computed(searched: readonly { readonly at: number; readonly isLast: boolean }[]): number {
  let free = 0;
  return median(
    searched
      .toSorted((a, b) => a.at - b.at)
      .flatMap(({ at, isLast }) => {
        const called = Math.max(free, at + 8_000);
        free = called + minute;
        return isLast ? [called - at] : [];
      }),
  );
}

function table(certain: readonly Certain[], computedMs: number): string {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const rows = ['delivered', 'doubled', 'late', 'dropped'].map((fate) => {
    const its = certain.filter((one) => one.fate === fate).map(({ ms }) => ms);
    return `${fate} ${its.length}: median ${seconds(median(its))}, longest ${seconds(Math.max(0, ...its))}`;
  });
  const searched = certain.filter(({ fate }) => !isTold(fate)).map(({ ms }) => ms);
  return `${certain.length} killed between sending and answer; ${rows.join('; ')}; late or dropped: median ${seconds(median(searched))}, computed ${seconds(computedMs)}`;
}
