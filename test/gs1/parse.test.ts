import bwipjs from 'bwip-js/node';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identifiers } from '../../src/gs1/application-identifiers.js';
import { parseGs1 } from '../../src/gs1/parse.js';
import { effort } from '../helpers/effort.js';
import { wideIt } from '../helpers/tier/wide-it.js';
import { dictionary } from './dictionary.js';

const gs = '\u001d';
const gtin = '09501101530003';
const shown = (value: string) =>
  parseGs1(value)
    ?.map((part) => `(${part.ai})${part.value}`)
    .join('');

describe('the GS1 parser', () => {
  it.each([
    ['01 and a valid GTIN-14', `01${gtin}17261231`, `(01)${gtin}(17)261231`],
    ['a batch at the end', `01${gtin}10ABC`, `(01)${gtin}(10)ABC`],
    ['a batch before a separator', `01${gtin}10ABC${gs}17261231`, `(01)${gtin}(10)ABC(17)261231`],
    ['a separator in front', `${gs}10ABC`, '(10)ABC'],
    ['a separator after a field that needs none', `01${gtin}${gs}10A`, `(01)${gtin}(10)A`],
    ['a symbology identifier', ']d221SN-1', '(21)SN-1'],
    ['parentheses', `(01)${gtin}(10)A(1)(17)261200`, `(01)${gtin}(10)A(1)(17)261200`],
    ['a parenthesis within a value', '(10)AB(5', '(10)AB(5'],
    ['a Digital Link', `https://id.gs1.org/01/${gtin}/10/A%2FB?17=261231&from=shop`, `(01)${gtin}(10)A/B(17)261231`],
    ['a Digital Link with a shorter GTIN', 'https://example.com/p/01/9501101530003', `(01)${gtin}`],
    ['a shipping container', ']C100095011010000012349', '(00)095011010000012349'],
    ['00 and a valid SSCC', '00373400306809981733', '(00)373400306809981733'],
    [
      'a Digital Link of an invoice',
      'https://id.gs1.org/415/9501101530003/8020/INV-1',
      '(415)9501101530003(8020)INV-1',
    ],
    ['a symbology identifier before parentheses', `]C1(01)${gtin}(10)A`, `(01)${gtin}(10)A`],
    ['parentheses and the spaces of a print', `(01) ${gtin} (10) A1\n(17) 26 12 31`, `(01)${gtin}(10)A1(17)261231`],
    [
      'titled lines and a decimal point, as a device sends by gs1_config',
      `GTIN = (01)${gtin}\nNET WEIGHT (kg) = (3103)1.250\nBATCH/LOT = (10)A1`,
      `(01)${gtin}(3103)001250(10)A1`,
    ],
  ])('a GS1 barcode with %s is split into its parts', (_, value, parts) => {
    expect(shown(value)).toBe(parts);
  });

  it.each([
    ['a ticket', 'HLF-000003'],
    ['an EAN-13', '9501101530003'],
    ['a GTIN-14 alone', gtin],
    ['01 and a wrong check digit', '0109501101530004'],
    ['fields of a batch without a sign of GS1', '10ABC'],
    ['a date that does not exist', `01${gtin}17261331`],
    ['a field longer than it may be', `01${gtin}10${'A'.repeat(21)}`],
    ['an unknown identifier', `]C105123`],
    ['a container with a wrong check digit', ']C100095011010000012340'],
    ['a field that breaks off', `01${gtin}1726`],
    ['an address that is no Digital Link', 'https://example.com/01/about'],
    ['a broken escape', `https://example.com/01/${gtin}/10/%E0%A4`],
    ['00 and a wrong check digit of an SSCC', '00373400306809981734'],
    ['a decimal point at another place', '(3103)12.50'],
    ['a decimal point without a digit', '(3100).'],
    ['a decimal point without a digit in front', '(3103).250'],
    ['a decimal point of a measure without decimals', '(3100)5.'],
    ['a title without an identifier', 'GTIN = 9501101530003'],
    ['nothing after the symbology identifier', ']C1'],
    ['an empty text', ''],
  ])('a barcode is not read as GS1: %s', (_, value) => {
    expect(parseGs1(value)).toBeUndefined();
  });
});

