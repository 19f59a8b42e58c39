import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sameBarcode, sameSpelling } from '../../src/codereadr/barcode-equality.js';
import { anyText } from '../helpers/any-text.js';

describe('two spellings of a barcode', () => {
  it('two identical spellings are the same barcode, whatever characters they hold', () => {
    fc.assert(fc.property(anyText(), (value) => sameBarcode(value, value, true)));
  });

  it.each([
    ['00123', '123'],
    ['1e5', '100000'],
    ['ABC ', 'ABC'],
    [' ABC', 'ABC'],
    ['ABC', 'ABC\n'],
    ['é', 'e'],
    ['A-B', 'AB'],
  ])('%j and %j are two different barcodes in any database', (a, b) => {
    expect(sameBarcode(a, b, false)).toBe(false);
    expect(sameBarcode(a, b, undefined)).toBe(false);
    expect(sameSpelling(a, b)).toBe(false);
  });

  it('two spellings of a barcode in different case are the same only where the database ignores case', () => {
    expect(sameBarcode('abc', 'ABC', false)).toBe(true);
    expect(sameBarcode('straße', 'STRASSE', false)).toBe(true);
    expect(sameBarcode('abc', 'ABC', true)).toBe(false);
  });

  it('spellings that differ in case are the same if the account does not say whether case counts', () => {
    expect(sameBarcode('abc', 'ABC', undefined)).toBe(true);
  });

  it('two spellings of a barcode are the same though XML 1.0 loses a GS1 separator or folds line ends', () => {
    expect(sameSpelling('01095\u001d10AB', '0109510AB')).toBe(true);
    expect(sameSpelling('a\uffffb', 'ab')).toBe(true);
    expect(sameSpelling('a\r\nb', 'a\nb')).toBe(true);
    expect(sameSpelling('a\tb', 'ab')).toBe(false);
  });
});
