import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withHidden } from '../../../src/codereadr/xml/hidden-characters.js';
import { longestBarcode, parseBarcode } from '../../../src/slack/lookup/parse-barcodes.js';
import { anyText } from '../../helpers/any-text.js';

const value = (text: string) => {
  const read = parseBarcode(text);
  return read.kind === 'value' ? read.value : read.kind;
};

describe('parseBarcode', () => {
  it.each([
    ['00123', '00123'],
    ['  00123  ', '00123'],
    ['A  B', 'A  B'],
    ['"help"', 'help'],
    ['“00123”', '00123'],
    ['„00123“', '00123'],
    ['”00123”', '00123'],
    ['＂00123＂', '00123'],
    ['" 00123 "', ' 00123 '],
    ['""00123""', '"00123"'],
    ['"a" or "b"', 'a" or "b'],
    ['"', '"'],
    ["'00123'", "'00123'"],
    ['`00123`', '`00123`'],
    ['<!channel>', '<!channel>'],
    [':100:', ':100:'],
    ['🎫42', '🎫42'],
    ['https://example.com/t?a=1&b=2', 'https://example.com/t?a=1&b=2'],
    ['0101234\\x1d10AB', '0101234\u001d10AB'],
    ['0101234\\X1D10AB', '0101234\u001d10AB'],
    ['"0101234\\x1d10AB"', '0101234\\x1d10AB'],
    ['&lt;', '&lt;'],
    ['help', 'help'],
    ['Help 7', 'Help 7'],
  ])('the typed text %j is read as the barcode %j', (text, barcode) => {
    expect(value(text)).toBe(barcode);
  });

  it.each(['""', '“”'])('the typed text %j is reported as empty quotes', (text) => {
    expect(parseBarcode(text)).toEqual({ kind: 'empty_quotes' });
  });

  it('a barcode has 500 characters at most, and what fits a button of hidden ones, a pictograph counted as one', () => {
    expect(value('🎫'.repeat(longestBarcode))).toBe('🎫'.repeat(longestBarcode));
    expect(parseBarcode('\u001d'.repeat(300))).toEqual({ kind: 'too_long', length: 300 });
    expect(parseBarcode('x'.repeat(501))).toEqual({ kind: 'too_long', length: 501 });
  });

  it('a barcode in quotes is read to the letter', () => {
    fc.assert(
      fc.property(anyText({ minLength: 1, maxLength: 100 }), (barcode) => {
        expect(value(`"${barcode}"`)).toBe(barcode);
      }),
    );
  });

  it('a text without quotes, escapes and outer space is the barcode itself', () => {
    const plain = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .filter((text) => text === text.trim() && !/["“”„‟＂]/.test(text) && withHidden(text) === text);
    fc.assert(
      fc.property(plain, (text) => {
        expect(value(text)).toBe(text);
      }),
    );
  });
});
