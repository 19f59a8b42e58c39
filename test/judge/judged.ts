/** Runs of random histories on both databases, and what they found. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onEachDatabase } from '../helpers/databases.js';
import { JudgedAccount } from './account.js';
import { createMovableClock } from './clock.js';
import { type History, histories } from './history.js';
import { play } from './play.js';
import { type Counted, World } from './world.js';

/** The share of answers that may be unsure though the account answers. */
const mostUnsure = 0.01;
/** A history takes half a second; a failure is shrunk for a while. */
const patienceOf = (runs: number) => Math.max(20 * 60_000, runs * 4_000);

/** JUDGE_SEED=number draws the same histories again; JUDGE_SHRINK=0 shows a failure as it was drawn. */
export function judgeRandomHistories(numRuns: number, ownSeed: number): void {
  const seed = Number(process.env.JUDGE_SEED ?? ownSeed);
  onEachWorld(`the judge of histories from seed ${seed}`, (judge, counted) => {
    it(
      `every answer in ${numRuns} random histories is true at the age that it states`,
      async () => {
        const property = fc.asyncProperty(histories, async (history) => void (await judge(history)));
        await fc.assert(property, {
          ...{ numRuns, seed, endOnFailure: process.env.JUDGE_SHRINK === '0' },
          ...{ interruptAfterTimeLimit: patienceOf(numRuns) - 60_000, markInterruptAsFailure: true },
        });
        const { sure, notSure } = counted;
        expect(sure).toBeGreaterThan(numRuns);
        const share = notSure.length / (sure + notSure.length);
        expect(share, `not sure, of ${sure}: ${notSure.join('; ')}`).toBeLessThanOrEqual(mostUnsure);
      },
      patienceOf(numRuns),
    );
  });
}

export function onEachWorld(
  title: string,
  suite: (judge: (history: History) => Promise<World>, counted: Counted) => void,
): void {
  onEachDatabase(title, (databases) => {
    const counted: Counted = { sure: 0, notSure: [], questions: 0 };
    const clock = createMovableClock(Date.UTC(2026, 2, 2, 14));
    let account: JudgedAccount;
    let url: string;
    beforeAll(async () => {
      account = await JudgedAccount.start(clock);
      url = await databases.fresh();
    });
    afterAll(() => account.close());
    suite(async (history) => {
      const world = new World(url, account, clock, counted);
      await play(world, history);
      return world;
    }, counted);
  });
}
