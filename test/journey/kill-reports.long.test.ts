import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { systemRandom } from '../../src/clock.js';
import type { ReportState } from '../../src/reports/report.js';
import { startApp } from '../helpers/app-process.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { addJob, jobsOf } from '../helpers/jobs.js';
import { shareOf } from '../helpers/long-share.js';
import { gate, relaysOf } from '../helpers/relay.js';
import { owner, startSlowWorkspace } from './killed-app.js';

const leastKills = shareOf(20);
const mostKills = 60;
const leastInDoubt = shareOf(3);
const minuteMs = 60_000;

onEachDatabase('daily reports of an app that is killed again and again', ({ fresh }) => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) {
      await close();
    }
  });

  it('each daily report of a killed app is posted once, and each one that cannot be posted causes one notice', async () => {
    const slack = await startSlowWorkspace(['chat.postMessage']);
    closing.push(slack.close);
    const ours = async (channel: string) => (await slack.posted(channel)).map((message) => JSON.stringify(message));

    const url = await fresh();
    const store = await openTestStore(url);
    closing.push(() => store.close());
    const { relay } = await relaysOf(store).create({ ...gate, owner, channel: 'C0GENERAL', createdBy: 'U0ADA' });
    const addReport = async (id: string, channel: string) => {
      const dueAt = Math.floor(Date.now() / minuteMs) * minuteMs;
      const at = new Date(dueAt);
      const time = { hour: at.getUTCHours(), minute: at.getUTCMinutes(), zone: 'Etc/UTC', day: 'today' };
      const state = { channel, subject: { relay: relay.id }, ...time, createdBy: 'U0ADA', dueAt, missed: 0 };
      await addJob(store, { owner, kind: 'report', key: id, state, createdAt: dueAt, dueAt });
    };
    const settings = await slack.settings(url);
    const inDoubt = async () =>
      await store.db.selectFrom('outbox').select('kind').where('unconfirmed_at', 'is not', null).execute();

    const channels: string[] = [];
    let kills = 0;
    for (; kills < mostKills; kills++) {
      if (kills < leastKills) {
        const channel = await slack.createChannel(`report-${kills}`);
        channels.push(channel);
        await addReport(`posted-${kills}`, channel);
        await addReport(`gone-${kills}`, `C0NOPE${kills}X`);
      } else if ((await inDoubt()).length >= leastInDoubt) {
        break;
      }
      const app = startApp(settings);
      await app.listening;
      // A random moment is seldom that between a post and its record.
      await (kills % 5 === 4 ? slack.takes('chat.postMessage', 8_000) : wait(systemRandom.fraction() * 2_000));
      await app.kill();
    }

    const last = startApp(settings);
    closing.push(() => last.kill());
    await last.listening;
    const open = async () =>
      await store.db.selectFrom('outbox').select('key').where('finished_at', 'is', null).execute();
    const unsettled = async () => {
      const due = await jobsOf<ReportState>(store, 'report');
      const left = due.filter(({ key, state }) => (key.startsWith('gone') ? !state.paused : !state.postedAt));
      return left.length + (await jobsOf(store, 'notice')).length + (await open()).length;
    };
    await expect.poll(unsettled, { timeout: 240_000, interval: 1_000 }).toBe(0);
    // A post sent twice would come late.
    await wait(5_000);
    for (const [n, channel] of channels.entries()) {
      expect(await ours(channel), `report ${n} of ${kills} kills`).toHaveLength(1);
    }
    const notices = await store.db
      .selectFrom('outbox')
      .select('channel')
      .distinct()
      .where('kind', '=', 'notice')
      .execute();
    expect(notices).toEqual([{ channel: expect.stringMatching(/^D/) }]);
    const told = await ours(notices[0]?.channel ?? '');
    for (const n of channels.keys()) {
      expect(
        told.filter((message) => message.includes(`C0NOPE${n}X`)),
        `notice ${n}`,
      ).toHaveLength(1);
    }
    // Without a kill between a post and its record, this test would show nothing.
    expect((await inDoubt()).length).toBeGreaterThanOrEqual(leastInDoubt);
    expect(await last.stop()).toBe(0);
    closing.splice(closing.length - 1, 1);
  });
});
