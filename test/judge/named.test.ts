import { expect, it } from 'vitest';
import { onEachWorld } from './judged.js';
import { namedHistories } from './named.js';

onEachWorld('the judge', (judge) => {
  for (const { title, history, answers } of namedHistories) {
    it(title, async () => {
      const world = await judge(history);
      expect(world.answers, world.happened).toEqual(answers);
    });
  }
});
