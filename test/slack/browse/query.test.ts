import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longestTyped, queryIn, typedQuery } from '../../../src/slack/browse/query.js';

describe('a search', () => {
  it('a search of scans reads the typed text as a part of a barcode, and keeps the spaces within quotes', () => {
    expect(queryIn('scans', '  00 1 ')).toBe('00 1');
    expect(queryIn('scans', '" 00 1 "')).toBe(' 00 1 ');
    expect(queryIn('scans', 'a\\x1db')).toBe('a\u001db');
    expect(queryIn('scans', 'x'.repeat(101))).toBe('too_long');
    expect(queryIn('scans', '""')).toBeUndefined();
  });

  it('a search of names is the typed text without spaces at its ends, cut at 200 characters', () => {
    expect(queryIn('services', ' "Gate" ')).toBe('"Gate"');
    expect(queryIn('services', 'x'.repeat(300))).toHaveLength(200);
    expect(queryIn('services', '  ')).toBeUndefined();
    expect(queryIn('uploads', 'gate')).toBeUndefined();
  });

  it('a search of scans that is shown in an input is read back as the same search', () => {
    const piece = fc.oneof(
      fc.constantFrom('"a"', ' a', '\u001d', '\\x1d', '"', '“a”', ' ', '"\u001d"'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }),
    );
    fc.assert(
      fc.property(piece, (query) => {
        fc.pre(!/[\r\n\u2028\u2029]/.test(query));
        const typed = typedQuery('scans', query);
        expect(queryIn('scans', typed)).toBe(query);
        expect(typed.length).toBeLessThanOrEqual(longestTyped);
      }),
    );
  });
});
