import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../src/clock.js';
import { createIds, leastId } from '../../src/database/ids.js';

const clockOf = (times: number[]) => ({ ...systemClock, now: () => times.shift() ?? 0 });

describe('ids', () => {
  it('IDs sort in the order in which they were made, even if the clock jumps', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 48 - 1 }), { minLength: 2, maxLength: 50 }), (times) => {
        const makeId = createIds(clockOf([...times]), systemRandom);
        const ids = times.map(() => makeId());
        expect([...ids].sort()).toEqual(ids);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  it('IDs sort by creation even when the random part of one millisecond is used up', () => {
    const full = { ...systemRandom, bytes: (size: number) => Buffer.alloc(size, 0xff) };
    const makeId = createIds({ ...systemClock, now: () => 1000 }, full);
    const ids = [makeId(), makeId(), makeId()];
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(3);
  });

  it('IDs of different processes sort by their time', () => {
    const early = createIds(clockOf([1_000]), systemRandom)();
    const late = createIds(clockOf([2_000]), systemRandom)();
    expect(early < late).toBe(true);
    expect(leastId(1_000) <= early && early < leastId(1_001)).toBe(true);
  });

  it('IDs are 26 letters and digits without look-alike characters', () => {
    expect(createIds(systemClock, systemRandom)()).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/);
  });
});
