import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BurstStep, countBurst } from '../../../src/relay/rules/burst.js';

const minute = 60_000;

const scanAt = (receivedAt: number, more: object = {}) => ({
  id: `s${receivedAt}`,
  sid: '101',
  finding: 'invalid',
  receivedAt,
  ...more,
});

function steps(rule: { n: number; minutes: number }, moments: readonly number[]): BurstStep[] {
  let memory: string | undefined;
  let open: BurstStep['counted'];
  return moments.map((at) => {
    const step = countBurst(rule, memory, open, scanAt(at));
    memory = step.memory ?? memory;
    const { last: _, ...opened } = step.opened ?? {};
    open = step.opened ? (opened as typeof open) : step.counted;
    return step;
  });
}

function opened(...of: Parameters<typeof steps>): number[] {
  return of[1].filter((_, n) => steps(...of)[n]?.opened);
}

describe('a burst', () => {
  const rule = { n: 3, minutes: 10 };

  it('a burst alert opens at the n-th scan that is not valid within the rule’s time', () => {
    expect(opened(rule, [0, 1 * minute, 2 * minute])).toEqual([2 * minute]);
    expect(opened(rule, [0, 5 * minute, 10 * minute])).toEqual([]);
    expect(opened(rule, [0, 5 * minute, 10 * minute - 1])).toEqual([10 * minute - 1]);
  });

  it('a burst alert opens once, and counts its scans for as long as it lasts', () => {
    const each = Array.from({ length: 30 }, (_, n) => n * minute);
    expect(opened(rule, each)).toEqual([2 * minute]);
    expect(steps(rule, each).at(-1)?.counted).toEqual({
      ...{ beganAt: 0, lastAt: 29 * minute, scans: 30 },
      tally: { findings: { invalid: 30 }, services: { 101: 30 } },
    });
  });

  it('a burst alert is over when no invalid scan came for the rule’s time, and later scans open a new alert', () => {
    const moments = [0, 1, 2, 3, 10 * minute + 3, 10 * minute + 4, 10 * minute + 5];
    const all = steps(rule, moments);
    expect(all.map(({ endedAt }) => endedAt)).toEqual([
      ...Array(4).fill(undefined),
      10 * minute + 3,
      undefined,
      undefined,
    ]);
    expect(opened(rule, moments)).toEqual([2, 10 * minute + 5]);
    expect(all[2]?.opened).toMatchObject({ beganAt: 0, lastAt: 2, scans: 3, last: ['s0', 's1', 's2'] });
  });

  it('a burst alert opens by the current clock, also after the clock was ahead', () => {
    const ahead = Array.from({ length: 3 }, (_, n) => 1_000 * minute + n);
    expect(opened(rule, [...ahead, 0, 1, 2])).toEqual([1_000 * minute + 2, 2]);
  });

  it('a burst alert starts counting anew where its stored state cannot be read', () => {
    for (const memory of ['', '{', '{"at":"x"}', 'null']) {
      expect(countBurst(rule, memory, undefined, scanAt(5)).opened).toBeUndefined();
      expect(countBurst({ n: 1, minutes: 1 }, memory, undefined, scanAt(5)).opened).toBeDefined();
    }
  });

  it('a burst alert of an older version, whose state held its figures, is counted by its incident', () => {
    const memory = '{"at":[],"open":{"beganAt":0,"lastAt":0,"scans":3,"tally":{"findings":{},"services":{}}}}';
    const figures = { beganAt: 0, lastAt: 0, scans: 3, tally: { findings: {}, services: {} } };
    expect(countBurst(rule, memory, figures, scanAt(5)).counted?.scans).toBe(4);
    expect(countBurst(rule, memory, undefined, scanAt(5)).counted).toBeUndefined();
  });

  it('a burst alert opens exactly when a model that counts every scan anew says so', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 4 * minute }), { maxLength: 60 });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 2, max: 6 }), fc.integer({ min: 1, max: 12 }), (between, n, minutes) => {
        let now = 1;
        const moments = between.map((gap) => {
          now += gap;
          return now;
        });
        const found = naiveBursts(moments, n, minutes * minute);
        const said: typeof found = [];
        for (const { opened: one, counted } of steps({ n, minutes }, moments)) {
          if (one) {
            said.push({ beganAt: one.beganAt, lastAt: one.lastAt, scans: one.scans });
          } else if (counted) {
            said.splice(-1, 1, { ...said.at(-1)!, lastAt: counted.lastAt, scans: counted.scans });
          }
        }
        expect(said).toEqual(found);
      }),
    );
  });
});

/** All bursts among the moments of invalid scans, looking at all of them each time. */
function naiveBursts(moments: readonly number[], n: number, span: number) {
  const found: { beganAt: number; lastAt: number; scans: number }[] = [];
  let free = 0;
  for (const [at, moment] of moments.entries()) {
    const open = found.at(-1);
    if (open && at < free) {
      continue;
    }
    const first = Math.max(
      free,
      moments.findIndex((one) => one > moment - span),
    );
    if (at - first + 1 < n) {
      continue;
    }
    let last = at;
    while (last + 1 < moments.length && moments[last + 1]! - moments[last]! < span) {
      last += 1;
    }
    found.push({ beganAt: moments[at - n + 1]!, lastAt: moments[last]!, scans: last - (at - n + 1) + 1 });
    free = last + 1;
  }
  return found;
}
