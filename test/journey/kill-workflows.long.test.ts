import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../src/clock.js';
import { createRelays, relaySettingsSchema, workflowPlaceholders } from '../../src/relay/index.js';
import { createWorkflowTriggers } from '../../src/workflows/index.js';
import { startApp } from '../helpers/app-process.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { shareOf } from '../helpers/long-share.js';
import { gate, scanForm } from '../helpers/relay.js';
import { owner, startSlowWorkspace, workflowStart } from './killed-app.js';

const leastKills = shareOf(20);
const mostKills = 60;
const leastRepeats = shareOf(3);
const scansAKill = 3;

onEachDatabase('workflow starts of an app that is killed again and again', ({ fresh }) => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) {
      await close();
    }
  });

  it('each scan of a killed app starts its workflow in order, and a repeated start carries the same key', async () => {
    const slack = await startSlowWorkspace([workflowStart]);
    closing.push(slack.close);
    const url = await fresh();
    const store = await openTestStore(url);
    closing.push(() => store.close());
    const settings = await slack.settings(url);
    const triggers = createWorkflowTriggers({ store, clock: systemClock, apiUrl: settings.SLACK_API_URL ?? '' });
    await triggers.storeUrl(owner, slack.triggerUrl);
    const variables = workflowPlaceholders.map((name) => ({ name, text: `{${name}}` }));
    const workflow = { trigger: triggers.idOf(slack.triggerUrl), variables };
    const rule = { id: 'r1', when: { kind: 'every' }, action: 'workflow', channel: '', workflow };
    const relays = createRelays({ store, clock: systemClock, random: systemRandom, onPosts: () => undefined });
    const { path } = await relays.create({ ...gate, owner, settings: relaySettingsSchema.parse({ rules: [rule] }) });

    const accepted: string[] = [];
    const send = async () => {
      const tid = `KILL-${accepted.length + 1}`;
      const body = new URLSearchParams(scanForm({ tid }));
      const response = await fetch(`${settings.PUBLIC_URL}${path}`, { method: 'POST', body });
      expect(response.status).toBe(200);
      accepted.push(tid);
    };
    const barcodes = async () => (await slack.started()).map(({ barcode }) => barcode);
    const repeats = async () => {
      const all = await barcodes();
      return all.length - new Set(all).size;
    };

    let kills = 0;
    for (; kills < mostKills && (kills < leastKills || (await repeats()) < leastRepeats); kills++) {
      const app = startApp(settings);
      await app.listening;
      for (let n = 0; n < scansAKill; n++) {
        await send();
      }
      await wait(systemRandom.fraction() * 1_500);
      await app.kill();
    }

    const last = startApp(settings);
    closing.push(() => last.kill());
    await last.listening;
    const open = async () =>
      (await store.db.selectFrom('outbox').select('key').where('finished_at', 'is', null).execute()).length;
    await expect.poll(open, { timeout: 600_000, interval: 500 }).toBe(0);
    const started = await slack.started();
    expect([...new Set(started.map(({ barcode }) => barcode))], `after ${kills} kills`).toEqual(accepted);
    expect(new Set(started.map(({ scan_key: key }) => key)).size).toBe(accepted.length);
    // Without a kill between a start and its record, this test would show nothing.
    expect(await repeats()).toBeGreaterThanOrEqual(leastRepeats);
    expect(await last.stop()).toBe(0);
    closing.splice(closing.length - 1, 1);
  }, 900_000);
});
