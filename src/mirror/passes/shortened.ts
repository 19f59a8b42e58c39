/** The test for a page that lost its end on the way, by the count that the answer states. */
import { MirrorError } from '../errors.js';

/**
 * The reference does not say whether `count` is of this page or of all pages: a whole page passes in both cases.
 * @throws MirrorError `relay.database_unsteady`
 */
export function refuseShortened(count: number | undefined, length: number, limit: number, offset = 0): void {
  if (count !== undefined && length < Math.min(count - offset, limit)) {
    throw new MirrorError('relay.database_unsteady', 'a page has fewer items than it counts');
  }
}
