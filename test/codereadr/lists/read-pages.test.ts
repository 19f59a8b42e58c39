import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PageReader, PagesDoNotOverlap, readPages } from '../../../src/codereadr/lists/read-pages.js';

interface Kept {
  values: string[];
  /** The most values in a page, whatever limit was requested. */
  cap: number;
  /** Where offsets begin; 1: a page begins one value earlier than with 0. */
  counts: 0 | 1;
  reads: [number, number | undefined][];
  change?: (values: string[]) => string[];
}

function keeping(values: string[], more: Partial<Kept> = {}): Kept {
  return { values, cap: Number.POSITIVE_INFINITY, counts: 0, reads: [], ...more };
}

function reader(kept: Kept, expected: number | undefined): PageReader<string> {
  return {
    async read(limit, offset) {
      kept.reads.push([limit, offset]);
      const from = Math.max(0, (offset ?? 0) - (offset ? kept.counts : 0));
      const page = kept.values.slice(from, from + Math.min(limit, kept.cap));
      kept.values = kept.change?.(kept.values) ?? kept.values;
      return page;
    },
    keyOf: (item) => item,
    expected,
  };
}

async function all(kept: Kept, pageSize: number, expected: number | undefined): Promise<string[]> {
  const read: string[] = [];
  for await (const page of readPages(reader(kept, expected), pageSize)) {
    read.push(...page);
  }
  return read;
}

const numbered = (n: number, prefix = 'v') => Array.from({ length: n }, (_, at) => `${prefix}${at}`);

describe('reading a database page by page', () => {
  it('a database read by pages yields each value once, whether the account’s offsets count from 0 or 1', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 700 }),
        fc.integer({ min: 1, max: 90 }),
        fc.constantFrom(0 as const, 1 as const),
        fc.boolean(),
        async (n, pageSize, counts, told) => {
          const values = numbered(n);
          expect(await all(keeping(values, { counts }), pageSize, told ? n : undefined)).toEqual(values);
        },
      ),
    );
  });

  it('a database read by pages yields values with the same text as often as the account has them', async () => {
    for (const counts of [0, 1] as const) {
      for (const skipped of [0, 1, 2, 3]) {
        const values = numbered(120)
          .flatMap((value, n) => (n % 3 === 0 ? [value, value] : value))
          .slice(skipped);
        expect(await all(keeping(values, { counts }), 40, values.length)).toEqual(values);
      }
    }
  });

  it('a database read by pages yields each value once though a new value is inserted between two pages', async () => {
    const kept = keeping(numbered(60), {
      change: (values) => (values.includes('new') ? values : [...values.slice(0, 35), 'new', ...values.slice(35)]),
    });
    expect((await all(kept, 40, 61)).sort()).toEqual([...numbered(60), 'new'].sort());
  });

  it('a database that fits into one page is read with one API call', async () => {
    const kept = keeping(numbered(40));
    await all(kept, 100, 40);
    expect(kept.reads).toEqual([[100, undefined]]);
  });

  it('a database is read completely even if the account gives shorter pages than requested', async () => {
    const values = numbered(500);
    expect(await all(keeping(values, { cap: 60 }), 200, 500)).toEqual(values);
  });

  it('a database read by pages is complete when it has fewer values than the account announced', async () => {
    const values = numbered(30);
    expect(await all(keeping(values), 100, 45)).toEqual(values);
    expect(await all(keeping([]), 100, 45)).toEqual([]);
  });

  it('a database read by pages misses no value that stays, even if other values are added or deleted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), goes: fc.boolean() }), { maxLength: 200 }),
        fc.integer({ min: 30, max: 100 }),
        async (changes, pageSize) => {
          const values = numbered(600);
          const stays = new Set(values);
          const left = [...changes];
          const kept = keeping(values, {
            change: (now) =>
              left.splice(0, 15).reduce((list, { at, goes }, n) => {
                const place = Math.floor(at * list.length);
                if (goes) {
                  stays.delete(list[place] ?? '');
                }
                return goes ? list.toSpliced(place, 1) : list.toSpliced(place, 0, `new${left.length}-${n}`);
              }, now),
          });
          const read = new Set(await all(kept, pageSize, undefined));
          expect([...stays].filter((value) => !read.has(value))).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('a database read by pages reports pages that cannot be joined, rather than leave a gap', async () => {
    const kept = keeping(numbered(5_000), { change: () => numbered(5_000, 'other') });
    await expect(all(kept, 1_000, 5_000)).rejects.toThrow(PagesDoNotOverlap);
  });

  it('an error of the account stops the reading of a database and reaches its caller', async () => {
    const failing: PageReader<string> = {
      read: () => Promise.reject(new Error('away')),
      keyOf: (item) => item,
      expected: undefined,
    };
    await expect(readPages(failing, 10).next()).rejects.toThrow('away');
  });
});
