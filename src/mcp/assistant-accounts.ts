/** The accounts for an assistant that acts for a person: its calls come after people's own, before background work. */
import type { Account, Accounts, CallOptions } from '../codereadr/index.js';

export function forAssistants(accounts: Accounts): Accounts {
  // Caches of an account are keyed by the account object.
  const opened = new WeakMap<Account, Account>();
  return {
    ...accounts,
    open(apiKey) {
      const account = accounts.open(apiKey);
      const known = opened.get(account) ?? withLaterCalls(account);
      opened.set(account, known);
      return known;
    },
  };
}

function withLaterCalls({ client, names }: Account): Account {
  return {
    client: { ...client, call: (operation, input, options) => client.call(operation, input, withoutWaiting(options)) },
    names: {
      ...names,
      services: (options) => names.services(withoutWaiting(options)),
      users: (options) => names.users(withoutWaiting(options)),
      devices: (options) => names.devices(withoutWaiting(options)),
      databases: (options) => names.databases(withoutWaiting(options)),
      questions: (options) => names.questions(withoutWaiting(options)),
      findNames: (kinds, options) => names.findNames(kinds, options && withoutWaiting(options)),
    },
  };
}

function withoutWaiting(options: CallOptions = {}): CallOptions {
  return options.priority === 'background' ? options : { ...options, priority: 'assistant' };
}
