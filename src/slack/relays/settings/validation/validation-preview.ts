/** The preview of changed validation settings: how many scans would have had another result, and which scans. Pure. */
import { plural } from '../../../../english.js';
import type { RelaySettings, ResultCode, ValidationPreview } from '../../../../relay/index.js';
import { resultWords } from '../../../../scans/result-words.js';
import type { Block } from '../../../block-kit/elements.js';
import { barcodeElement, bold, momentAfter, richText, textElement } from '../../../block-kit/text.js';
import { foundBlocks } from '../rules/preview-blocks.js';
import { describeNone, describeScans, type ScansRead } from '../rules/preview-span.js';

const mostLines = 10;

/** The preview as blocks. `settings`: as entered. */
export function validationPreviewBlocks(
  { scans, recorded, changed, unsure }: ValidationPreview,
  read: ScansRead,
  settings: Pick<RelaySettings, 'judging' | 'duplicates' | 'atMost'>,
): Block[] {
  if (scans === 0) {
    return [richText(describeNone(read))];
  }
  const notes = [
    ...(settings.judging.kind === 'database' ? ['Searches the copy of the databases, not the account.'] : []),
    ...(settings.duplicates || settings.atMost
      ? ['Repeat scans and limits are counted from the first of these scans.']
      : []),
  ];
  const lines = changed
    .slice(-mostLines)
    .map(({ scan, before, after }) => [
      barcodeElement(scan.tid),
      `: ${changeOf(before, after)}`,
      momentAfter(', ', scan.receivedAt, '{date_short_pretty} {time_secs}'),
    ]);
  return [
    ...foundBlocks(describeScans(read, scans, recorded), changed.length, 'would have had a different result', {
      more: changed.length === 0 ? '' : `, ${countsOf(changed)}`,
      lines: lines.reverse(),
      most: mostLines,
    }),
    ...(unsure > 0
      ? [
          richText(
            `${unsure.toLocaleString('en-US')} ${plural(unsure, 'scan')} can’t be previewed: the copy of the databases isn’t sure of ${plural(unsure, 'its barcode', 'their barcodes')}.`,
          ),
        ]
      : []),
    ...notes.map((note) => richText([textElement(note, { italic: true })])),
  ];
}

/** The offer of equal readings, where they would make scans valid: “14 of the last 100 scans would be valid …”. */
export function readingsOffer({ scans, recorded, byReading }: ValidationPreview, read: ScansRead): Block[] {
  return byReading === 0
    ? []
    : [
        richText([
          bold(
            `${byReading.toLocaleString('en-US')} of ${describeScans(read, scans, recorded)} would be valid by an equal reading`,
          ),
          ': a database has their article number, or the same barcode written in another way. To accept them, select ',
          bold('Accept a GS1 barcode by its equal reading'),
          ' above.',
        ]),
      ];
}

/** The changed results in words: `Valid → Not valid (8), Valid → Already used (3)`, the most frequent first. */
function countsOf(changed: ValidationPreview['changed']): string {
  const counts = new Map<string, number>();
  for (const { before, after } of changed) {
    const change = changeOf(before, after);
    counts.set(change, (counts.get(change) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([change, count]) => `${change} (${count.toLocaleString('en-US')})`)
    .join(', ');
}

function changeOf(before: ResultCode, after: ResultCode): string {
  return `${resultWords[before]} → ${resultWords[after]}`;
}
