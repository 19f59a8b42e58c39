import { afterEach, expect, it } from 'vitest';
import { AccountError } from '../../src/codereadr/types.js';
import { createLookups } from '../../src/lookup/index.js';
import { createScans } from '../../src/scans/index.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { createFastClock } from '../helpers/fast-clock.js';
import { mirrorOf } from '../helpers/mirror.js';
import { owner } from '../helpers/relay.js';
import { startDesk } from '../lookup/harness.js';

const minuteMs = 60_000;
const tickets = '1021';
/** A minute takes a second and a half; on a real clock these tests would wait for the account's minutes. */
const speed = 40;

onEachDatabase('the share of an account’s calls, as the account counts them over HTTP,', (databases) => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) {
      await close();
    }
  });

  const start = async (limits: { minute: number; day: number }, faster = speed) => {
    const clock = createFastClock(faster);
    const account = await startDesk({ clock, limits, callsPerMinute: limits.minute });
    closing.push(account.close);
    const calls: number[] = [];
    account.onWire(({ variables }) => {
      // A call about one barcode was made for a person.
      if (variables.has('section') && !variables.has('value')) {
        calls.push(clock.now());
      }
      return undefined;
    });
    const url = await databases.fresh();
    const setUp = await openTestStore(url, { clock });
    await setUp.workspaces.connect(owner, account.apiKey, { connectedBy: 'U1', connectedAt: 5 });
    await setUp.workspaces.change(owner, { lookupDatabases: [tickets] });
    await setUp.close();
    const startInstance = async () => {
      const store = await openTestStore(url, { clock });
      const { mirror } = mirrorOf(store, account.accounts, {
        clock,
        pageSize: 200,
        times: { pollMs: 1_000, changesMs: 1_000, freshMs: 1_000, perCallMs: 0, fullMs: 1_000, leaseMs: 30_000 },
      });
      let stopped: Promise<void> | undefined;
      const stop = () => (stopped ??= mirror.stop().then(store.close));
      closing.push(stop);
      mirror.start();
      return { store, mirror, stop };
    };
    /** Lets time pass until `done`; returns the most calls that the account counted in a minute, and in the day. */
    const watch = async (ms: number, { alone = true, done = (): boolean => true } = {}) => {
      const used = { minute: 0, day: 0 };
      for (const until = clock.now() + ms; clock.now() < until || !done(); await clock.sleep(2_000)) {
        const answer = await fetch(account.apiUrl.replace('/api/', '/scanner/faults'));
        const left = (await answer.json()) as { minute_left: number; day_left: number };
        used.minute = Math.max(used.minute, limits.minute - left.minute_left);
        used.day = Math.max(used.day, limits.day - left.day_left);
      }
      if (alone) {
        expect(used.minute).toBeLessThanOrEqual(limits.minute * 0.3);
        expect(used.day).toBeLessThanOrEqual(limits.day * 0.3);
      }
      return used;
    };
    return { clock, account, calls, startInstance, watch };
  };
  /** The most calls in any minute, wherever it begins. */
  const most = (calls: readonly number[]) =>
    Math.max(...calls.map((from) => calls.filter((at) => at >= from && at < from + minuteMs).length));

  it('the mirror makes more than 20 calls, and never more in a minute than its share', async () => {
    const { calls, startInstance, watch } = await start({ minute: 30, day: 21_600 });
    await startInstance();
    await watch(6 * minuteMs, { done: () => calls.length > 20 });
    expect(most(calls)).toBeLessThanOrEqual(9);
  });

  it('the mirror makes at least one and at most 4 of a day’s 18 calls in its first 6 minutes', async () => {
    const { calls, startInstance, watch } = await start({ minute: 30, day: 60 });
    await startInstance();
    const used = await watch(6 * minuteMs);
    // A tenth of the day's 18 at once, the others in the course of the day.
    expect(used.day).toBeLessThanOrEqual(4);
    expect(calls.length).toBeGreaterThan(0);
  });

  it('the mirror keeps to its share of a minute’s calls while people’s lookups are answered', async () => {
    const { clock, account, calls, startInstance, watch } = await start({ minute: 30, day: 21_600 }, 15);
    const { store, mirror } = await startInstance();
    const lookups = createLookups({ clock, scans: createScans(store.db), mirror });
    let answered = 0;
    let going = true;
    const person = async (n: number) => {
      for (let at = 0; going; at += 1) {
        await lookups
          .lookup({
            owner,
            account: account.account,
            value: `HLF-${String(n * 100 + at).padStart(6, '0')}`,
            databaseIds: [tickets],
          })
          .then(() => (answered += 1))
          .catch((error: unknown) => expect(error).toBeInstanceOf(AccountError));
        await clock.sleep(4_000);
      }
    };
    const people = [1, 2, 3].map(person);
    await watch(4 * minuteMs, { alone: false, done: () => answered > 0 });
    going = false;
    await Promise.all(people);
    expect(most(calls)).toBeLessThanOrEqual(9);
  });

  it('two instances keep to the mirror’s share of calls, and the second completes the copy alone', async () => {
    const { calls, startInstance, watch } = await start({ minute: 30, day: 21_600 });
    const first = await startInstance();
    const second = await startInstance();
    await watch(2 * minuteMs);
    await first.stop();
    const before = calls.length;
    await watch(3 * minuteMs);
    expect(calls.length).toBeGreaterThan(before);
    expect(most(calls)).toBeLessThanOrEqual(9);
    await expect.poll(async () => (await second.mirror.scansState(owner))?.at).toBeDefined();
    await expect.poll(async () => (await second.mirror.states(owner))[0]?.fetchedAt).toBeDefined();
    expect(most(calls)).toBeLessThanOrEqual(9);
  });
});
