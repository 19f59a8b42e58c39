/** A seeded random number generator, so that the sample data is the same on every machine. Not fit for secrets. */
export interface Seeded {
  /** An integer from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** True in `percent` of a hundred cases. */
  chance(percent: number): boolean;
}

/** Mulberry32: small, and random enough for sample data. */
export function createSeeded(seed: number): Seeded {
  let state = seed >>> 0;
  const nextNumber = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (low: number, high: number) => low + Math.floor(nextNumber() * (high - low + 1));
  return {
    whole,
    pick: (items) => items[whole(0, items.length - 1)] as (typeof items)[number],
    chance: (percent) => nextNumber() * 100 < percent,
  };
}
