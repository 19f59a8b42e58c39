/** The account's public interface: open an account by its key, call the declared operations. */
export { type AccountsDeps, createAccounts } from './accounts.js';
export { type CodeMeaning, codes, meaningOf, paramAtFault as blamedVariable } from './errors.js';
export { defaultTimeouts, type Timeouts } from './transport.js';
export * from './types.js';
