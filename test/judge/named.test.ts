import { expect, it } from 'vitest';
import { onEachWorld } from './judged.js';
import { namedHistories } from './named.js';

onEachWorld('the judge', (judge) => {
  it.each(namedHistories)('$title', async ({ history, answers }) => {
    const world = await judge(history);
    expect(world.answers, world.happened).toEqual(answers);
  });
});
