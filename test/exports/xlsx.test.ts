/** .xlsx files of exports: every text comes back to the character, from the file and through an upload. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { readXlsx, streamXlsxRows } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { columnsOf } from '../../src/exports/columns.js';
import { chunkText, fileOf, formatOf, hasLongCell } from '../../src/exports/export-file.js';
import type { ExportRecord, ExportWhat } from '../../src/exports/index.js';
import { longestXlsxCell, mostXlsxRows, xlsxOf } from '../../src/exports/xlsx.js';
import { createFindings } from '../../src/slack/operations/upload/findings.js';
import { openValues } from '../../src/slack/operations/upload/value-file.js';
import { anyText } from '../helpers/any-text.js';

const columns = [
  { title: 'Barcode', isText: true },
  { title: 'Most inside', isText: false },
];

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
async function bytesOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}
async function cellsIn(file: Buffer): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  for await (const { values } of streamXlsxRows(file)) rows.push([...values]);
  return rows;
}

const hostile = [
  ...[
    '0123',
    '00',
    '=1+1',
    '+49',
    "'quoted",
    '1E5',
    '4.00638E+12',
    '2026-03-01',
    'TRUE',
    ' 012 ',
    '\u001d0112',
    '<&>"',
  ],
  ...[
    '_x0041_',
    '_x005F_',
    '_x0041_x0042_',
    '_x0041\u001d',
    '__x001D_',
    'a\r\nb',
    '\r',
    '\t',
    '\u0000\u0001',
    'é😀👩‍🚒',
  ],
  ...['_x', '_xZZZZ_', '\ufffe', '\uffff', '\ufeff1', '\u00a0', '\u200b', ' ', '_x0041', '\u0085'],
];
const cell = fc.oneof(
  anyText({ maxLength: 30 }),
  fc.constantFrom(...hostile),
  fc
    .array(fc.constantFrom('_', 'x', '0', '0', '4', '1', 'D', '\u001d', '\r', '_x'), { maxLength: 14 })
    .map((all) => all.join('')),
);

describe('an .xlsx file of an export', () => {
  it('an .xlsx file has every text to the character, as a text cell', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { maxLength: 20 }), async (texts) => {
        const file = await bytesOf(xlsxOf('Values', columns, each(texts.map((one) => [one, '']))));
        const read = (await cellsIn(file)).slice(1).map(([one]) => one ?? '');
        // A row of empty cells alone may be left out.
        expect([...read, ...Array(texts.length - read.length).fill('')]).toEqual(texts);
      }),
      { numRuns: 60, examples: [[[...hostile]]] },
    );
  });

  it('an .xlsx file has a bold first row that stays in view, cells in the format of texts, and numbers for figures', async () => {
    const file = await bytesOf(xlsxOf('Inside', columns, each([['0012', '41']])));
    const { sheets } = await readXlsx(file, { readStyles: true });
    const [sheet] = sheets;
    expect(sheet?.name).toBe('Inside');
    expect(sheet?.rows).toEqual([
      ['Barcode', 'Most inside'],
      ['0012', 41],
    ]);
    const styleOf = (at: string) => sheet?.cells?.get(at)?.style;
    expect([styleOf('0,0')?.font?.bold, styleOf('0,1')?.font?.bold]).toEqual([true, true]);
    expect([styleOf('1,0')?.font?.bold, styleOf('1,0')?.numFmt]).toEqual([undefined, '@']);
    expect(sheet?.freezePane).toMatchObject({ rows: 1 });
    expect(sheet?.columns?.every(({ width = 0 }) => width >= 12)).toBe(true);
  });

  it('an .xlsx file of the same rows has the same bytes, so that its size can be said before it is sent', async () => {
    const file = () => bytesOf(xlsxOf('Values', columns, each([['0012', '41']])));
    const first = await file();
    await systemClock.sleep(2_100);
    expect((await file()).equals(first)).toBe(true);
  });
});

const values: ExportWhat = { kind: 'values', database: { id: '1', name: 'Guests' } };
const recordOf = (more: Partial<ExportRecord>) =>
  ({ what: values, mode: 'xlsx', rows: 0, chunks: 0, bytes: 0, position: {}, ...more }) as ExportRecord;

async function written(record: ExportRecord, chunks: readonly (readonly (readonly string[])[])[]): Promise<Buffer> {
  const stored = await Promise.all(chunks.map((rows, at) => chunkText({ ...record, chunks: at }, rows)));
  const all = { ...record, bytes: Buffer.byteLength(stored.join('')), chunks: stored.length };
  const file = await fileOf(all, () => each(stored.map((one) => Buffer.from(one))), systemClock);
  const bytes = await bytesOf(file.content);
  expect(bytes.length).toBe(file.bytes);
  return bytes;
}

describe('an export of values that comes back', () => {
  const barcode = cell.filter((one) => one !== '' && one.length <= 100 && !/[\0\ufffe\uffff\p{Cs}]/u.test(one));
  const row = fc.tuple(
    barcode,
    fc.constantFrom('Yes', 'No'),
    cell.filter((one) => !/[\0\p{Cs}]/u.test(one)),
    fc.constantFrom('Yes', 'Not known'),
  );

  it.each(['xlsx', 'spreadsheet'] as const)(
    'an export of values as %s is uploaded again with every barcode, response and validity as it was',
    async (mode) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(row, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 }),
          async (chunks) => {
            const file = await written(recordOf({ mode }), chunks);
            const { likelyHeader, rows } = await openValues(file, createFindings());
            const read: string[][] = [];
            for await (const { cells } of rows) read.push([cells.value, cells.validity, cells.response]);
            expect(likelyHeader).toBeUndefined();
            const exported = chunks.flat();
            expect(read).toEqual(
              exported.map(([value, valid, response]) => [value, valid === 'Yes' ? '1' : '0', response]),
            );
          },
        ),
        { numRuns: mode === 'xlsx' ? 6 : 100 },
      );
    },
  );
});

describe('an export that no .xlsx file can hold', () => {
  it.each([
    ['has as many rows as a sheet', { rows: mostXlsxRows - 1 }, 'xlsx'],
    ['has a row more than a sheet', { rows: mostXlsxRows }, 'csv'],
    ['has a cell too long', { position: { longCell: true } }, 'csv'],
    ['is to be CSV', { mode: 'exact' }, 'csv'],
  ] as const)('an export that %s is a file of its kind', (_, more, format) => {
    expect(formatOf(recordOf(more))).toBe(format);
  });

  it('an export with a cell longer than an .xlsx file holds is CSV for spreadsheets, with the cell whole', async () => {
    const long = 'x'.repeat(longestXlsxCell + 1);
    const rows = [['=1', 'Yes', long, 'Yes']];
    expect([hasLongCell(rows), hasLongCell([[long.slice(1)]])]).toEqual([true, false]);
    const file = await written(recordOf({ position: { longCell: true } }), [rows]);
    expect(parse(file, { bom: true })).toEqual([
      columnsOf(values).map(({ title }) => title),
      ["'=1", 'Yes', long, 'Yes'],
    ]);
  });
});
