/**
 * Error messages for patterns that do not compile: one for each mistake the pattern library reports, else a general
 * one. Parts of the pattern appear verbatim. Pure.
 */
import { cut } from '../../block-kit/elements.js';
import { settled } from '../../block-kit/text.js';

/** By the library's message. `{}`: the part it names. */
const mistakes: Readonly<Record<string, string>> = {
  'missing closing )': 'a closing ) is missing.',
  'unexpected )': 'a ) closes nothing.',
  'missing closing ]': 'a closing ] is missing.',
  'invalid character class range': '{} is no range of characters.',
  'missing argument to repetition operator': 'there is nothing before {} that could be repeated.',
  'invalid nested repetition operator': '{} repeats what is repeated already.',
  'invalid repeat count': '{} is no number of times; 1,000 is the most.',
  'trailing backslash at end of expression': 'it ends in a backslash with nothing after it.',
  'invalid escape sequence': '{} means nothing.',
  'invalid or unsupported Perl syntax': '{} is not among what it knows: looking ahead or behind is not, for example.',
  'invalid named capture': '{} names no group.',
  'duplicate capture group name': 'two groups are called {}.',
  'expression nests too deeply': 'its brackets lie too deep in each other.',
};

const longestPart = 60;

/** @param problem the pattern library's message */
export function patternWords(problem: string): string {
  const [, what = '', part = ''] = /^error parsing regexp: (.+?)(?:: `([\s\S]*)`)?$/.exec(problem) ?? [];
  const words = Object.hasOwn(mistakes, what) ? mistakes[what] : undefined;
  return words === undefined
    ? 'Scandesk cannot read this pattern. Try a simpler one.'
    : `Scandesk cannot read this pattern: ${words.replace('{}', () => `“${cut(settled(part), longestPart)}”`)}`;
}
