import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withCheckDigit } from '../../src/gs1/check-digit.js';
import { inStoreArticles } from '../../src/gs1/in-store.js';
import { equalReadings } from '../../src/gs1/readings.js';

const gs = '\u001d';
const values = (text: string) => equalReadings(text).map(({ value }) => value);

/** The forms in which people write one article, 5400000002649. */
const forms = [
  '5400000002649',
  '05400000002649',
  '0105400000002649',
  '(01)05400000002649',
  '(01) 05400000002649',
  ']C10105400000002649',
  'https://id.gs1.org/01/05400000002649',
];
const pairs = forms.flatMap((one) => forms.filter((other) => other !== one).map((other) => [one, other] as const));
const upcE = ['01234565', '012345000065', '0012345000065', '00012345000065', '0100012345000065'];

describe('the equal readings of a barcode', () => {
  it.each(pairs)('the barcode %s reads as %s', (from, to) => {
    expect(equalReadings(from)).toContainEqual({ value: to, kind: 'spelling' });
  });

  it.each(upcE.flatMap((one) => upcE.filter((other) => other !== one).map((other) => [one, other] as const)))(
    'the UPC-E article %s reads as %s',
    (from, to) => expect(values(from)).toContain(to),
  );

  it.each([
    '010540000000264910LOT1',
    `010540000000264910LOT1${gs}17261231`,
    '(01)05400000002649(10)LOT1',
    '(01) 05400000002649 (10) LOT1',
    ']C1010540000000264910LOT1',
    'https://id.gs1.org/01/05400000002649/10/LOT1',
  ])('the barcode %j with a batch has its article as a reading', (text) => {
    expect(equalReadings(text)).toContainEqual({ value: '5400000002649', kind: 'article' });
    expect(equalReadings(text)).toContainEqual({ value: '05400000002649', kind: 'article' });
  });

  it.each([
    ['(01)05400000002649(10)LOT1', '010540000000264910LOT1'],
    ['010540000000264910LOT1', '(01)05400000002649(10)LOT1'],
    [`010540000000264910LOT1${gs}17261231`, `01054000000026491726123110LOT1`],
    ['(01)05400000002649(10)LOT1(17)261231', `010540000000264910LOT1${gs}17261231`],
    ['(00)373400306809981733', '373400306809981733'],
    ['373400306809981733', '00373400306809981733'],
    ['04252614', '042100005264'],
    ['96385074', '00000096385074'],
  ])('the barcode %j reads as %j', (from, to) =>
    expect(equalReadings(from)).toContainEqual({ value: to, kind: 'spelling' }),
  );

  it.each([
    ['a serial number', `0105400000002649${'21'}SN1`],
    ['a serial number in parentheses', '(01)05400000002649(10)A(21)SN1'],
    ['a link with a serial number', 'https://id.gs1.org/01/05400000002649/21/SN1'],
    ['what may be a serial number behind a batch', '010540000000264910AB21X'],
    ['what may be a serial number before a date', '010540000000264910AB2117261231'],
    ['a serial number and a separator', `010540000000264910A${gs}21SN1`],
    ['a serialized piece', '(8006)054000000026490102'],
    ['a wrong check digit', '5400000002648'],
    ['zeros alone', '00000000'],
    ['letters', 'HLF-000001'],
    ['a number of another length', '0012399'],
    ['nothing', ''],
  ])('a barcode with %s has no reading: %j', (_, text) => expect(equalReadings(text)).toEqual([]));

  it('a barcode whose batch may end earlier is read as its article, never with a batch', () => {
    const readings = equalReadings('010540000000264910ABC17261231');
    expect(readings.map(({ value }) => value)).toContain('5400000002649');
    expect(readings.every(({ kind }) => kind === 'article')).toBe(true);
  });

  it('an EAN-8 that reads as a UPC-E is no reading of the GTIN-14 that only looks like it', () => {
    expect(values('00000001234565')).not.toContain('01234565');
  });

  it('the article of a number with a weight is offered, but is no reading of it', () => {
    expect(values('2112345012506').filter((value) => inStoreArticles('2112345012506').includes(value))).toEqual([]);
  });
});

