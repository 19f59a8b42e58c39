/** Whether blocks fit into one message: Slack limits all their text together, and publishes no figure. Pure. */
import type { Block } from './elements.js';

/** Of 50 blocks, 9,597 characters are accepted; of 45, 11,341 are refused; one block may have about 13,000. */
const mostLetters = 11_500;
const lettersOfBlock = 40;

export function fitsMessage(blocks: readonly Block[]): boolean {
  return lettersIn(blocks) + blocks.length * lettersOfBlock <= mostLetters;
}

/** The characters of all texts; keys and types do not count. */
function lettersIn(part: unknown): number {
  if (typeof part !== 'object' || part === null) {
    return 0;
  }
  return Object.entries(part).reduce(
    (sum, [key, value]) => sum + (key === 'text' && typeof value === 'string' ? value.length : lettersIn(value)),
    0,
  );
}
