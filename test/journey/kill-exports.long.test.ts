import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { systemRandom } from '../../src/clock.js';
import { connect, createShelf, exportsOf, fill, openExports, request, someScans } from '../exports/world.js';
import { startApp } from '../helpers/app-process.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { shareOf } from '../helpers/long-share.js';
import { recordsInFile } from '../helpers/spreadsheets.js';
import { startDesk } from '../lookup/harness.js';
import { owner, startSlowWorkspace } from './killed-app.js';

const leastKills = shareOf(20);
const mostKills = 80;
const leastInDoubt = shareOf(3);
/** How many exports are requested, each for a channel of its own; every fourth channel does not exist. */
const wanted = 8;
const scans = someScans(1_000, (n) => `KILL-0${n}`).map((scan) => ({ ...scan, where: 'relay' as const }));

onEachDatabase('exports of an app that is killed again and again', ({ fresh }) => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) {
      await close();
    }
  });

  it('each export of a killed app results in one complete file, or in one notice to its requester', async () => {
    const slack = await startSlowWorkspace(['chat.postMessage', 'files.completeUploadExternal']);
    closing.push(slack.close);
    const desk = await startDesk();
    closing.push(desk.close);
    const url = await fresh();
    const store = await openTestStore(url);
    closing.push(() => store.close());
    await connect(store, owner, desk.apiKey);
    await fill(store, scans, owner);
    const exports = exportsOf(store, createShelf());
    const settings = { ...(await slack.settings(url)), ACCOUNT_API_URL: desk.apiUrl };
    const channels = await Promise.all(
      Array.from({ length: wanted }, async (_, n) =>
        n % 4 === 3 ? `C0NOPE${n}X` : slack.createChannel(`export-${n}`),
      ),
    );
    let asked = 0;
    /** Requests exports, as many as a workspace may have at once. */
    const ask = async () => {
      while (asked < wanted) {
        const mode = asked % 2 === 0 ? 'xlsx' : 'exact';
        const place = { owner, who: 'U0ADA', channel: channels[asked] ?? '' };
        const answer = await exports.request({ ...request(undefined, { mode }), ...place });
        if (answer === 'too_many') {
          return;
        }
        asked += 1;
      }
    };
    /** The exports whose files were sent, and whose answers are not known. */
    const inDoubt = async () => (await openExports(store)).filter(({ state }) => state.sharedAt !== undefined);

    let doubts = 0;
    let kills = 0;
    for (; kills < mostKills && (kills < leastKills || asked < wanted || doubts < leastInDoubt); kills++) {
      await ask();
      const app = startApp(settings);
      await app.listening;
      // A random moment is seldom that between a file and its record.
      await (kills % 2 ? slack.takes('files.completeUploadExternal', 10_000) : wait(systemRandom.fraction() * 3_000));
      await app.kill();
      doubts += (await inDoubt()).length;
    }
    expect(asked).toBe(wanted);

    const last = startApp(settings);
    closing.push(() => last.kill());
    await last.listening;
    const open = async () => {
      const left = await openExports(store);
      const posts = await store.db.selectFrom('outbox').select('key').where('finished_at', 'is', null).execute();
      const updates = await store.db
        .selectFrom('message_updates')
        .select('post_seq')
        .where('due_at', 'is not', null)
        .execute();
      return left.length + posts.length + updates.length;
    };
    await expect.poll(open, { timeout: 420_000, interval: 1_000 }).toBe(0);
    // A message or a file sent twice would come late.
    await wait(5_000);
    for (const [n, channel] of channels.filter((one) => !one.startsWith('C0NOPE')).entries()) {
      const messages = await slack.posted(channel);
      expect(
        messages.map(({ text, files }) => files?.length ?? text),
        `export ${n} of ${kills} kills`,
      ).toEqual([1]);
      const file = messages[0]?.files?.[0];
      const rows = await recordsInFile(await slack.fileContent(file!));
      const received = rows.map(({ Barcode = '' }) => Barcode).filter((barcode) => barcode.startsWith('KILL-'));
      expect(received.sort()).toEqual(scans.map(({ value }) => value).sort());
    }
    const [notice] = await store.db.selectFrom('outbox').select('channel').where('kind', '=', 'notice').execute();
    const told = await slack.posted(notice?.channel ?? '');
    expect(told.map(({ text }) => text)).toHaveLength(wanted / 4);
    // Without a kill between a file and its record, this test would show nothing.
    expect(doubts).toBeGreaterThanOrEqual(leastInDoubt);
    expect(await last.stop()).toBe(0);
    closing.splice(closing.length - 1, 1);
  }, 900_000);
});
