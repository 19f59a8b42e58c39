/** Stock that is scanned and looked up all day: a look at it says that it may be taken, not that somebody should ask. */
import { expect, it } from 'vitest';
import { onEachWorld } from './judged.js';
import { card, gate, none, scan, wait, world } from './named-steps.js';

const looks = 100;
const leastGreen = 0.95;

onEachWorld('stock', (judge) => {
  it(`stock that is looked up ${looks} times a day is green at least ${leastGreen * 100} % of the time`, async () => {
    const round = (n: number) => [n % 2 === 0 ? scan('often', '0007') : gate('0007'), wait(14), card('0007')];
    const steps = Array.from({ length: looks }, (_, n) => round(n)).flat();
    const { answers, happened } = await judge(world(none, ['0007'], steps, [1]));
    const shown = answers.filter((answer) => answer !== 'valid');
    expect(shown).toHaveLength(looks);
    const green = shown.filter((answer) => answer.startsWith('green '));
    expect(green.length / looks, happened).toBeGreaterThanOrEqual(leastGreen);
  }, 600_000);
});
