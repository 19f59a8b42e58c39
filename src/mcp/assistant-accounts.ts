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
    client: { ...client, call: (operation, input, options) => client.call(operation, input, asAssistant(options)) },
    names: {
      ...names,
      services: (options) => names.services(asAssistant(options)),
      users: (options) => names.users(asAssistant(options)),
      devices: (options) => names.devices(asAssistant(options)),
      databases: (options) => names.databases(asAssistant(options)),
      questions: (options) => names.questions(asAssistant(options)),
      findNames: (kinds, options) => names.findNames(kinds, options && asAssistant(options)),
    },
  };
}

function asAssistant(options: CallOptions = {}): CallOptions {
  return options.priority === 'background' ? options : { ...options, priority: 'assistant' };
}
