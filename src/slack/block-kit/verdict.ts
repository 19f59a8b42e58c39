/** Signs for results, and names and counts in a sentence of plain text. Pure. */
import { cut } from './elements.js';
import { visible } from './text.js';

/** What comes after a name must still fit on the line. */
const longestName = 50;

export const signs = { valid: '✅', invalid: '❌', used: '⛔', unsure: '⚠️', absent: '❔' } as const;

/** A name on one line, letter by letter. */
export function shortName(name: string, longest = longestName): string {
  return cut(visible(name.trim() === '' ? '(no name)' : name), longest);
}

export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
