/** Files of values: the rows that reach the account, what is found in them, and the errors of a file with a mistake. */
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { checkValues } from '../../../src/slack/operations/upload/check-values.js';
import { createFindings, type FindingKind } from '../../../src/slack/operations/upload/findings.js';
import { openValues, uploadedValues } from '../../../src/slack/operations/upload/value-file.js';
import { wideIt } from '../../helpers/tier/wide-it.js';

const options = { maxBytes: 10_000_000, trims: true, comparison: undefined };
const bytesOf = (file: string | Uint8Array) => (typeof file === 'string' ? Buffer.from(file) : file);

async function sent(file: string | Uint8Array, choice = {}): Promise<string[][]> {
  const all: Uint8Array[] = [];
  const { rows } = await openValues(bytesOf(file), createFindings(), choice);
  for await (const piece of uploadedValues(rows)) {
    all.push(piece);
  }
  return parse(Buffer.concat(all), { relax_column_count: true });
}

const check = (file: string | Uint8Array, more = {}) => checkValues(bytesOf(file), { ...options, ...more });
const problemOf = (file: string | Uint8Array): Promise<string> =>
  check(file).then(
    () => 'none',
    (error: Error) => error.message,
  );
const xlsx = (rows: readonly (readonly (string | number | boolean | Date | null)[])[]) =>
  writeXlsx({ sheets: [{ name: 'Values', rows: rows as never }] });

const related = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relation = (type: string, target: string) =>
  `<Relationships><Relationship Id="rId1" Type="${related}/${type}" Target="${target}"/></Relationships>`;
const workbook = {
  '[Content_Types].xml': '<Types/>',
  '_rels/.rels': relation('officeDocument', 'xl/workbook.xml'),
  'xl/workbook.xml': '<workbook><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': relation('worksheet', 'worksheets/sheet1.xml'),
};

