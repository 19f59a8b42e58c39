/** Which columns of an export are text: those whose cells come from outside, so that no spreadsheet runs them. */
import { expect, it } from 'vitest';
import {
  type Column,
  insideColumns,
  outColumns,
  rollCallColumns,
  scanColumns,
  valueColumns,
} from '../../src/exports/columns.js';

const hostile = '=HYPERLINK("//evil")';
const at = Date.UTC(2026, 4, 1, 12);
const named = { id: hostile, name: hostile };
const place = { value: hostile, at, dueAt: at, holder: hostile, response: hostile };
const scan = {
  ...{ id: hostile, value: hostile, result: hostile, status: 'valid', at, service: named, user: named, device: named },
  answers: [{ question: hostile, answer: hostile }],
};

interface Rows {
  readonly columns: readonly Column<never>[];
  readonly row: object;
  /** The number of columns with outside text. */
  readonly texts: number;
}

it.each<readonly [string, Rows]>([
  [
    'scans',
    {
      columns: scanColumns('Europe/Berlin') as Rows['columns'],
      row: { scan, searched: { properties: [{ name: hostile, value: hostile }] }, receivedAt: at },
      texts: 11,
    },
  ],
  ['values', { columns: valueColumns, row: { value: hostile, valid: true, response: hostile, exact: true }, texts: 2 }],
  ['minutes of a list', { columns: insideColumns('UTC'), row: { at, ins: 1, outs: 1, inside: 1, most: 1 }, texts: 0 }],
  ['a roll call', { columns: rollCallColumns({ zone: 'UTC', named: true }), row: { place, gate: hostile }, texts: 3 }],
  [
    'lent things',
    { columns: outColumns('UTC'), row: { place, holder: hostile, list: { name: hostile }, isOverdue: true }, texts: 4 },
  ],
])('each column of an export of %s with text from outside is a text column', (_, { columns, row, texts }) => {
  const outside = columns.filter(({ cell }) => cell(row as never).includes('evil'));
  expect(outside.filter(({ isText }) => !isText).map(({ title }) => title)).toEqual([]);
  expect(outside).toHaveLength(texts);
});