describe('a GS1 field of variable length without a separator', () => {
  const other = (value: string) =>
    parseGs1(value)
      ?.at(-1)
      ?.or?.map((part) => `(${part.ai})${part.value}`)
      .join('');

  it.each([
    ['before a date', `01${gtin}10ABC17261231`, '(10)ABC(17)261231'],
    ['before a container', `]C1400ABC00095011010000012349`, '(400)ABC(00)095011010000012349'],
    ['before two fields', `01${gtin}10ABC1726123121X`, '(10)ABC(17)261231(21)X'],
    ['before another field of variable length', `01${gtin}10ABC21X-1`, '(10)ABC(21)X-1'],
    ['before a date, after a field of digits', `01${gtin}211234515261231`, '(21)12345(15)261231'],
  ])(
    'a GS1 field of variable length without a separator has a second reading, in which the field ends %s',
    (_, value, parts) => {
      expect(other(value)).toBe(parts);
      expect(parseGs1(value)?.length).toBeGreaterThan(0);
    },
  );

  it.each([
    ['nothing after it could be a field', `01${gtin}10ABC`],
    ['the text after it is no valid date', `01${gtin}10ABC17261331`],
    ['another field’s separator shows that separators are kept', `01${gtin}21X${gs}10ABC17261231`],
    ['parentheses end it', `(01)${gtin}(10)ABC17261231`],
    ['a link’s path ends it', `https://id.gs1.org/01/${gtin}/10/ABC17261231`],
    ['its length is predefined', `01${gtin}17261231`],
  ])('a GS1 field has one reading where %s', (_, value) => {
    expect(parseGs1(value)).toBeDefined();
    expect(parseGs1(value)?.some((part) => part.or)).toBe(false);
  });

  it('a generated GS1 label without separators has a second reading with the expiry date in it', () => {
    const batch = fc.string({ unit: fc.constantFrom(...'AB129'), minLength: 1, maxLength: 8 });
    const date = fc
      .date({ min: new Date('2001-01-01'), max: new Date('2049-01-01'), noInvalidDate: true })
      .map((day) => day.toISOString().slice(2, 10).replaceAll('-', ''));
    fc.assert(
      fc.property(batch, date, (text, expiry) => {
        const parts = parseGs1(`01${gtin}10${text}17${expiry}`);
        expect(parts?.length).toBe(2);
        expect(parts?.[1]?.or?.some(({ ai }) => ai === '17')).toBe(true);
      }),
    );
  });
});

/** The linter's refusal of a field: bwip-js checks fields before it draws. Undefined where it accepts the field. */
function refusal(ai: string, value: string): string | undefined {
  try {
    // biome-ignore lint/suspicious/noExplicitAny: its types leave `raw` out
    (bwipjs as any).raw({ bcid: 'gs1-128', text: `(${ai})${value.replaceAll('(', '^040')}`, parse: true });
    return undefined;
  } catch (error) {
    return /bwipp\.(\w+)/.exec(String(error))?.[1] ?? String(error);
  }
}

/** The refusals that our parser shares with the linter. The parser does not check countries, IBANs or hours. */
const ours = new Set([
  'GS1badChecksum',
  'GS1badCSET82character',
  'GS1badCSET39character',
  'GS1badCSET64character',
  'GS1badDay',
  'GS1badMonth',
  'GS1notNumeric',
  'GS1unknownAI',
  'GS1valueTooLong',
  'GS1valueTooShort',
]);

