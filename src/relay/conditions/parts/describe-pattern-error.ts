/**
 * Error messages for patterns that do not compile: one for each known error of the pattern library, else a general one.
 * Parts of the pattern appear verbatim, cut to 60 characters. Pure.
 */
import { settled } from '../../../codereadr/xml/hidden-characters.js';
import { cut } from '../../../english.js';
import { isPatternTooLarge, patternProblem } from './pattern.js';

/** The messages, by the pattern library's own. `{}` stands for the part of the pattern that the library quotes. */
const mistakes: Readonly<Record<string, string>> = {
  'missing closing )': 'a closing ) is missing.',
  'unexpected )': 'there is a ) without an opening (.',
  'missing closing ]': 'a closing ] is missing.',
  'invalid character class range': '{} is not a valid character range.',
  'missing argument to repetition operator': 'there is nothing before {} to repeat.',
  'invalid nested repetition operator': '{} repeats something that already repeats.',
  'invalid repeat count': '{} is not a valid repeat count; the maximum is 1,000.',
  'trailing backslash at end of expression': 'it ends with a single backslash.',
  'invalid escape sequence': '{} is not a valid escape sequence.',
  'invalid or unsupported Perl syntax': '{} is not supported. Lookahead and lookbehind, for example, are not.',
  'invalid named capture': '{} is not a valid group name.',
  'duplicate capture group name': 'two groups are named {}.',
  'expression nests too deeply': 'its groups are nested too deeply.',
};

const longestPart = 60;

/** What is wrong with an entered pattern; undefined for one that every scan can be checked against. */
export function patternMistake(pattern: string): string | undefined {
  const problem = patternProblem(pattern);
  if (problem !== undefined) {
    return describePatternError(problem);
  }
  return isPatternTooLarge(pattern)
    ? 'This pattern repeats too much to check every scan against it. Use smaller numbers in braces, or + and *.'
    : undefined;
}

/** The message for a pattern that does not compile. @param problem the pattern library's message */
export function describePatternError(problem: string): string {
  const [, what = '', part = ''] = /^error parsing regexp: (.+?)(?:: `([\s\S]*)`)?$/.exec(problem) ?? [];
  const text = Object.hasOwn(mistakes, what) ? mistakes[what] : undefined;
  return text === undefined
    ? 'This pattern is not valid. Try a simpler one.'
    : `This pattern is not valid: ${text.replace('{}', () => `“${cut(settled(part), longestPart)}”`)}`;
}
