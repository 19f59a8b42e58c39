import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasRightCheckDigit } from '../../src/gs1/check-digit.js';
import { equalReadings } from '../../src/gs1/readings.js';
import { expandUpcE } from '../../src/gs1/upc-e.js';
import { closeBarcodes, type Slip } from '../../src/lookup/suggestions/close-barcodes.js';
import { anyText } from '../helpers/any-text.js';
import { wideIt } from '../helpers/tier/wide-it.js';

const all = (value: string) => closeBarcodes(value).map((close) => close.value);

describe('the close barcodes of a value', () => {
  it.each([
    ['with a character less', 'HLF-0000011', 'HLF-000001'],
    ['with a character more', 'HLF-00001', 'HLF-000001'],
    ['with another character', 'HLF-000007', 'HLF-000001'],
    ['with two neighbors swapped', 'HLF-000010', 'HLF-000001'],
    ['with zeros in front', '123', '00000123'],
    ['without zeros in front', '00000123', '123'],
    ['with zeros in front of its number', 'HLF-1', 'HLF-000001'],
    ['that is the EAN-13 of a UPC-A', '036000291452', '0036000291452'],
    ['that is the UPC-A of an EAN-13', '0036000291452', '036000291452'],
    ['that is the GTIN-14 of a UPC-A', '036000291452', '00036000291452'],
    ['that is the UPC-A of a UPC-E', '04252614', '042100005264'],
    ['that is the EAN-13 of a UPC-E', '04252614', '0042100005264'],
    ['without the quotes around it', '“HLF-000001”', 'HLF-000001'],
    ['without the period behind it', 'HLF-000001.', 'HLF-000001'],
    ['without the invisible characters at its ends', '\u200bHLF-000001\u00a0', 'HLF-000001'],
    ['with a space behind it', 'HLF-000001', 'HLF-000001 '],
    ['with the asterisks of Code 39', 'HLF-000001', '*HLF-000001*'],
    ['with 0 for O', 'HLF-OOO001', 'HLF-000001'],
    ['with 1 for l', 'HLF-00000l', 'HLF-000001'],
    ['with B for 8', 'A8C', 'ABC'],
    ['with all look-alikes as digits', 'OIBSZ', '01852'],
    ['in capitals', 'hlf-000001', 'HLF-000001'],
    ['without separators', '978-3-16-148410-0', '9783161484100'],
    ['with a separator', 'HLF000001', 'HLF-000001'],
    ['with the right check digit', '9501101530004', '9501101530003'],
    ['of the article without its weight', '2112345012506', '2112345000008'],
    ['of the article cut before its weight', '2112345012506', '2112345'],
  ])('the close barcodes of a value include a barcode %s', (_, value, close) => {
    expect(all(value)).toContain(close);
  });

  it.each([
    ['an en dash', 'HLF–000001', 'HLF-000001'],
    ['an em dash', 'HLF—000001', 'HLF-000001'],
    ['a minus sign', 'HLF−000001', 'HLF-000001'],
    ['a non-breaking hyphen', 'HLF‑000001', 'HLF-000001'],
    ['a hyphen for the en dash that is stored', 'HLF-000001', 'HLF–000001'],
    ['full-width digits', '００１２３９９', '0012399'],
    ['Arabic digits', '٠٠١٢٣٩٩', '0012399'],
    ['Persian digits', '۰۰۱۲۳۹۹', '0012399'],
    ['Devanagari digits', '००१२३९९', '0012399'],
    ['full-width letters and a dash', 'ＨＬＦ－０００００１', 'HLF-000001'],
    ['an accent of its own', 'CAFE\u0301-1', 'CAFÉ-1'],
    ['a composed accent', 'CAFÉ-1', 'CAFE\u0301-1'],
    ['a French keyboard', 'àà&é', '0012'],
    ['a French keyboard and letters', 'HLF)àààààç', 'HLF-000009'],
    ['a German keyboard', 'HLFß000001', 'HLF-000001'],
    ['a German keyboard and letters', 'ZEN?1', 'YEN_1'],
    ['a scanner set to French', '))!@', '0012'],
  ])('a value typed with %s has its barcode among the first', (_, typed, barcode) => {
    expect(all(typed).slice(0, 12)).toContain(barcode);
  });

  it('a value with a wrong check digit lists close barcodes with a right check digit first', () => {
    expect(all('9501101530004')[0]).toBe('9501101530003');
    const swapped = all('9501011530003');
    const right = swapped.filter(hasRightCheckDigit).length;
    expect(swapped.indexOf('9501101530003')).toBeLessThan(right);
    expect(swapped.slice(0, right).every(hasRightCheckDigit)).toBe(true);
  });

  it('a very short number is close only to barcodes that differ in ends, zeros or look-alike characters', () => {
    expect(new Set(closeBarcodes('1').map(({ slip }) => slip))).toEqual(new Set(['ends', 'zeros', 'look_alike']));
  });
});

describe('UPC-E', () => {
  it.each([
    ['04252614', '042100005264'],
    ['01234133', '012300000413'],
    ['01234543', '012340000053'],
    ['01234565', '012345000065'],
  ])('the UPC-E code %s is expanded to the UPC-A code %s', (short, long) => {
    expect(expandUpcE(short)).toBe(long);
  });

  it.each(['24252614', '04252613', '0425261', 'A4252614'])('the text %s is not read as a UPC-E code', (other) => {
    expect(expandUpcE(other)).toBeUndefined();
  });
});

