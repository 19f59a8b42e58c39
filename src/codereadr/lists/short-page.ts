/** The test for an answer that lost its end on the way, or that the account cut, by the count that the answer states. */
import { AccountError } from '../types.js';

interface Page {
  readonly count: number | undefined;
  readonly length: number;
  readonly limit?: number;
  readonly offset?: number | undefined;
}

/** The reference does not say whether `count` is of this page or of all pages: a whole page passes in both cases. */
export function isShortPage({ count, length, limit = Number.POSITIVE_INFINITY, offset = 0 }: Page): boolean {
  return count !== undefined && length < Math.min(count - offset, limit);
}

/** @throws AccountError `account.broken`: an answer with fewer items than it counts says nothing about the others */
export function refuseShortPage(page: Page): void {
  if (isShortPage(page)) {
    throw new AccountError('account.broken', 'an answer has fewer items than it counts', { reason: 'cut_off' });
  }
}
