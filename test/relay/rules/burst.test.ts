import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countBurst } from '../../../src/relay/rules/conditions/burst.js';

const minute = 60_000;

function told(rule: { n: number; minutes: number }, moments: readonly number[]): number[] {
  let memory: string | undefined;
  return moments.filter((at) => {
    const counted = countBurst(rule, memory, at);
    memory = counted.memory;
    return counted.alarm;
  });
}

describe('a burst', () => {
  const rule = { n: 3, minutes: 10 };

  it('is n invalid scans within the time', () => {
    expect(told(rule, [0, 1 * minute, 2 * minute])).toEqual([2 * minute]);
    expect(told(rule, [0, 5 * minute, 10 * minute])).toEqual([]);
    expect(told(rule, [0, 5 * minute, 10 * minute - 1])).toEqual([10 * minute - 1]);
  });

  it('is not told again before the time has passed, and then while it goes on', () => {
    const each = Array.from({ length: 30 }, (_, n) => n * minute);
    expect(told(rule, each)).toEqual([2 * minute, 12 * minute, 22 * minute]);
  });

  it('is told by the clock there is, also after one that was wrong', () => {
    const ahead = Array.from({ length: 3 }, (_, n) => 1_000 * minute + n);
    expect(told(rule, [...ahead, 0, 1, 2])).toEqual([1_000 * minute + 2, 2]);
  });

  it('begins anew with a memory that nobody can read', () => {
    for (const memory of ['', '{', '{"at":"x"}', 'null']) {
      expect(countBurst(rule, memory, 5).alarm).toBe(false);
      expect(countBurst({ n: 1, minutes: 1 }, memory, 5).alarm).toBe(true);
    }
  });

  it('agrees with counting everything each time', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 4 * minute }), { maxLength: 60 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 2, max: 6 }), fc.integer({ min: 1, max: 12 }), (gaps, n, minutes) => {
        let now = 1;
        const moments = gaps.map((gap) => {
          now += gap;
          return now;
        });
        let last = Number.NEGATIVE_INFINITY;
        const expected = moments.filter((at, index) => {
          const recent = moments.slice(0, index + 1).filter((one) => one > at - minutes * minute).length;
          const tells = recent >= n && at - last >= minutes * minute;
          last = tells ? at : last;
          return tells;
        });
        expect(told({ n, minutes }, moments)).toEqual(expected);
      }),
    );
  });
});