const digits = (max: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: max });
const fieldOf = fc.oneof(
  digits(20),
  fc
    .date({ min: new Date('2001-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(2, 10).replaceAll('-', '')),
  fc.string({ unit: fc.constantFrom(...'AZaz09-/_!"+,. #=~'), minLength: 1, maxLength: 40 }),
  digits(17).map((text) => withCheckDigit(text.padStart(13, '0').slice(-13))),
  digits(17).map((text) => withCheckDigit(text.padStart(12, '0').slice(-12))),
  digits(17).map((text) => withCheckDigit(text.padStart(17, '0'))),
);

function withCheckDigit(text: string): string {
  const sum = [...text].reverse().reduce((total, digit, n) => total + Number(digit) * (n % 2 === 0 ? 3 : 1), 0);
  return `${text}${(10 - (sum % 10)) % 10}`;
}

const listed = dictionary.flatMap(([ais, ...rest]) =>
  ais.split(' ').flatMap((range) => {
    const [first = '', last = first] = range.split('-');
    const count = Number(last) - Number(first) + 1;
    return Array.from(
      { length: count },
      (_, n) => [String(Number(first) + n).padStart(first.length, '0'), ...rest] as const,
    );
  }),
);

describe('the identifiers of the GS1 dictionary', () => {
  it('the GS1 parser knows the 541 identifiers of the dictionary and no other', () => {
    expect(listed).toHaveLength(541);
    expect([...identifiers.keys()].sort()).toEqual(listed.map(([ai]) => ai).sort());
  });

  it.each(listed)(
    'the GS1 parser reads the sample of %s, and refuses it too short or too long',
    (ai, fewest, most, sample) => {
      expect(refusal(ai, sample), 'a linter accepts the sample').toBeUndefined();
      expect(parseGs1(`(${ai})${sample}`)).toEqual([{ ai, value: sample }]);
      expect(parseGs1(`]C1(${ai})${sample}`)).toEqual([{ ai, value: sample }]);
      expect(parseGs1(`]C1${ai}${sample}`)?.map((part) => ({ ai: part.ai, value: part.value }))).toEqual([
        { ai, value: sample },
      ]);
      expect(sample.length).toBeGreaterThanOrEqual(fewest);
      expect(parseGs1(`(${ai})${sample.slice(0, fewest - 1)}`)).toBeUndefined();
      expect(parseGs1(`(${ai})${sample.padEnd(most + 1, '1')}`)).toBeUndefined();
    },
  );

  it.each(['7003', '4324', '4325'])('the GS1 parser refuses hour 24 and minute 60 in %s', (ai) => {
    expect(parseGs1(`(${ai})2702282359`)).toBeDefined();
    expect(parseGs1(`(${ai})2702282400`)).toBeUndefined();
    expect(parseGs1(`(${ai})2702282360`)).toBeUndefined();
  });

  it('only a date that may stand for its whole month has day 00', () => {
    expect(shown('(4324)2702002359')).toBe('(4324)2702002359');
    expect(parseGs1('(7003)2702002359')).toBeUndefined();
  });
});

describe('the GS1 parser beside a linter', () => {
  wideIt('the GS1 parser knows the same identifiers as a GS1 linter', () => {
    const all = [2, 3, 4].flatMap((length) =>
      Array.from({ length: 10 ** length }, (_, n) => String(n).padStart(length, '0')),
    );
    const theirs = all.filter((ai) => refusal(ai, '0') !== 'GS1unknownAI');
    expect([...identifiers.keys()].sort()).toEqual(theirs.sort());
  });

  it('the GS1 parser accepts and refuses the same barcodes as a GS1 linter', () => {
    const numRuns = effort({ short: 1_000, long: 4_000 });
    let both = 0;
    fc.assert(
      fc.property(fc.constantFrom(...identifiers.keys()), fieldOf, (ai, value) => {
        // A measure with its decimal point is a device's own spelling, which no linter knows.
        fc.pre(!(identifiers.get(ai)?.decimals && /^\d+\.\d+$/.test(value)));
        // A space within parentheses is the print's.
        const theirs = refusal(ai, value.replaceAll(' ', ''));
        const parts = parseGs1(`(${ai})${value}`);
        if (theirs === undefined) {
          both += 1;
          expect(parts).toEqual([{ ai, value: value.replaceAll(' ', '') }]);
        } else if (ours.has(theirs)) {
          expect(parts, theirs).toBeUndefined();
        }
      }),
      { numRuns },
    );
    expect(both).toBeGreaterThan(numRuns / 10);
  });
});