/** The fields of a text by another way than the parser's: only those of this test's barcodes. */
function meaning(text: string): ReadonlyMap<string, string> {
  if (/^\d{8}$/.test(text) && /^[01]/.test(text)) return new Map([['01', text]]);
  if (/^(\d{8}|\d{12,14})$/.test(text)) return new Map([['01', text.padStart(14, '0')]]);
  if (/^\d{18}$/.test(text)) return new Map([['00', text]]);
  const [, path, query = ''] = /^https:\/\/id\.gs1\.org\/([^?]*)\??(.*)$/.exec(text) ?? [];
  if (path !== undefined) {
    const all = path.split('/');
    const inPath = all.flatMap((ai, n) => (n % 2 === 0 ? [[ai, decodeURIComponent(all[n + 1]!)] as const] : []));
    const inQuery = query
      .split('&')
      .filter(Boolean)
      .map((each) => each.split('=') as [string, string]);
    return new Map([...inPath, ...inQuery.map(([ai, value]) => [ai, decodeURIComponent(value)] as const)]);
  }
  if (text.startsWith('(')) {
    return new Map([...text.replaceAll(' ', '').matchAll(/\((\d+)\)([^(]*)/g)].map(([, ai, value]) => [ai!, value!]));
  }
  let left = text.replace(/^\]../, '').replace(/^\u001d/, '');
  const found = new Map<string, string>();
  while (left !== '') {
    const size = { '00': 18, '01': 14, '17': 6 }[left.slice(0, 2)];
    const end = size ? 2 + size : (left + gs).indexOf(gs);
    found.set(left.slice(0, 2), left.slice(2, end));
    left = left.slice(end).replace(/^\u001d/, '');
  }
  return found;
}

describe('any equal reading', () => {
  const digits = (length: number) =>
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length });
  const gtin = fc
    .oneof(
      digits(13),
      digits(12),
      digits(7).map((text) => text.padStart(13, '0')),
    )
    .map((text) => withCheckDigit(text.padStart(13, '0')));
  const batch = fc.string({ unit: fc.constantFrom(...'ABCX-9'), minLength: 1, maxLength: 12 });
  const barcode = fc.record({ gtin, batch: fc.option(batch), date: fc.option(fc.constantFrom('261231', '270200')) });
  const written = fc.tuple(barcode, fc.nat(4)).map(([{ gtin: article, batch: lot, date }, form]) => {
    const fields = [['01', article], ...(date ? [['17', date]] : []), ...(lot ? [['10', lot]] : [])] as [
      string,
      string,
    ][];
    const plain = fields.map(([ai, value]) => `${ai}${value}`).join('');
    const text = [
      plain,
      `]d2${plain}`,
      fields.map(([ai, value]) => `(${ai})${value}`).join(''),
      fields.map(([ai, value]) => `(${ai}) ${value}`).join(' '),
      `https://id.gs1.org/01/${article}${lot ? `/10/${lot}` : ''}${date ? `?17=${date}` : ''}`,
    ][form]!;
    return { text, fields: new Map(fields) };
  });

  it('a reading names the same fields as its barcode, or its article alone', () => {
    let readings = 0;
    fc.assert(
      fc.property(written, ({ text, fields }) => {
        fc.pre(!/^0+$/.test(fields.get('01')!));
        for (const { value, kind } of equalReadings(text)) {
          readings += 1;
          const wanted = kind === 'article' ? new Map([['01', fields.get('01')!]]) : fields;
          const found = meaning(value);
          // A UPC-E is judged by its own test: eight digits leave out zeros.
          const isShort = found.get('01')?.length === 8;
          expect([value, kind, isShort ? [...wanted.keys()] : [...wanted].sort()]).toEqual([
            value,
            kind,
            isShort ? [...found.keys()] : [...found].sort(),
          ]);
        }
      }),
    );
    expect(readings).toBeGreaterThan(100);
  });

  it('no reading is the barcode itself, and none is listed twice', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          written.map(({ text }) => text),
          fc.string(),
          digits(8),
          digits(12),
          digits(18),
        ),
        (text) => {
          expect(values(text)).not.toContain(text);
          expect(new Set(values(text)).size).toBe(values(text).length);
        },
      ),
    );
  });
});
