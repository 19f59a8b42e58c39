/**
 * The spelling hint for a barcode that was not found: a missing zero or an extra space makes it another barcode. Pure;
 * plain text.
 */
import { losesCharacters, mayLackSeparators } from '../../../codereadr/barcode-equality.js';
import type { Lookup } from '../../../lookup/index.js';
import { visible } from '../../block-kit/text.js';

/** Nobody reads a longer example. */
const longestExample = 40;

/** Empty if a database has it, or if none could answer. */
export function exactnessHint({ value, findings }: Pick<Lookup, 'value' | 'findings'>): string[] {
  if (!findings.some(({ kind }) => kind === 'unknown') || findings.some(({ kind }) => kind === 'known')) {
    return [];
  }
  const atEnds = value.trim() !== value;
  const zeros = /\p{Nd}/u.test(value) ? 'Leading zeros count, and so do spaces' : 'Spaces count';
  const example = visible(value);
  const quotes =
    atEnds || example.length > longestExample || /["“”„‟＂]/.test(value)
      ? 'put those in quotes'
      : `put those in quotes, as in /barcode " ${example} "`;
  const end = atEnds ? ', at the ends as well' : `: ${quotes}`;
  const none = findings.some(({ kind }) => kind === 'failed') ? 'None that answered' : 'Nothing';
  return [`${none} has exactly this spelling. ${zeros}${end}.`];
}

/** The account's responses leave out control characters, so they cannot show a separator. */
export function separatorHint({ value, findings, history }: Lookup): string[] {
  const isKnown =
    findings.some(({ kind }) => kind === 'known') || history.scans.some(({ source }) => source === 'account');
  return [
    ...(value.includes('\u001d') ? ['␝ is the separator of GS1 barcodes. To search for it, type \\x1d.'] : []),
    ...(isKnown && losesCharacters(value)
      ? [
          'The account’s answers leave out control characters such as ␝: what it told may be of the same barcode without them.',
        ]
      : []),
    ...(!isKnown && mayLackSeparators(value)
      ? ['If this GS1 barcode has separators, type each as \\x1d: the account’s lists leave them out.']
      : []),
  ];
}
