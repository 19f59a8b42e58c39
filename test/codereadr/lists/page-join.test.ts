import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinPage, type PageEnd, rangeAfter } from '../../../src/codereadr/lists/page-join.js';

const size = 10;

/** The account's answer from its list; `fromOne`: offsets count from 1, else from 0. */
function ask(list: readonly string[], end: PageEnd | undefined, fromOne: boolean) {
  const { limit, offset } = rangeAfter(end, size);
  const start = offset === undefined ? 0 : Math.max(0, fromOne ? offset - 1 : offset);
  return list.slice(start, start + limit).map((id) => ({ id }));
}

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, n) => String(from + n));

/** Leafs to the end, while `between` changes the list after each page. */
function leaf(list: readonly string[], fromOne: boolean, between: (list: readonly string[]) => readonly string[]) {
  const seen: string[] = [];
  let torn = false;
  let end: PageEnd | undefined;
  let current = list;
  for (let pages = 0; pages < 200; pages += 1) {
    const page = joinPage(ask(current, end, fromOne), end, size);
    seen.push(...page.items.map(({ id }) => id));
    torn ||= page.torn;
    if (page.end === undefined) return { seen, torn };
    end = page.end;
    current = between(current);
  }
  throw new Error('it never ends');
}

describe('page after page', () => {
  it.each([0, 1, 9, 10, 11, 20, 21, 57, 130])(
    'a list of %i items read by pages has each item once, whether the account’s offsets count from 0 or 1',
    (count) => {
      const list = numbers(1, count);
      for (const fromOne of [true, false]) {
        expect(leaf(list, fromOne, (same) => same)).toEqual({ seen: list, torn: false });
      }
    },
  );

  it('a list read by pages returns items with equal IDs as often as the list has them', () => {
    const list = numbers(1, 40).flatMap((id, n) => (n % 3 === 0 ? [id, id] : id));
    for (const fromOne of [true, false]) {
      for (const skipped of numbers(0, 12)) {
        const rest = list.slice(Number(skipped));
        expect(leaf(rest, fromOne, (same) => same)).toEqual({ seen: rest, torn: false });
      }
    }
  });

  it('a list read by pages has every item that was there at first, even if new items are added on top', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 90 }),
        fc.integer({ min: 0, max: 40 }),
        fc.boolean(),
        (count, more, fromOne) => {
          const list = numbers(10_000, count);
          let next = 9_999;
          const { seen, torn } = leaf(list, fromOne, (current) => [
            ...Array.from({ length: more }, () => String(next--)).reverse(),
            ...current,
          ]);
          expect(torn).toBe(false);
          expect(seen).toEqual(list);
        },
      ),
    );
  });

  it('a list read by pages goes on with the next item after items of the last page were deleted', () => {
    const list = numbers(1, 40);
    const page = joinPage(ask(list, undefined, false), undefined, size);
    const fewer = list.filter((id) => id !== '10' && id !== '8');
    expect(joinPage(ask(fewer, page.end, false), page.end, size).items[0]?.id).toBe('11');
  });

  it('a list read by pages reports pages that cannot be joined', () => {
    const page = joinPage(ask(numbers(1_000, 40), undefined, false), undefined, size);
    const { torn, items } = joinPage(ask([...numbers(1, 500), ...numbers(1_000, 40)], page.end, false), page.end, size);
    expect(torn).toBe(true);
    expect(items).toHaveLength(size);
  });
});
