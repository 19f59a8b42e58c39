/** The runner of jobs, with kinds that only this test has: what a kind may rely on, on either database. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { type Clock, systemClock, systemRandom } from '../../../src/clock.js';
import { JobDelayed, JobFailed, type JobKind, type JobRun, type NextRun } from '../../../src/database/jobs/job.js';
import { eraseAllJobs } from '../../../src/database/jobs/job-rows.js';
import { claimMs, createJobs } from '../../../src/database/jobs/runner.js';
import { silentLog } from '../../../src/log.js';
import { createMetrics } from '../../../src/metrics.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { owner, stranger } from '../../helpers/relay.js';

const stateSchema = z.object({ n: z.number() });
type State = z.output<typeof stateSchema>;

const second = 1_000;
const start = Date.UTC(2026, 5, 1);

onEachDatabase('jobs', ({ fresh }) => {
  let store: Store;
  let now = start;
  let processes = 0;
  /** The keys of runs, in their order. */
  let runs: string[] = [];
  let failures: unknown[] = [];

  beforeEach(async () => {
    store = await openTestStore(await fresh());
    store.onErase(eraseAllJobs);
    [now, runs, failures] = [start, [], []];
  });
  afterEach(() => store.close());

  /** A process whose jobs do what `run` does. Time passes where the test says so, or with the machine's clock. */
  const processOf = (
    run: (job: JobRun<State>) => Promise<NextRun<State>>,
    {
      clock,
      db = store.db,
      ...given
    }: Partial<JobKind<State>> & { readonly clock?: Clock; readonly db?: Store['db'] } = {},
  ) => {
    processes += 1;
    const metrics = createMetrics();
    const jobs = createJobs({
      store: { db, kind: store.kind },
      clock: clock ?? { now: () => now, sleep: systemClock.sleep },
      random: { ...systemRandom, fraction: () => 0.5 },
      log: silentLog,
      metrics,
      instanceId: `process ${processes}`,
    });
    const declared: JobKind<State> = {
      state: stateSchema,
      slots: 2,
      longestWaitMs: 3_600 * second,
      backoff: { leastBackoffMs: second, longestBackoffMs: 8 * second },
      tries: 5,
      async run(job) {
        runs.push(`${job.owner.team}.${job.key}`);
        return await run(job);
      },
      failed(job, code) {
        failures.push([job.key, job.state, code]);
        return {};
      },
      ...given,
    };
    return { ...jobs, metrics, kind: jobs.define('work', declared) };
  };
  const done = async () => ({});
  const stored = () => store.db.selectFrom('jobs').selectAll().orderBy('key').execute();
  const until = async (isSo: () => boolean) => {
    while (!isSo()) {
      await systemClock.sleep(5);
    }
  };

  it('due jobs of a workspace run in the order of their due times, later ones wait, and ended ones are deleted', async () => {
    const { kind, settled } = processOf(done, { slots: 1 });
    await kind.put(owner, 'second', { n: 2 }, { dueAt: now - 1 });
    await kind.put(owner, 'first', { n: 1 }, { dueAt: now - 2 });
    await kind.put(owner, 'later', { n: 3 }, { dueAt: now + second });
    await settled();
    expect(runs).toEqual([`${owner.team}.first`, `${owner.team}.second`]);
    expect((await stored()).map(({ key }) => key)).toEqual(['later']);
    now += second;
    await settled();
    expect(await stored()).toEqual([]);
  });

  it('a workspace with many due jobs lets another workspace’s job run after the one that runs', async () => {
    const { kind, settled } = processOf(done, { slots: 1 });
    for (let n = 0; n < 30; n += 1) {
      await kind.put(owner, `many-${n + 10}`, { n }, { dueAt: now - second });
    }
    await kind.put(stranger, 'one', { n: 0 });
    await settled();
    expect(runs).toHaveLength(31);
    expect(runs.indexOf(`${stranger.team}.one`)).toBeLessThan(2);
  });

  it('a kind whose runs take long leaves other kinds their own room', async () => {
    let end = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    const { kind, define, start, stop } = processOf(async () => {
      await held;
      return {};
    });
    let quick = 0;
    const other = define('quick', {
      state: stateSchema,
      slots: 1,
      longestWaitMs: second,
      backoff: { leastBackoffMs: 1, longestBackoffMs: 1 },
      tries: 1,
      async run() {
        quick += 1;
        return {};
      },
    });
    for (const key of ['a', 'b', 'c']) {
      await kind.put(owner, key, { n: 0 });
    }
    start();
    await until(() => runs.length === 2);
    await other.put(owner, 'a', { n: 0 });
    await until(() => quick === 1);
    expect(runs).toHaveLength(2);
    end();
    await until(() => runs.length === 3);
    await stop();
  });

  it('a runner without due jobs writes nothing', async () => {
    let writes = 0;
    const db = new Proxy(store.db, {
      get(target, name) {
        writes += name === 'transaction' || name === 'connection' ? 1 : 0;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const idle = processOf(done, { db });
    await idle.kind.put(owner, 'later', { n: 1 }, { dueAt: now + 3_600 * second });
    for (let polls = 0; polls < 60; polls += 1) {
      expect(await idle.runDue()).toBe(0);
      now += second;
    }
    expect(writes).toBe(0);
    now += 3_600 * second;
    expect(await idle.runDue()).toBe(1);
    expect(writes).toBeGreaterThan(0);
  });

  it('two processes run each due job once', async () => {
    const both = [processOf(done), processOf(done)];
    for (let n = 0; n < 20; n += 1) {
      await both[0]!.kind.put(n % 2 ? owner : stranger, String(n), { n });
    }
    await Promise.all(both.map(({ settled }) => settled()));
    await both[0]!.settled();
    expect(runs.toSorted()).toEqual([...new Set(runs)].toSorted());
    expect(runs).toHaveLength(20);
  });

  it('the job of a process that died runs again once its claim is over, and not before', async () => {
    const dying = processOf(() => new Promise(() => undefined));
    await dying.kind.put(owner, 'a', { n: 0 });
    void dying.settled();
    await until(() => runs.length === 1);
    const next = processOf(done);
    expect(await next.settled()).toBe(0);
    now += claimMs + 1;
    expect(await next.settled()).toBe(1);
    expect(await stored()).toEqual([]);
  });

  it('a claim is renewed while its job runs, so that no other process runs the job', async () => {
    let end = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    // The clock of the test passes a third of a claim with each sleep.
    const clock: Clock = {
      now: () => now,
      async sleep(ms, signal) {
        await systemClock.sleep(20, signal);
        now += ms;
      },
    };
    const slow = processOf(
      async () => {
        await held;
        return {};
      },
      { clock },
    );
    await slow.kind.put(owner, 'a', { n: 0 });
    const slowDone = slow.settled();
    await until(() => now > start + 3 * claimMs);
    expect(await processOf(done).settled()).toBe(0);
    end();
    await slowDone;
    expect(runs).toHaveLength(1);
    expect(await stored()).toEqual([]);
  });

  it('a job that is replaced during its run aborts the run, which stores nothing, and runs with its new state', async () => {
    const seen: unknown[] = [];
    const clock: Clock = { now: () => now, sleep: (_ms, signal) => systemClock.sleep(5, signal) };
    const { kind, settled } = processOf(
      async ({ state, signal, save }) => {
        seen.push(state);
        if (state.n === 1) {
          await kind.put(owner, 'a', { n: 2 });
          await until(() => signal.aborted);
          await expect(save({ n: 9 })).rejects.toMatchObject({ code: 'job.lost' });
        }
        return {};
      },
      { clock },
    );
    await kind.put(owner, 'a', { n: 1 });
    await settled();
    expect(seen).toEqual([{ n: 1 }, { n: 2 }]);
    expect(failures).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  it('a saved state, and what was written with it, is what the next run finds, also in another process', async () => {
    const first = processOf(async ({ state, save }) => {
      await save({ n: state.n + 1 }, (trx) => store.audit.add(owner, entry('saved'), trx));
      return { dueAt: now, change: { n: state.n + 10 }, work: (trx) => store.audit.add(owner, entry('went on'), trx) };
    });
    await first.kind.put(owner, 'a', { n: 1 });
    first.start();
    await until(() => runs.length > 0);
    await first.stop();
    const count = runs.length;
    const second = processOf(async ({ state }) => {
      expect(state).toEqual({ n: 1 + 10 * count });
      return {};
    });
    await second.settled();
    expect(await stored()).toEqual([]);
    expect(await store.audit.list(owner, { limit: 100 })).toHaveLength(2 * count);
  });

  it('a job that fails is tried again after pauses that double, and given up at the last try', async () => {
    const { kind, settled, metrics } = processOf(() => Promise.reject(new Error('broken')));
    await kind.put(owner, 'a', { n: 7 });
    const pauses: number[] = [];
    for (let tries = 1; tries < 5; tries += 1) {
      await settled();
      const [job] = await stored();
      expect(job).toMatchObject({ failures: tries, claimed_by: null });
      pauses.push(job!.due_at - now);
      now = job!.due_at - 1;
      expect(await settled()).toBe(0);
      now += 1;
    }
    expect(pauses).toEqual([1, 2, 4, 8].map((s) => s * second));
    await settled();
    expect(failures).toEqual([['a', { n: 7 }, 'unknown']]);
    expect(await stored()).toEqual([]);
    expect(await metrics.registry.metrics()).toContain('scandesk_jobs_total{kind="work",outcome="failed"} 1');
  });

  it('a job whose outcome cannot be written fails like its run, and is given up at the last try', async () => {
    const { kind, runDue } = processOf(async () => ({
      work: async () => {
        throw new JobDelayed('test.unwritable', 'the outcome cannot be written');
      },
    }));
    await kind.put(owner, 'a', { n: 1 });
    for (let n = 0; n < 5; n += 1) {
      await runDue();
      now += 60 * second;
    }
    expect(runs).toHaveLength(5);
    expect(failures).toEqual([['a', { n: 1 }, 'test.unwritable']]);
    expect(await stored()).toEqual([]);
  });

  it('a failed job waits as long as the failure asks for, and one that no try would mend is given up at once', async () => {
    const { kind, settled } = processOf(({ key }) =>
      Promise.reject(
        key === 'a' ? new JobDelayed('slack.rate', 'later', 60 * second) : new JobFailed('export.gone', 'never'),
      ),
    );
    await kind.put(owner, 'a', { n: 1 });
    await kind.put(owner, 'b', { n: 2 });
    await settled();
    expect(await stored()).toMatchObject([{ key: 'a', due_at: now + 60 * second }]);
    expect(failures).toEqual([['b', { n: 2 }, 'export.gone']]);
  });

  it('a job that was given up may go on, with what its kind writes then', async () => {
    const { kind, settled } = processOf(() => Promise.reject(new JobFailed('no', 'never')), {
      failed: () => ({
        dueAt: now + second,
        change: { n: 5 },
        work: (trx) => store.audit.add(owner, entry('failed'), trx),
      }),
    });
    await kind.put(owner, 'a', { n: 1 });
    await settled();
    expect(await stored()).toMatchObject([{ state: '{"n":5}', due_at: now + second, failures: 0 }]);
    expect(await store.audit.list(owner, { limit: 5 })).toHaveLength(1);
  });

  it('a job whose stored state cannot be read is given up with the code of that, and blocks no other job', async () => {
    const { kind, settled } = processOf(done, { slots: 1 });
    await kind.put(owner, 'a', { n: 1 });
    await kind.put(owner, 'b', { n: 1 });
    await store.db.updateTable('jobs').set({ state: '{"n":"one"}' }).where('key', '=', 'a').execute();
    expect(await kind.find(owner, 'a')).toBeUndefined();
    await settled();
    expect(failures).toEqual([['a', undefined, 'store.record_broken']]);
    expect(runs).toEqual([`${owner.team}.b`]);
    expect(await stored()).toEqual([]);
    await expect(kind.put(owner, 'c', { n: 'one' } as never)).rejects.toMatchObject({ code: 'store.record_broken' });
  });

  it('a job is open once for each kind, workspace and key', async () => {
    const { kind } = processOf(done);
    await kind.put(owner, 'a', { n: 1 });
    await kind.put(owner, 'a', { n: 2 }, { once: true });
    await kind.put(stranger, 'a', { n: 3 });
    expect(await kind.find(owner, 'a')).toMatchObject({ state: { n: 1 } });
    await kind.put(owner, 'a', { n: 4 });
    expect(await kind.find(owner, 'a')).toMatchObject({ state: { n: 4 } });
    expect(await stored()).toHaveLength(2);
  });

  it('a job added in a transaction that is rolled back does not exist', async () => {
    const { kind } = processOf(done);
    await store.db
      .transaction()
      .execute(async (trx) => {
        await kind.put(owner, 'a', { n: 1 }, { trx });
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    expect(await stored()).toEqual([]);
  });

  it('a due time that is further ahead than its kind allows was written by a wrong clock, and is due now', async () => {
    const { kind, settled } = processOf(done);
    await kind.put(owner, 'wrong', { n: 1 }, { dueAt: now + 3_601 * second });
    await kind.put(owner, 'right', { n: 1 }, { dueAt: now + 3_600 * second });
    await settled();
    expect(runs).toEqual([`${owner.team}.wrong`]);
  });

  it('a claim of a clock that was far ahead ends at once', async () => {
    const { kind, settled } = processOf(done);
    await kind.put(owner, 'a', { n: 1 });
    const claim = { claimed_by: 'gone', claimed_until: now + 3_600 * second };
    await store.db.updateTable('jobs').set(claim).execute();
    expect(await settled()).toBe(1);
  });

  it('the jobs of an erased installation are deleted, and a run under way stores nothing more', async () => {
    const { kind, settled } = processOf(async () => {
      await store.eraseInstallation(owner.installation);
      return { dueAt: now, change: { n: 2 } };
    });
    await kind.put(owner, 'a', { n: 1 });
    await kind.put(stranger, 'a', { n: 1 }, { dueAt: now + second });
    await settled();
    expect((await stored()).map(({ team }) => team)).toEqual([stranger.team]);
  });

  it('a stopped process gives its jobs back at once, without a failure', async () => {
    const stopped = processOf(({ signal }) => {
      signal.throwIfAborted();
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    await stopped.kind.put(owner, 'a', { n: 1 });
    stopped.start();
    await until(() => runs.length === 1);
    await stopped.stop();
    expect(await stored()).toMatchObject([{ claimed_by: null, failures: 0 }]);
    expect(await processOf(done).settled()).toBe(1);
  });
});

function entry(what: string) {
  return { at: start, who: 'system', where: 'home', what, detail: {}, outcome: 'ok' };
}
