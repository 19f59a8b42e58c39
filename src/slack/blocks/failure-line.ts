/** Owns how a part that failed is told inside a card, in the words of problem.ts. Pure. */
import { AccountError } from '../../account/types.js';
import type { Failure } from '../../desk/index.js';
import { cut, type RichTextElement } from './kit.js';
import { problemOf } from './problem.js';
import { textElement } from './text.js';

/** The account may give its reasons at any length, once for every database. */
const longestPart = 200;

export function failureLine(failure: Failure): RichTextElement[] {
  const { what, todo } = problemOf(new AccountError(failure.code, 'part of an answer', failure));
  const short = todo.map((part) => (part.type === 'text' ? { ...part, text: cut(part.text, longestPart) } : part));
  return [textElement(`${what} `), ...short];
}
