/** A person's recent lookups as rows: barcode, result, its age, and a button that looks the barcode up again. Pure. */
import type { Failure, HeadlineKind } from '../../../lookup/index.js';
import { resultWords } from '../../../scans/result-words.js';
import { type Block, button, mrkdwn } from '../../block-kit/elements.js';
import { bold, escaped, mrkdwnMomentAfter, richText } from '../../block-kit/text.js';
import { encode, longest } from '../../bolt/metadata.js';
import { cardData } from '../card/card.js';
import { sameFailure, shortCauseOf } from '../card/failure-line.js';
import type { RecentLookup } from '../recent-lookups.js';
import { barcodeText } from '../several/several-card.js';

/** The result with its time, in words; no icon, since the result may have changed. */
const outcomes: Readonly<Record<HeadlineKind, string>> = {
  not_checked: resultWords.not_validated,
  disagree: `${resultWords.valid} in one database only`,
  not_valid: resultWords.invalid,
  used: resultWords.used,
  refused: `${resultWords.valid}, last scan not valid`,
  scanned: `${resultWords.valid}, scanned before`,
  no_admission: resultWords.valid,
  elsewhere: `${resultWords.valid}, scanned elsewhere`,
  incomplete: `${resultWords.valid}, history incomplete`,
  not_confirmed: `${resultWords.valid}, not confirmed`,
  unknown: resultWords.unknown,
};

/** The rows below their heading, which says what they cannot know. A reason is in the first row that has it, and short. */
export function recentBlocks(recent: readonly RecentLookup[]): Block[] {
  return recent.length > 0
    ? [richText([bold('Recent lookups'), ', with the results of then']), ...recentRows(recent)]
    : [];
}

function recentRows(recent: readonly RecentLookup[]): Block[] {
  const isFirst = (why: Failure, row: number) =>
    recent.findIndex((other) => other.why && sameFailure(other.why, why)) === row;
  return recent.map(({ kind, at, why, asOf, doubt = '', ...barcode }, row) => ({
    type: 'section',
    fields: [
      barcodeText(barcode.value),
      mrkdwn(
        [
          `${outcomes[kind]}${mrkdwnMomentAfter(', as of ', asOf ?? at)}${doubt}`,
          ...(why && isFirst(why, row) ? [escaped(shortCauseOf(why))] : []),
        ].join('\n'),
      ),
    ],
    accessory: button('Look up', 'lookup.recent', { value: encode(cardData, barcode, longest.button) }),
  }));
}
