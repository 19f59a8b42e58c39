/**
 * Owns the word on spelling for whoever asked about a barcode that nothing has: a zero too few, or a space, is another
 * barcode. Pure; plain text.
 */
import { losesCharacters, mayLackSeparators } from '../../../codereadr/barcode-equality.js';
import type { Lookup } from '../../../lookup/index.js';
import { visible } from '../../block-kit/text.js';

/** An example that is longer than this is read by nobody. */
const longestExample = 40;

/** Nothing where something has it, or nobody could say. */
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

/** What the account's answers cannot say, because they leave control characters out. */
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
