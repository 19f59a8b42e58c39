/** Owns comparing texts without regard to case, as the account's databases do. */
export { fold } from '../../codereadr/barcode-equality.js';
