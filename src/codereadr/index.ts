/** The account's public interface: open an account by its key, call the declared operations (docs/account-api.md). */
export { type AccountsDeps, createAccounts } from './accounts.js';
export * from './types.js';
