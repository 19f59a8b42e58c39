import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patternProblem } from '../../../../src/relay/index.js';
import { patternWords } from '../../../../src/slack/relays/settings/describe-pattern-error.js';

const of = (pattern: string) => patternWords(patternProblem(pattern)!);

describe('a pattern that cannot be read', () => {
  it.each([
    ['(((', 'Scandesk cannot read this pattern: a closing ) is missing.'],
    ['a)', 'a ) closes nothing.'],
    ['[', 'a closing ] is missing.'],
    ['[z-a]', '“z-a” is no range of characters.'],
    ['*a', 'nothing before “*”'],
    ['a**', '“**” repeats what is repeated already.'],
    ['a{2000}', '“{2000}” is no number of times; 1,000 is the most.'],
    ['\\', 'ends in a backslash'],
    ['\\8', '“\\8” means nothing.'],
    ['(?=a)', '“(?=” is not among what it knows'],
    ['(?P<n>a)(?P<n>b)', 'two groups are called “n”.'],
    ['('.repeat(2_000) + ')'.repeat(2_000), 'too deep'],
  ])('is told in plain words: %.20s', (pattern, words) => {
    expect(of(pattern)).toContain(words);
  });

  it('is never told in the library’s words, whatever it is, and fits below a field', () => {
    expect(patternWords('error parsing regexp: out of cheese: `a`')).toBe(
      'Scandesk cannot read this pattern. Try a simpler one.',
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'(){}[]*+?|\\^$.a1,-:<>=P`\n') }), (pattern) => {
        const problem = patternProblem(pattern);
        const words = problem === undefined ? '' : patternWords(problem);
        expect(words).not.toMatch(/regexp/);
        expect(words.length).toBeLessThan(200);
      }),
    );
  });
});
