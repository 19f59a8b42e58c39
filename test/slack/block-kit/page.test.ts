import { expect, it } from 'vitest';
import { pageOf, turnButtons } from '../../../src/slack/block-kit/page.js';

const rows = Array.from({ length: 60 }, (_, index) => index);

it.each([
  [0, 0, 24, '1 to 25 of 60', undefined, 1],
  [1, 25, 49, '26 to 50 of 60', 0, 2],
  [2, 50, 59, '51 to 60 of 60', 1, undefined],
  // Rows were removed since the button was drawn: one press leads from the last page to the page before it.
  [9, 50, 59, '51 to 60 of 60', 1, undefined],
])(
  'page %i of 60 rows, 25 a page, has rows %i to %i and buttons to the pages beside it',
  (wanted, first, last, range, before, after) => {
    const page = pageOf(rows, wanted, 25);
    expect([page.rows[0], page.rows.at(-1), page.range]).toEqual([first, last, range]);
    expect(
      turnButtons(page, ['x.before', 'x.after'], String).map(({ action_id, value }) => [action_id, value]),
    ).toEqual([
      ...(before === undefined ? [] : [['x.before', String(before)]]),
      ...(after === undefined ? [] : [['x.after', String(after)]]),
    ]);
  },
);

it.each([0, 1, 25])('a list of %i rows has one page, without range and buttons', (count) => {
  const page = pageOf(rows.slice(0, count), 3, 25);
  expect(page).toMatchObject({ rows: rows.slice(0, count), page: 0, range: undefined });
  expect(turnButtons(page, ['x.before', 'x.after'], String)).toEqual([]);
});
