import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Clock, systemClock, systemRandom } from '../../src/clock.js';
import { eraseAllJobs } from '../../src/database/jobs/job-rows.js';
import { createJobs } from '../../src/database/jobs/runner.js';
import { silentLog } from '../../src/log.js';
import { createMetrics } from '../../src/metrics.js';
import type { Owner } from '../../src/ownership.js';
import { createNoticeJobs, type Notice } from '../../src/posts/index.js';
import { erasedNotice } from '../../src/slack/forget/erased-notice.js';
import { createErasures, type EraseStep } from '../../src/workspaces/erasures.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { owner, stranger } from '../helpers/relay.js';

onEachDatabase('requested erasures', ({ fresh }) => {
  let store: Store;
  const told: (readonly [Owner, readonly string[], unknown])[] = [];

  beforeEach(async () => {
    told.length = 0;
    store = await openTestStore(await fresh());
    store.onErase(eraseAllJobs);
  });
  afterEach(() => store.close());

  const tell = async ({ owner: whose, people, detail }: Notice) => void told.push([whose, people, JSON.parse(detail)]);
  const toldOnce = [[owner, ['U1'], { what: 'erased', at: 5 }]];
  let processes = 0;

  /** A process with its runner. `add`: what sends a notice. */
  const start = (steps: readonly EraseStep[], { add = tell, clock = systemClock as Clock } = {}) => {
    processes += 1;
    const instanceId = `process ${processes}`;
    const shared = { store, clock, random: systemRandom, log: silentLog, metrics: createMetrics(), instanceId };
    const jobs = createJobs(shared);
    const onErased = erasedNotice(createNoticeJobs(jobs, { add }));
    return { ...createErasures({ ...shared, jobs, steps, onErased }), ...jobs };
  };
  const until = async (isSo: () => Promise<boolean> | boolean) => {
    while (!(await isSo())) {
      await systemClock.sleep(10);
    }
  };

  it('a requested erasure of all data is carried out step by step, audited, and reported once', async () => {
    const done: unknown[] = [];
    const erasures = start([async (whose, at) => void done.push([1, whose.team, at]), async () => void done.push(2)]);
    await erasures.request(owner, { who: 'U1', at: 5 });
    expect(await erasures.find(owner)).toEqual({ who: 'U1', at: 5 });
    expect(await erasures.find(stranger)).toBeUndefined();
    erasures.start();
    await until(() => told.length > 0);
    await erasures.stop();
    expect(done).toEqual([[1, owner.team, 5], 2]);
    expect(told).toEqual(toldOnce);
    expect(await erasures.find(owner)).toBeUndefined();
    expect(await store.audit.list(owner, { limit: 5 })).toMatchObject([{ what: 'workspace/erased', who: 'U1' }]);
  });

  it('a requested erasure of all data is completed by the next process if a process stopped half way', async () => {
    let began = false;
    const first = start([
      async (_owner, _at, stopping) => {
        began = true;
        await new Promise<void>((done) => stopping.addEventListener('abort', () => done()));
      },
    ]);
    await first.request(owner, { who: 'U1', at: 5 });
    first.start();
    await until(() => began);
    await first.stop();
    expect(await first.find(owner)).toEqual({ who: 'U1', at: 5 });
    expect(told).toEqual([]);
    const second = start([async () => undefined]);
    second.start();
    await until(() => told.length > 0);
    await second.stop();
    expect(await second.find(owner)).toBeUndefined();
  });

  it('a requested erasure of all data is reported even if the first notice fails, also by the next process', async () => {
    let tries = 0;
    let done = 0;
    const step = async () => {
      done += 1;
    };
    const add = () => {
      tries += 1;
      return Promise.reject(new Error('Slack is down'));
    };
    const failing = start([step], { add });
    await failing.request(owner, { who: 'U1', at: 5 });
    failing.start();
    await until(() => tries > 0);
    await failing.stop();
    expect(await failing.find(owner)).toBeUndefined();
    const next = start([step]);
    next.start();
    await until(() => told.length > 0);
    await next.stop();
    expect(told).toEqual(toldOnce);
    expect(done).toBe(1);
    expect(await store.audit.list(owner, { limit: 5 })).toHaveLength(1);
    const last = start([]);
    last.start();
    await systemClock.sleep(50);
    await last.stop();
    expect(told).toHaveLength(1);
  });

  it('a person whose notice of an erasure fails for a day is not notified any more', async () => {
    let now = 1_000;
    let tries = 0;
    const add = () => {
      tries += 1;
      return Promise.reject(new Error('Slack is down'));
    };
    const failing = start([], { add, clock: { ...systemClock, now: () => now } });
    await failing.request(owner, { who: 'U1', at: 5 });
    for (let triesBefore = -1; tries > triesBefore; now += 13 * 60_000) {
      triesBefore = tries;
      await failing.settled();
    }
    expect(now).toBeGreaterThan(20 * 3_600_000);
    expect(tries).toBeGreaterThan(100);
    now += 24 * 3_600_000;
    const next = start([], { clock: { ...systemClock, now: () => now } });
    await next.settled();
    expect(told).toEqual([]);
  });

  it('a requested erasure of all data is dropped when the installation is erased', async () => {
    const erasures = start([]);
    await erasures.request(owner, { who: 'U1', at: 5 });
    await store.eraseInstallation(owner.installation);
    expect(await erasures.find(owner)).toBeUndefined();
  });
});
