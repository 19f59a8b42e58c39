/**
 * Reproducible randomness: every fault run draws from one seed and reports it on failure. FAULT_SEED=number replays the
 * same draws; what the machine does in between is not reproducible.
 */
import { randomInt } from 'node:crypto';

export interface Chance {
  /** In [0, 1). */
  fraction(): number;
  /** An integer from `least` to `most`, inclusive. */
  between(least: number, most: number): number;
  /** True with a probability of `share` percent. */
  percent(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** An independent generator, for concurrent work. */
  fork(): Chance;
}

/** Mulberry32: 32 bits of state, enough to choose instants and faults. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number): number => least + Math.floor(fraction() * (most - least + 1));
  return {
    fraction,
    between,
    percent: (share) => fraction() * 100 < share,
    pick: (items) => items[between(0, items.length - 1)]!,
    fork: () => createChance(between(0, 2 ** 32 - 1)),
  };
}

/** Runs `work` with a new seed, or with FAULT_SEED; an error names the seed. */
export async function byChance(work: (chance: Chance) => Promise<void>): Promise<void> {
  const seed = Number(process.env.FAULT_SEED ?? randomInt(2 ** 32));
  try {
    await work(createChance(seed));
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw new Error(`${what}\n(to draw the same again: FAULT_SEED=${seed})`, { cause: error });
  }
}
