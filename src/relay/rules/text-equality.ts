/** Case-insensitive text comparison, as the account's databases do it. */
export { fold } from '../../codereadr/barcode-equality.js';
