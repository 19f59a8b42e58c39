import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvHeader, csvRows, spreadsheetCell } from '../../src/exports/csv.js';
import { anyText } from '../helpers/any-text.js';

const columns = [
  { title: 'A', isText: true },
  { title: 'B', isText: true },
];
const cell = fc.oneof(
  anyText(),
  fc.constantFrom('0123', '"', '""', ',', '\r', '\n', '\r\n', '\u001d01', ' 0', '=1+1', "'", '', '\t', '00'),
);
const rows = fc.array(fc.tuple(cell, cell), { maxLength: 20 });

describe('the CSV of an export', () => {
  it('the exact CSV of an export is read back byte by byte by an independent reader', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const text = csvHeader(columns, 'exact') + csvRows(columns, all, 'exact');
        expect(parse(text, { record_delimiter: '\r\n', relax_column_count: true })).toEqual([['A', 'B'], ...all]);
      }),
    );
  });

  it('the spreadsheet CSV of an export is exact apart from its apostrophes, and begins with a byte order mark', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const text = csvHeader(columns, 'spreadsheet') + csvRows(columns, all, 'spreadsheet');
        expect(text.startsWith('\ufeff')).toBe(true);
        const read: string[][] = parse(text, { record_delimiter: '\r\n', bom: true });
        expect(read.flat().filter((one) => /^[=+\-@\t\r]/.test(one))).toEqual([]);
        expect(read.slice(1).map((row) => row.map((one) => one.replace(/^'/, '')))).toEqual(all);
      }),
    );
  });

  it('the CSV of an export separates rows as RFC 4180 says, and quotes line breaks of any kind', () => {
    expect(csvRows(columns, [['a\nb', 'c\rd']], 'exact')).toBe('"a\nb","c\rd"\r\n');
    expect(csvHeader(columns, 'exact')).toBe('A,B\r\n');
  });
});

describe('a cell for spreadsheets', () => {
  it.each([
    ...[
      '=1+1',
      '+49',
      '-2',
      '@SUM(A1)',
      '#N/A',
      '\t=1',
      '\r=1',
      ' =1',
      '\n1',
      '＝1',
      '﹢1',
      '\u200b=1+1',
      "'quoted",
      "'",
    ],
    ...['4.00638E+12', '4,00638e+12', '1E-05', '１Ｅ＋０５'],
  ])('a spreadsheet cell with %j, which a spreadsheet would run or shorten, gets an apostrophe', (text) => {
    expect(spreadsheetCell(text)).toBe(`'${text}`);
  });

  it('hostile cells of 100,000 characters and more are escaped for spreadsheets within 5 seconds', () => {
    const many = 100_000;
    const hostile = [
      `${' '.repeat(many)}1${' '.repeat(many)}x`,
      `${'1 '.repeat(many)}x`,
      `${' '.repeat(many)}x`,
      `1${' '.repeat(many)}jan`,
      `${'1e'.repeat(many)}ampm`,
      `${'\t'.repeat(many)}x`,
    ];
    const began = performance.now();
    for (const text of hostile) {
      expect(spreadsheetCell(text).endsWith(text)).toBe(true);
    }
    // In quadratic time, each cell would take minutes.
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it.each([
    ...['', 'Gate A', 'a=b', 'A_123', 'Märkte am Hafen', '…', '\u001d01', 'true story', 'Welcome, Ann!', 'Ann', 'true'],
    ...['0123', '12345678901234567890', '1E5', '1.50', '3-4', '2026-03-01', '12:30', '50%', 'MAR1', 'CHF-123', '٠١٢'],
  ])('a spreadsheet cell shows %j unchanged', (text) => {
    expect(spreadsheetCell(text)).toBe(text);
  });
});
