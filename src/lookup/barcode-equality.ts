/** When two spellings are the same barcode is the account's to say. */
export { isLostInAnswers, rowOf, sameBarcode, sameSpelling } from '../codereadr/barcode-equality.js';
