/** Lives of relays, drawn by chance: what must be heard is heard in time and where it belongs, and nothing rests in vain. */
import { expect, it } from 'vitest';
import { onEachDatabase } from '../helpers/databases.js';
import { playLife } from './life.js';

/** LIFE_SEED=number plays one life again. */
const first = Number(process.env.LIFE_SEED ?? 20_260_501);
const lives = process.env.LIFE_SEED ? 1 : 30;

onEachDatabase('the lives of relays', (databases) => {
  it(`in ${lives} lives everything is heard, once, in time, and nobody in the name of a rule that rests`, async () => {
    for (let seed = first; seed < first + lives; seed++) {
      const { story, faults, left } = await playLife(databases, seed);
      expect({ faults, left }, `LIFE_SEED=${seed}\n${story.join('\n')}`).toEqual({ faults: [], left: 0 });
    }
  }, 120_000);
});