/** A ZIP archive of texts, stored as they are. */
function zipped(parts: Readonly<Record<string, string>>): Buffer {
  const heads: Buffer[] = [];
  const bodies: Buffer[] = [];
  for (const [name, text] of Object.entries(parts)) {
    const content = Buffer.from(text);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50);
    local.writeUInt32LE(content.length, 18);
    local.writeUInt32LE(content.length, 22);
    local.writeUInt16LE(name.length, 26);
    const head = Buffer.alloc(46);
    head.writeUInt32LE(0x02014b50);
    local.copy(head, 6, 4, 30);
    head.writeUInt32LE(Buffer.concat(bodies).length, 42);
    heads.push(head, Buffer.from(name));
    bodies.push(local, Buffer.from(name), content);
  }
  const [directory, body] = [Buffer.concat(heads), Buffer.concat(bodies)];
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(heads.length / 2, 8);
  end.writeUInt16LE(heads.length / 2, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(body.length, 16);
  return Buffer.concat([body, directory, end]);
}

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
    [
      'that names its separator in a first line',
      'sep=;\r\n0012;Milk, fresh\r\n0013;Butter\r\n',
      [
        ['0012', 'Milk, fresh'],
        ['0013', 'Butter'],
      ],
    ],
    ['that names an unusual separator', '\ufeffSEP=|\n0012|Milk\n', [['0012', 'Milk']]],
    ['in UTF-16 with a byte order mark', Buffer.from('\ufeff00123\tMöwe\r\n', 'utf16le'), [['00123', 'Möwe']]],
    ['in UTF-16 without one', Buffer.from('00123\tMöwe\r\n', 'utf16le'), [['00123', 'Möwe']]],
    ['in big-endian UTF-16', Buffer.from('\ufeff00123\tMöwe\n', 'utf16le').swap16(), [['00123', 'Möwe']]],
    ['in Windows-1252', Buffer.from('00123,M\xf6we \x80 5\n', 'latin1'), [['00123', 'Möwe € 5']]],
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
    [
      'with words for valid and not valid',
      '1,a,Yes\n2,b,no\n3,c,TRUE\n4,d,Not valid\n',
      [
        ['1', 'a', '1'],
        ['2', 'b', '0'],
        ['3', 'c', '1'],
        ['4', 'd', '0'],
      ],
    ],
    [
      'that was exported for spreadsheets before',
      "\ufeffBarcode,Valid,Response,Exact\r\n'0012345,Yes,'=1,Yes\r\n''x,No,VIP,Not known\r\n",
      [
        ['0012345', '=1', '1'],
        ["'x", 'VIP', '0'],
      ],
    ],
  ])('a CSV file %s is read exactly', async (_what, file, rows) => {
    expect(await sent(file)).toEqual(rows);
    const { count, likelyHeader } = await check(file);
    expect(count + (likelyHeader ? 1 : 0)).toBe(rows.length);
  });

  wideIt('a CSV file keeps every character, with any separator and order of columns', async () => {
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
      { numRuns: 100 },
    );
  });

  it('the check of a CSV file names the mistake, with the line, and the column where it is in a cell', async () => {
    expect(await problemOf('a1,b,1\nc,d,perhaps\n')).toBe(
      'Line 2, column 3 (validity): “perhaps” is neither Yes or 1 (valid) nor No or 0 (not valid).',
    );
    expect(await problemOf('valid,barcode\n1,"a\nb"\n2,c\n')).toMatch(/^Line 4, column 1 \(validity\): “2”/);
    expect(await problemOf('sep=,\na1,b\n,d\n')).toBe('Line 3, column 1 (barcode): the barcode is missing.');
    expect(await problemOf(`a\n${'x'.repeat(101)}\n`)).toMatch(/^Line 2, column 1 \(barcode\): .*100/);
    expect(await problemOf('barcode,value\na,b\n')).toMatch(/^Line 1, column 2: there is a second column/);
    expect(await problemOf('a,b\nc,"d\ne,f\n')).toMatch(/^Line 2.*Check the quotes/);
    expect(await problemOf('a,b\nc,d"e"f\n')).toMatch(/^Line 2, column 2: Check the quotes/);
    expect(await problemOf('a;Seat 1, row 2\n')).toMatch(/^Line 1: it isn’t clear whether a comma or a semicolon/);
    expect(await problemOf('\n')).toBe('The file contains no values.');
    expect(await problemOf(Buffer.from('D0CF11E0A1B11AE1000000000000', 'hex'))).toMatch(/isn’t a CSV or .xlsx file/);
    expect(await checkValues(Buffer.from('0012\n'), { ...options, maxBytes: 3 }).catch((error) => error.code)).toBe(
      'form.file_too_large',
    );
  });

  it('barcodes that a spreadsheet shortened stop a file with their lines', async () => {
    expect(await problemOf('4.00638E+12,Milk\n0012,Bread\n4.00638E+12,Butter\n')).toBe(
      'A spreadsheet changed 2 barcodes into numbers or dates, so digits are lost (line 1: 4.00638E+12, line 3: 4.00638E+12). Enter them again in columns formatted as text, and upload the file as .xlsx.',
    );
    expect(await problemOf('1E5,Milk\n4E0000\n')).toBe('none');
  });

  it.each<[FindingKind, string | Uint8Array, number, string]>([
    ['invisible', '\u200b0012\n0013\n0014\u00a0\n', 2, '\u200b0012'],
    ['twice', '0012,A\n0013,B\n0012,C\n', 1, '0012'],
    ['twice', 'abc\nABC\n', 1, 'ABC'],
    ['column', '0012,A,1,left\n', 1, 'left'],
    ['column', 'barcode,response,seat\n0012,A,c\n', 1, 'seat'],
    ['apostrophe', "'0012\n", 1, "'0012"],
    ['apostrophe_removed', "Barcode,Valid,Response,Exact\n'-12,Yes,,Yes\n", 1, "'-12"],
    ['not_exact', 'Barcode,Valid,Response,Exact\n0101,Yes,,No\n12,Yes,,Yes\n', 1, '0101'],
    ['spaces', '" 12",\n', 1, ' 12'],
    ['spreadsheet_error', '#N/A\n', 1, '#N/A'],
    ['windows_1252', Buffer.from('12,M\xf6we\n', 'latin1'), 1, '12,Möwe'],
  ])('the check of a file finds %s in %j', async (kind, file, count, example) => {
    const finding = (await check(file)).findings(kind);
    expect([finding?.count, finding?.places[0]?.example]).toEqual([count, example]);
  });

  it('a barcode that is there twice counts once, in a database that keeps case apart as two', async () => {
    expect((await check('abc\nABC\nabc\n')).count).toBe(1);
    const apart = await check('abc\nABC\nabc\n', { caseSensitive: true });
    expect([apart.count, apart.findings('twice')?.count]).toEqual([2, 1]);
  });

  it('a first line that is unlike the others is asked about, and left out where it is a heading', async () => {
    const file = 'Ticket code,Name\n0012,Ann\n0013,Ben\n';
    expect((await check(file)).likelyHeader).toEqual(['Ticket code', 'Name']);
    expect(await sent(file)).toHaveLength(3);
    expect(await sent(file, { skipsFirst: true })).toEqual([
      ['0012', 'Ann'],
      ['0013', 'Ben'],
    ]);
    const ofThree = await check('Ticket code,Name,Ok\n0012,Ann,1\n0013,Ben,0\n');
    expect([ofThree.likelyHeader, ofThree.count]).toEqual([['Ticket code', 'Name', 'Ok'], 2]);
    expect((await check('0012,Ann\n0013,Ben\n')).likelyHeader).toBeUndefined();
    expect((await check('A,Ann\nB,Ben\n')).likelyHeader).toBeUndefined();
  });

  it('a line that an export marks as not exact is left out', async () => {
    expect(await sent('Barcode,Valid,Response,Exact\n0101,Yes,x,No\n12,No,y,Yes\n')).toEqual([['12', 'y', '0']]);
  });
});

