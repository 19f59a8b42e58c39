/** A person's recent lookups as rows: the barcode, what it was and when, and a button that looks it up again. Pure. */
import type { HeadlineKind } from '../../../lookup/index.js';
import { type Block, button, mrkdwn } from '../../block-kit/elements.js';
import { escaped, moment } from '../../block-kit/text.js';
import { encode, longest } from '../../bolt/metadata.js';
import { cardData } from '../card/card.js';
import { causeOf } from '../card/failure-line.js';
import { barcodeText } from '../card/several-card.js';
import type { RecentLookup } from '../recent-lookups.js';

/** What it was then; no sign, since it may have changed. */
const outcomes: Readonly<Record<HeadlineKind, string>> = {
  not_checked: 'Not checked',
  disagree: 'Valid in one database only',
  not_valid: 'Not valid',
  used: 'Already used',
  refused: 'Last scan refused',
  scanned: 'Valid, scanned before',
  no_admission: 'Valid',
  incomplete: 'Valid, history incomplete',
  not_confirmed: 'Valid, not confirmed',
  unknown: 'Unknown',
};

export function recentBlocks(recent: readonly RecentLookup[]): Block[] {
  return recent.map(({ kind, at, why, ...barcode }) => ({
    type: 'section',
    fields: [
      barcodeText(barcode.value),
      mrkdwn([outcomes[kind], ...(why ? [escaped(causeOf(why))] : []), moment(at)].join('\n')),
    ],
    accessory: button('Look up', 'lookup.recent', { value: encode(cardData, barcode, longest.button) }),
  }));
}
