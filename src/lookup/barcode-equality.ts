/** The account's definition of equal barcodes, re-exported for lookups. */
export { isLostInAnswers, rowOf, sameBarcode, sameSpelling } from '../codereadr/barcode-equality.js';
