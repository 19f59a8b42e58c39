import { describe, expect, it } from 'vitest';
import type { Clock } from '../src/clock.js';
import { createReadCache } from '../src/read-cache.js';

describe('a cache of reads', () => {
  const open = () => {
    const now = { wall: 1_000_000, steady: 5_000 };
    const clock: Clock = { now: () => now.wall, steady: () => now.steady, sleep: () => new Promise(() => undefined) };
    return { now, cached: createReadCache<{ n: number }>(clock, { max: 2, ttl: 60_000 }) };
  };

  it('a cached answer serves for its time, whatever the wall clock does', async () => {
    const { now, cached } = open();
    expect(await cached('a', async () => ({ n: 1 }))).toEqual({ n: 1 });
    now.steady += 59_999;
    now.wall -= 86_400_000;
    expect(await cached('a', async () => ({ n: 2 }))).toEqual({ n: 1 });
    now.steady += 2;
    expect(await cached('a', async () => ({ n: 3 }))).toEqual({ n: 3 });
  });

  it('a read in flight is shared, and its failure reaches all who wait and is not kept', async () => {
    const { cached } = open();
    let reads = 0;
    const fails = () => {
      reads += 1;
      return Promise.reject(new Error('down'));
    };
    const both = await Promise.allSettled([cached('a', fails), cached('a', fails)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(reads).toBe(1);
    expect(await cached('a', async () => ({ n: 2 }))).toEqual({ n: 2 });
  });

  it('a read answers whoever asked, though newer keys displace it meanwhile', async () => {
    const { cached } = open();
    let answer: (value: { n: number }) => void = () => undefined;
    const slow = cached('a', () => new Promise((done) => (answer = done)));
    await cached('b', async () => ({ n: 2 }));
    await cached('c', async () => ({ n: 3 }));
    answer({ n: 1 });
    expect(await slow).toEqual({ n: 1 });
  });
});
