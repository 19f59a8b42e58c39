/** The key by which scans of a barcode are found, whatever its case, and whether or not control characters were lost. */
import { asAnswered, fold } from '../codereadr/barcode-equality.js';
import { indexKey } from '../database/index-key.js';

/** Barcodes with one key may differ: compare the spelling of each scan. */
export function scanKey(barcode: string): string {
  return indexKey(fold(asAnswered(barcode)));
}
