/**
 * The hints about a barcode's characters: an extra space, a wrong digit or a missing separator makes another barcode,
 * and the account does not show control characters. Pure; plain text.
 */
import { losesCharacters } from '../../../codereadr/barcode-equality.js';
import { hasWrongCheckDigit, type Lookup, mayNeedSeparators } from '../../../lookup/index.js';
import { parseBarcodes } from '../parse-barcodes.js';
import { mostBarcodes } from '../resolve-barcodes.js';
import { explainsSeparators } from './gs1-blocks.js';

/** The hint about spaces, only for a barcode with spaces that no database has, or that may be several unchecked ones. */
export function exactnessHint({ value, findings }: Pick<Lookup, 'value' | 'findings'>): string[] {
  const count = value.trim() === '' ? 0 : parseBarcodes(value).parts.length;
  // A text is split only where no database has it as one barcode, which a database that was not searched cannot say.
  if (count > 1 && findings.some(({ kind }) => kind === 'failed') && !findings.some(({ kind }) => kind === 'known')) {
    return [`If these are ${count} barcodes, look them up again with each on a line of its own.`];
  }
  if (!isMissing(findings) || !/\s/.test(value)) {
    return [];
  }
  return [
    'Spaces count, also at the start and the end.',
    ...(count > mostBarcodes
      ? [`If these are ${count} barcodes: Scandesk looks up to ${mostBarcodes} up at once.`]
      : []),
  ];
}

function isMissing(findings: Lookup['findings']): boolean {
  return findings.some(({ kind }) => kind === 'unknown') && !findings.some(({ kind }) => kind === 'known');
}

/** The hint about a check digit, only for a barcode that was not found: an account's own numbers need none. */
export function checkDigitHint({ value, findings }: Pick<Lookup, 'value' | 'findings'>): string[] {
  return isMissing(findings) && hasWrongCheckDigit(value)
    ? ['If this is an EAN, UPC or GTIN, a digit is wrong: its check digit doesn’t match.']
    : [];
}

/** The hints about separators, which the account's responses leave out, as they do other control characters. */
export function separatorHint(lookup: Lookup): string[] {
  const { value, findings, history } = lookup;
  const isKnown =
    findings.some(({ kind }) => kind === 'known') || history.scans.some(({ source }) => source === 'account');
  return [
    ...(value.includes('\u001d') ? ['␝ is the GS1 separator. To search for it, type \\x1d.'] : []),
    ...(isKnown && losesCharacters(value)
      ? [
          'The account’s responses leave out control characters such as ␝, so this result may be for the same barcode without them.',
        ]
      : []),
    ...(!isKnown && mayNeedSeparators(value) && !explainsSeparators(lookup)
      ? ['If this GS1 barcode contains separators, type each one as \\x1d. The account’s lists leave them out.']
      : []),
  ];
}
