/** Result signs, shortened names and counts for plain text. Pure. */
import { cut } from './elements.js';
import { visible } from './text.js';

/** Leaves space on the line for what follows a name. */
const longestName = 50;

export const signs = { valid: '✅', invalid: '❌', used: '⛔', unsure: '⚠️', absent: '❔' } as const;

/** A name on one line, letter by letter. */
export function shortName(name: string, longest = longestName): string {
  return cut(visible(name.trim() === '' ? '(no name)' : name), longest);
}

export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
