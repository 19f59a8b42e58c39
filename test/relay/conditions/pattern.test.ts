import { describe, expect, it } from 'vitest';
import { compilePattern, isPatternTooLarge, patternProblem } from '../../../src/relay/conditions/parts/pattern.js';

describe('a pattern', () => {
  it('a pattern of a rule matches anywhere in a barcode, unless it is anchored', () => {
    expect(compilePattern('VIP-[0-9]')('00VIP-7')).toBe(true);
    expect(compilePattern('^VIP-[0-9]')('00VIP-7')).toBe(false);
  });

  it('a pattern matches barcodes of up to 7,089 characters, and never a longer barcode', () => {
    const anything = compilePattern('^[0-9]+$');
    expect(anything('7'.repeat(7_089))).toBe(true);
    expect(anything('7'.repeat(7_090))).toBe(false);
  });

  it('a complex pattern matches short barcodes, and no barcode too long for the pattern’s complexity', () => {
    const large = compilePattern('^[A-Z]{1,1000}');
    expect(large('A'.repeat(1_000))).toBe(true);
    expect(large('A'.repeat(5_000))).toBe(false);
    const huge = compilePattern(`(?i)(?:${'\\p{L}{1,900}'.repeat(12)}b)`);
    expect(huge(`${'x'.repeat(100)}b`)).toBe(true);
    expect(huge(`${'x'.repeat(7_000)}b`)).toBe(false);
  });

  it('a pattern is too large if its repetitions multiply beyond the limit', () => {
    expect(isPatternTooLarge('^[A-Z0-9]{10,1000}$')).toBe(false);
    expect(isPatternTooLarge('[a-z]{1,900}'.repeat(3))).toBe(true);
  });

  it('a text that is not a valid pattern is refused with a reason', () => {
    expect(patternProblem('^A+$')).toBeUndefined();
    expect(patternProblem('((')).toContain('missing closing');
  });
});
