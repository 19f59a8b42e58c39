import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typedForm, withHidden, writtenForm } from '../../src/codereadr/xml/hidden-characters.js';
import { visible } from '../../src/slack/block-kit/text.js';

describe('hidden characters', () => {
  it.each([
    ['010950110153000310xyz␝3040', '010950110153000310xyz\u001d3040'],
    ['A␞B␟C␄D␡', 'A\u001eB\u001fC\u0004D\u007f'],
    ['A\\x1eB\\x04C\\X1D', 'A\u001eB\u0004C\u001d'],
    ['A⟨U+200B⟩', 'A\u200b'],
  ])('the text %j is read as the barcode %j', (text, barcode) => expect(withHidden(text)).toBe(barcode));

  it.each(['A\\x00', '␀', '\\x41', '⟨U+0041⟩', '⟨U+FFFFFF⟩', '\\x1', 'HLF-1'])(
    'the text %j stands for no hidden character and stays as it is',
    (text) => expect(withHidden(text)).toBe(text),
  );

  it('every control character but NUL is read back from a post, and from an input', () => {
    for (let code = 1; code < 0x80; code += code === 0x1f ? 0x60 : 1) {
      const character = String.fromCharCode(code);
      expect(withHidden(writtenForm(character))).toBe(character);
      expect(withHidden(typedForm(`A${character}B`))).toBe(`A${character}B`);
    }
  });

  it('any barcode in an input is read back unchanged, also one that contains what stands for a character', () => {
    const unit = fc.oneof(
      fc.constantFrom('␁', '␝', '␡', '\\x1d', '\\X1E', '⟨U+200B⟩', '⟨u+005c⟩', '⟨', '\\', 'x1d', 'U+2401⟩', '\u001d'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 8 }), (parts) => {
        const barcode = parts.join('').replaceAll('\0', '');
        expect(withHidden(typedForm(barcode))).toBe(barcode);
      }),
      { numRuns: 500 },
    );
  });

  it('a barcode pasted as a post shows it is the same barcode', () => {
    const unit = fc
      .oneof(fc.integer({ min: 1, max: 0x7f }), fc.constantFrom(0x200b, 0xa0, 0x2028, 0xfeff))
      .map((code) => String.fromCodePoint(code));
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1 }), (value) => {
        fc.pre(withHidden(value) === value);
        expect(withHidden(visible(value))).toBe(value);
      }),
    );
  });
});
