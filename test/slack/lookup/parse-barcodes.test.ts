import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withHidden } from '../../../src/codereadr/xml/hidden-characters.js';
import { type BarcodePiece, longestBarcode, parseBarcodes } from '../../../src/slack/lookup/parse-barcodes.js';
import { anyText } from '../../helpers/any-text.js';

const leaves = (piece: BarcodePiece): readonly BarcodePiece[] =>
  piece.parts.length === 0 ? [piece] : piece.parts.flatMap(leaves);
const values = (text: string) =>
  leaves(parseBarcodes(text)).map(({ read }) => (read.kind === 'value' ? read.value : read.kind));
/** One barcode, or its parts. */
type Tree = string | readonly Tree[];
const tree = ({ text, parts }: BarcodePiece): Tree => (parts.length === 0 ? text : parts.map(tree));

describe('parseBarcodes', () => {
  it.each<[string, Tree]>([
    ['0123', '0123'],
    ['0123, 0456 0789', ['0123', ['0456', '0789']]],
    ['0123,0456', ['0123', '0456']],
    ['0123 0456', ['0123', '0456']],
    ['A\nB, C D\r\nE', ['A', ['B', ['C', 'D']], 'E']],
    ['\n A \n\n', 'A'],
    ['0123,', ['0123']],
    [',', ','],
    ['"A, B"', '"A, B"'],
    ['"A, B", C', ['"A, B"', 'C']],
    ['“A B” C', ['“A B”', 'C']],
    ['C "A B"', ['C', '"A B"']],
    ['"A" "B"', ['"A"', '"B"']],
    ['12" screw', ['12"', 'screw']],
    ['A "B', ['A', '"B']],
    ['> 0123', ['0123']],
    ['0123 – 0456', ['0123', '0456']],
    ['0123\n--\n0456', ['0123', '0456']],
    ['0123 "-"', ['0123', '"-"']],
    ['- –', '- –'],
  ])('the text %j can be split as %j', (text, parts) => {
    expect(tree(parseBarcodes(text))).toEqual(parts);
  });

  it('each part of a text is parsed as a single barcode would be', () => {
    expect(values('"", 0101\\x1d10')).toEqual(['empty_quotes', '0101\u001d10']);
    const long = `${'1'.repeat(longestBarcode)},2`;
    expect(parseBarcodes(long).read).toEqual({ kind: 'too_long', length: 502 });
    expect(values(long)).toEqual(['1'.repeat(longestBarcode), '2']);
  });

  const plain = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((text) => !/["“”„‟＂,\s]/.test(text) && /[\p{L}\p{N}]/u.test(text) && withHidden(text) === text);
  const separator = fc.constantFrom('\n', '\r\n', ', ', ',', ' ', '  ', ',\n', '\t');

  it('a text is split into exactly the barcodes that it was joined from', () => {
    fc.assert(
      fc.property(fc.array(plain, { minLength: 1, maxLength: 12 }), separator, (barcodes, between) => {
        expect(values(barcodes.join(between))).toEqual(barcodes);
      }),
    );
  });

  it('barcodes in quotes keep commas, spaces and line ends', () => {
    const any = anyText({ minLength: 1, maxLength: 20 }).filter((text) => !/["“”„‟＂]/.test(text));
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 8 }), separator, (barcodes, between) => {
        expect(values(barcodes.map((barcode) => `"${barcode}"`).join(between))).toEqual(barcodes);
      }),
    );
  });

  it('splitting a text drops no letter and no digit, and keeps the order', () => {
    const bare = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '');
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom('"', '“', '”', ',', ' ', '\n', '\r'), anyText()), {
          maxLength: 20,
        }),
        (pieces) => {
          const text = pieces.join('');
          fc.pre(text.trim() !== '');
          const parts = leaves(parseBarcodes(text));
          expect(bare(parts.map((part) => part.text).join(''))).toBe(bare(text));
          let at = 0;
          for (const part of parts) {
            at = text.indexOf(part.text, at);
            expect(at).toBeGreaterThanOrEqual(0);
            at += part.text.length;
          }
        },
      ),
    );
  });
});
