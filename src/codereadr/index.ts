/** The face of the account room: open an account by its key, ask it what the catalogue declares. */
export { type AccountsDeps, createAccounts } from './accounts.js';
export { blamedVariable, type CodeMeaning, codes, meaningOf } from './errors.js';
export { defaultTimeouts, type Timeouts } from './transport.js';
export * from './types.js';
