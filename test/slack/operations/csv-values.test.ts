/** CSV files of values: the rows that reach the account, and the errors of a file with a mistake. */
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkValues, uploadedValues } from '../../../src/slack/operations/files/csv-values.js';

/** The file in small pieces, which split characters of several bytes. */
async function* pieces(file: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file;
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size);
  }
}

async function sent(file: string): Promise<string[][]> {
  const all: Uint8Array[] = [];
  for await (const piece of uploadedValues(pieces(file))) {
    all.push(piece);
  }
  return parse(Buffer.concat(all), { relax_column_count: true });
}

const problemOf = (file: string | Uint8Array): Promise<string> =>
  checkValues(pieces(file)).then(
    () => 'none',
    (error: Error) => error.message,
  );

describe('a CSV file', () => {
  it.each([
    [
      'without a header line',
      '00123,Gate A,1\n0,,0\n',
      [
        ['00123', 'Gate A', '1'],
        ['0', '', '0'],
      ],
    ],
    ['of barcodes only', '0012\n12\n', [['0012'], ['12']]],
    [
      'with a byte order mark and Windows line ends',
      '\ufeff00123,Möwe\r\n7,x\r\n',
      [
        ['00123', 'Möwe'],
        ['7', 'x'],
      ],
    ],
    ['with semicolons', '00123;A, B;1\n', [['00123', 'A, B', '1']]],
    ['with tabs', '00123\tA\t0\n', [['00123', 'A', '0']]],
    ['with quotes, commas and line breaks', '" 1 ","a ""b"", c\nd",1\n', [[' 1 ', 'a "b", c\nd', '1']]],
    ['with a header line', 'Barcode,Response,Validity\n00123,A,0\n', [['00123', 'A', '0']]],
    ['with a header line in another order', 'VALID;response; Value \n0;A, B;00123\n', [['00123', 'A, B', '0']]],
    [
      'with a header line of some columns',
      'valid,barcode\n,00123\n0,7\n',
      [
        ['00123', '', '1'],
        ['7', '', '0'],
      ],
    ],
    ['with one column that is named', 'barcode\n00123\n', [['00123']]],
    [
      'whose first barcode is spelled like a column',
      'value,Seat 1\n7,Seat 2\n',
      [
        ['value', 'Seat 1'],
        ['7', 'Seat 2'],
      ],
    ],
  ])('a CSV file %s is read exactly', async (_what, file, rows) => {
    expect(await sent(file)).toEqual(rows);
    expect((await checkValues(pieces(file))).count).toBe(rows.length);
  });

  it('a CSV file keeps every character, with any separator and order of columns', async () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !/[\0\ufeff]/.test(text));
    const row = fc.record({
      value: cell.filter((text) => text !== ''),
      response: cell,
      validity: fc.constantFrom('0', '1'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 20 }),
        fc.constantFrom(',', ';', '\t'),
        fc.shuffledSubarray(['value', 'response', 'validity'] as const, { minLength: 3, maxLength: 3 }),
        fc.constantFrom('\n', '\r\n'),
        async (rows, delimiter, columns, lineEnd) => {
          const lines = [[...columns], ...rows.map((each) => columns.map((column) => each[column]))];
          const file = stringify(lines, { delimiter, record_delimiter: lineEnd, quoted: true });
          expect(await sent(file)).toEqual(rows.map(({ value, response, validity }) => [value, response, validity]));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('the check of a CSV file names the mistake, with the line, and the column where it is in a cell', async () => {
    expect(await problemOf('a,b,1\nc,d,perhaps\n')).toBe(
      'Line 2, column 3 (validity): “perhaps” is neither 1 (valid) nor 0 (not valid).',
    );
    expect(await problemOf('valid,barcode\n1,"a\nb"\n2,c\n')).toMatch(/^Line 4, column 1 \(validity\): “2”/);
    expect(await problemOf('a,b\n,d\n')).toBe('Line 2, column 1 (barcode): the barcode is missing.');
    expect(await problemOf(`a\n${'x'.repeat(101)}\n`)).toMatch(/^Line 2, column 1 \(barcode\): .*100/);
    expect(await problemOf('a,Seat 1,1,left\n')).toMatch(/^Line 1, column 4: a line has at most 3 columns/);
    expect(await problemOf('barcode,response,seat\na,b,c\n')).toMatch(/^Line 1, column 3: “seat” isn’t a column/);
    expect(await problemOf('barcode,value\na,b\n')).toMatch(/^Line 1, column 2: there is a second column/);
    expect(await problemOf('a,b\nc,"d\ne,f\n')).toMatch(/^Line 2.*Check the quotes/);
    expect(await problemOf('a,b\nc,d"e"f\n')).toMatch(/^Line 2, column 2: Check the quotes/);
    expect(await problemOf('a;Seat 1, row 2\n')).toMatch(/^Line 1: it isn’t clear whether a comma or a semicolon/);
    expect(await problemOf('\n')).toBe('The file contains no values.');
    expect(await problemOf(Buffer.from('a,b\nc,M\xf6we\n', 'latin1'))).toMatch(/UTF-8 text \(near line 2\)/);
  });
});
