/** Lives of relays, drawn by chance: what must be heard is heard in time and where it belongs, and nothing rests in vain. */
import { expect, it } from 'vitest';
import { onEachDatabase } from '../helpers/databases.js';
import { effort } from '../helpers/effort.js';
import { playLife } from './life.js';

/** LIFE_SEED=number plays one life again, or LIFE_COUNT lives from there on. The long runs play others each time. */
const seed = process.env.LIFE_SEED === undefined ? undefined : Number(process.env.LIFE_SEED);
const first = seed ?? effort({ short: 20_260_501, long: Date.now() % 1_000_000_000 });
const lives = Number(process.env.LIFE_COUNT ?? (seed === undefined ? effort({ short: 30, long: 1_000 }) : 1));

onEachDatabase('the lives of relays', (databases) => {
  it(`in ${lives} lives everything is heard, once, in time, and nobody in the name of a rule that rests`, async () => {
    for (let life = first; life < first + lives; life++) {
      const { story, faults, left } = await playLife(databases, life);
      expect({ faults, left }, `LIFE_SEED=${life}\n${story.join('\n')}`).toEqual({ faults: [], left: 0 });
    }
  }, 10_800_000);
});
