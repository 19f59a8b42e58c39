/**
 * Owns chance that can be had again: every fault run draws from one seed and names it when it fails. FAULT_SEED=number in the
 * environment plays the same draws once more (what the machine does between them stays its own).
 */
import { randomInt } from 'node:crypto';

export interface Chance {
  /** In [0, 1). */
  fraction(): number;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** True so many times in a hundred. */
  percent(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** A chance of its own, for what runs beside. */
  fork(): Chance;
}

/** Mulberry32: 32 bits of state, good enough to choose instants and faults. */
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

/** Runs `work` with a new seed, or the one asked for; what it throws says which. */
export async function byChance(work: (chance: Chance) => Promise<void>): Promise<void> {
  const seed = Number(process.env.FAULT_SEED ?? randomInt(2 ** 32));
  try {
    await work(createChance(seed));
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw new Error(`${what}\n(to draw the same again: FAULT_SEED=${seed})`, { cause: error });
  }
}
