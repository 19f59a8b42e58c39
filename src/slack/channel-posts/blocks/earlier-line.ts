/**
 * The repeat line of a scan: the number of the scan among those of its barcode, and when, where and by whom the barcode
 * was admitted. It is one line of rich text. Pure.
 */
import { ordinal } from '../../../english.js';
import type { Post, ReceivedScan } from '../../../relay/index.js';
import { type LinePart, momentAfter, textElement } from '../../block-kit/text.js';

const dayAndSeconds = '{date_short_pretty} {time_secs}';

/** Whether the post mentions earlier scans: for a scan that is not valid, and one posted because it is a repeat. */
export function showsRepeats(scan: ReceivedScan, { relay, rules }: Pick<Post, 'relay' | 'rules'>): boolean {
  const posted = new Set(rules.map(({ id }) => id));
  const byDuplicate = relay.settings.rules.some(
    ({ id, when }) => posted.has(id) && when.some((one) => one.kind === 'result' && one.is === 'duplicate'),
  );
  return !scan.valid || byDuplicate;
}

/** Which scan of its barcode it is: `3rd scan`; undefined for the first. */
export function tryText({ earlier }: Pick<ReceivedScan, 'earlier'>): string | undefined {
  if (!earlier || earlier.scans === 0) {
    return undefined;
  }
  const which = `${ordinal(earlier.scans + 1)} scan`;
  return earlier.atLeast ? `at least the ${which}` : which;
}

/** The repeat line. @param places where the admitted scan was made: its service, person and device */
export function earlierLine(scan: Pick<ReceivedScan, 'earlier'>, places: readonly string[]): LinePart[] {
  const tryWords = tryText(scan);
  const { accepted, lastAcceptedAt, never } = scan.earlier ?? {};
  const begin =
    tryWords === undefined ? undefined : textElement(`${tryWords.charAt(0).toUpperCase()}${tryWords.slice(1)}`);
  if (accepted) {
    return [
      ...(begin ? [begin, ' · '] : []),
      momentAfter(begin ? 'admitted ' : 'Admitted ', accepted.at, dayAndSeconds),
      ...places.map((place) => ` · ${place}`),
    ];
  }
  if (begin === undefined) {
    return [];
  }
  if (lastAcceptedAt !== undefined) {
    const last = momentAfter('last admitted ', lastAcceptedAt, dayAndSeconds);
    return [begin, ' · ', last, ' by a scan that is no longer stored'];
  }
  return [begin, ...(never ? [' · never admitted here'] : [])];
}