const edges = /^[\p{P}\p{S}\p{Z}\p{C}]*|[\p{P}\p{S}\p{Z}\p{C}]*$/gu;
const sameLook = (text: string) =>
  text
    .replace(/[0Oo]/g, '0')
    .replace(/[1Iil|]/g, '1')
    .replace(/[8B]/g, '8')
    .replace(/[5Ss]/g, '5')
    .replace(/[2Zz]/g, '2');

/** Whether one text becomes the other by the named edit alone, checked in another way than candidates are made. */
const isSlip: Readonly<Record<Slip, (from: string, to: string) => boolean>> = {
  ends: (from, to) => (to === '' ? from : to).replace(edges, '') === from.replace(edges, ''),
  case: (from, to) => from.toLowerCase() === to.toLowerCase() || from.toUpperCase() === to.toUpperCase(),
  characters: (from, to) => spelledOut(from) === spelledOut(to),
  keyboard: (from, to) => [...from.normalize('NFC')].length === [...to].length,
  twin: (from, to) => equalReadings(from).some(({ value }) => value === to),
  in_store: (from, to) => from.slice(0, 7).includes(to.slice(0, 5)),
  check_digit: (from, to) => from.slice(0, -1) === to.slice(0, -1) && hasRightCheckDigit(to),
  zeros: (from, to) => Math.abs(from.length - to.length) > 0 && onlyZerosBetween(from, to),
  look_alike: (from, to) => sameLook(from) === sameLook(to) && [...from].length === [...to].length,
  separators: (from, to) => from.replace(/[-_ ./:]/g, '') === to,
  swapped: (from, to) => {
    const [one, other] = [[...from], [...to]];
    const at = one.findIndex((letter, n) => letter !== other[n]);
    return (
      one.length === other.length &&
      one.every((letter, n) => letter === other[n === at ? n + 1 : n === at + 1 ? n - 1 : n])
    );
  },
  left_out: (from, to) => isOneMore(to, from),
  added: (from, to) => isOneMore(from, to),
  exchanged: (from, to) => {
    const [one, other] = [[...from], [...to]];
    return one.length === other.length && one.filter((letter, n) => letter !== other[n]).length === 1;
  },
};

/** The digits of the scripts that the platform writes numbers in. */
const scriptDigits = new Map(
  Intl.supportedValuesOf('numberingSystem').flatMap((numberingSystem) => {
    const format = new Intl.NumberFormat('en', { numberingSystem });
    return Array.from({ length: 10 }, (_, n) => [format.format(n), String(n)] as const);
  }),
);

/** Dashes, digits and accents that read the same; written in another way than the candidates are. */
function spelledOut(text: string): string {
  return [...text.normalize('NFKD').replace(/[\p{Pd}\u2212\u00ad]/gu, '-')]
    .map((letter) => scriptDigits.get(letter) ?? letter)
    .join('');
}

function onlyZerosBetween(from: string, to: string): boolean {
  const [short, long] = from.length < to.length ? [from, to] : [to, from];
  return Array.from({ length: short.length + 1 }, (_, n) => n).some(
    (n) => short.slice(0, n) + '0'.repeat(long.length - short.length) + short.slice(n) === long,
  );
}

function isOneMore(short: string, long: string): boolean {
  const letters = [...long];
  return letters.some((_, n) => letters.filter((__, at) => at !== n).join('') === short);
}

describe('the close barcodes of any value', () => {
  const value = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 20 }),
    fc.string({ unit: fc.constantFrom(...'0O1IlB8S5Z2Aaz-_. /*"'), minLength: 1, maxLength: 20 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    anyText({ minLength: 1, maxLength: 100 }),
    fc.constantFrom('04252614', '036000291452', '0036000291452', '9501101530004', ' ', '***', '000'),
  );

  wideIt('each close barcode differs from the value only by the edit that it is named after', () => {
    fc.assert(
      fc.property(value, (text) => {
        for (const { value: close, slip } of closeBarcodes(text)) {
          expect(isSlip[slip](text, close), `${slip}: ${JSON.stringify([text, close])}`).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('a value has at most 4,000 close barcodes, each listed once, and never an empty text or the value itself', () => {
    fc.assert(
      fc.property(value, (text) => {
        const found = all(text);
        expect(found).not.toContain(text);
        expect(found).not.toContain('');
        expect(new Set(found).size).toBe(found.length);
        expect(found.length).toBeLessThanOrEqual(4_000);
      }),
      { numRuns: 200 },
    );
  });

  it('a close barcode never splits a character outside the BMP', () => {
    for (const close of all('𝒳12𝒴')) {
      expect(/\p{Cs}/u.test(close)).toBe(false);
    }
  });
});

wideIt('the close barcodes of a long value are found in less than 180 milliseconds', () => {
  const value = 'ABC-123-xyz'.repeat(23);
  closeBarcodes(value);
  const before = process.cpuUsage();
  for (let n = 0; n < 10; n += 1) {
    closeBarcodes(value + n);
  }
  // All edits of one such value would take a quarter of a second. Processor time leaves out what others do.
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_800);
});
