import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describePatternError } from '../../../src/relay/conditions/parts/describe-pattern-error.js';
import { patternProblem } from '../../../src/relay/conditions/parts/pattern.js';

const of = (pattern: string) => describePatternError(patternProblem(pattern)!);

describe('a pattern that cannot be read', () => {
  it.each([
    ['(((', 'This pattern is not valid: a closing ) is missing.'],
    ['a)', 'there is a ) without an opening (.'],
    ['[', 'a closing ] is missing.'],
    ['[z-a]', '“z-a” is not a valid character range.'],
    ['*a', 'nothing before “*”'],
    ['a**', '“**” repeats something that already repeats.'],
    ['a{2000}', '“{2000}” is not a valid repeat count; the maximum is 1,000.'],
    ['\\', 'ends with a single backslash'],
    ['\\8', '“\\8” is not a valid escape sequence.'],
    ['(?=a)', '“(?=” is not supported'],
    ['(?P<n>a)(?P<n>b)', 'two groups are named “n”.'],
    ['('.repeat(2_000) + ')'.repeat(2_000), 'too deep'],
  ])('the invalid pattern $0 is explained in plain words', (pattern, words) => {
    expect(of(pattern)).toContain(words);
  });

  it('an invalid pattern is never explained in the regex library’s words, and the text fits below a field', () => {
    expect(describePatternError('error parsing regexp: out of cheese: `a`')).toBe(
      'This pattern is not valid. Try a simpler one.',
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'(){}[]*+?|\\^$.a1,-:<>=P`\n') }), (pattern) => {
        const problem = patternProblem(pattern);
        const words = problem === undefined ? '' : describePatternError(problem);
        expect(words).not.toMatch(/regexp/);
        expect(words.length).toBeLessThan(200);
      }),
    );
  });
});