describe('an .xlsx file', () => {
  it('an .xlsx file is read exactly, with texts as they are, numbers, truth values and empty rows', async () => {
    const file = await xlsx([
      ['Barcode', 'Valid', 'Response', 'Exact'],
      ['00123', 'Yes', ' =1+1 ', 'Yes'],
      [null, null, null, null],
      ["'x", false, 'a\nb', 'Not known'],
      [4006381333931, 1, '', 'Not known'],
      ['4.00638E+12', 'No', '\u001d\u00e9', 'Yes'],
    ]);
    expect(await sent(file)).toEqual([
      ['00123', ' =1+1 ', '1'],
      ["'x", 'a\nb', '0'],
      ['4006381333931', '', '1'],
      ['4.00638E+12', '\u001d\u00e9', '0'],
    ]);
    const { findings } = await check(file);
    expect(findings('number')?.places).toEqual([{ line: 5, example: '4006381333931' }]);
    expect(findings('first_sheet')?.count).toBe(1);
  });

  it('numbers of an .xlsx file that lost digits, and dates, stop the file', async () => {
    expect(await problemOf(await xlsx([[12345678901234567000], ['0012']]))).toMatch(/changed 1 barcode .*line 1: 1234/);
    expect(await problemOf(await xlsx([['0012'], [new Date(Date.UTC(2026, 2, 1))]]))).toMatch(/line 2: 2026-03-01/);
  });

  it('an .xlsx file that unpacks to too much, or says nothing of its size, is refused before it is unpacked', async () => {
    const bomb = Buffer.from(await xlsx([['0'.repeat(32_000)]]));
    const at = bomb.lastIndexOf(Buffer.from('xl/worksheets/sheet1.xml')) - 46;
    const large = Buffer.from(bomb);
    large.writeUInt32LE(900_000_000, at + 24);
    expect(await problemOf(large)).toMatch(/too large/);
    bomb.writeUInt32LE(0, at + 24);
    expect(await problemOf(bomb)).toMatch(/too large/);
  });

  it('an .xlsx file whose parts unpack to more than they say is refused', async () => {
    const file = Buffer.from(await xlsx([['0'.repeat(32_000)]]));
    const at = file.lastIndexOf(Buffer.from('xl/sharedStrings.xml')) - 46;
    file.writeUInt32LE(500, at + 24);
    expect(await problemOf(file)).toMatch(/can’t be read/);
  });

  it('a file that only begins as an .xlsx file can’t be read, and entities of its XML stay as they are', async () => {
    expect(await problemOf(Buffer.from('PK\u0003\u0004 and so on'))).toMatch(/can’t be read/);
    const lol = `<!DOCTYPE sst [<!ENTITY lol "${'lol'.repeat(50)}">]>`;
    const cell = '<c r="A1" t="inlineStr"><is><t>0012&lol;</t></is></c>';
    const sheet = `${lol}<worksheet><sheetData><row r="1">${cell}</row></sheetData></worksheet>`;
    expect(await sent(zipped({ ...workbook, 'xl/worksheets/sheet1.xml': sheet }))).toEqual([['0012&lol;']]);
  });
});
