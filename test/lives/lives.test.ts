/** Lives of relays, drawn by chance: what must be heard is heard in time and where it belongs, and nothing rests in vain. */
import { expect, inject, it } from 'vitest';
import { onEachDatabase } from '../helpers/databases.js';
import { effort } from '../helpers/effort.js';
import { longShare } from '../helpers/long-share.js';
import { playLife } from './life.js';

/**
 * LIFE_SEED=number plays one life again, or LIFE_COUNT lives from there on. The nightly run plays 1,000 others each time;
 * before a change lands, the same 30 are played on each database.
 */
const seed = process.env.LIFE_SEED === undefined ? undefined : Number(process.env.LIFE_SEED);
const isNight = inject('isLong') && longShare === 1;
const first = seed ?? (isNight ? Date.now() % 1_000_000_000 : 20_260_501);
const lives = Number(
  process.env.LIFE_COUNT ?? (seed === undefined ? effort({ short: 30, long: isNight ? 1_000 : 30 }) : 1),
);

onEachDatabase('the lives of relays', (databases) => {
  it(`in ${lives} lives everything is heard, once, in time, and nobody in the name of a rule that rests`, async () => {
    for (let life = first; life < first + lives; life++) {
      const { story, faults, left } = await playLife(databases, life);
      expect({ faults, left }, `LIFE_SEED=${life}\n${story.join('\n')}`).toEqual({ faults: [], left: 0 });
    }
  }, 10_800_000);
});
