import { describe, expect, it } from 'vitest';
import type { MuteFact } from '../../src/watches/facts.js';
import { createMuting } from '../../src/watches/muting.js';

const next = (posts: number, what: MuteFact['what'] = 'relay', id = 'm1'): MuteFact => ({
  ...{ channel: 'C1', what, limit: { id, posts } },
});

describe('a mute for a number of posts', () => {
  it('a mute for a number of posts counts one scan’s posts in its channel as one post, and a burst as one', () => {
    const muting = createMuting([next(2)]);
    expect([muting.stops('scan', 'C1', 'r1'), muting.stops('scan', 'C1', 'r2'), muting.counted]).toEqual([
      ...[true, true],
      [{ id: 'm1', posts: 1 }],
    ]);
    expect([muting.stops('burst', 'C1', 'r3'), muting.stops('burst', 'C1', 'r4')]).toEqual([true, false]);
    expect(muting.counted).toEqual([{ id: 'm1', posts: 2 }]);
  });

  it('a mute for a number of posts does not count posts in another channel or of another rule', () => {
    const muting = createMuting([next(2, { rule: 'r1' }), next(2, 'value', 'm2')]);
    expect([muting.stops('scan', 'C2', 'r1'), muting.stops('burst', 'C1', 'r2'), muting.counted]).toEqual([
      false,
      false,
      [],
    ]);
    expect([muting.stopsWatch('C1'), muting.counted]).toEqual([true, [{ id: 'm2', posts: 1 }]]);
  });

  it('a mute for a number of posts counts posts that another mute leaves out', () => {
    const muting = createMuting([{ channel: 'C1', what: 'value' }, next(1), next(3, { rule: 'r1' }, 'm2')]);
    expect(muting.stops('scan', 'C1', 'r1')).toBe(true);
    expect(muting.counted).toEqual([
      { id: 'm1', posts: 1 },
      { id: 'm2', posts: 1 },
    ]);
  });
});
