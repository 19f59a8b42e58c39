/** The accounts as an assistant calls them for a person: after what people ask themselves, before background work. */
import type { Account, Accounts, CallOptions } from '../codereadr/index.js';

export function forAssistants(accounts: Accounts): Accounts {
  // What is cached of an account goes by the object.
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
    client: { ...client, call: (operation, input, options) => client.call(operation, input, later(options)) },
    names: {
      ...names,
      services: (options) => names.services(later(options)),
      users: (options) => names.users(later(options)),
      devices: (options) => names.devices(later(options)),
      databases: (options) => names.databases(later(options)),
      questions: (options) => names.questions(later(options)),
      findNames: (kinds, options) => names.findNames(kinds, options && later(options)),
    },
  };
}

function later(options: CallOptions = {}): CallOptions {
  return options.priority === 'background' ? options : { ...options, priority: 'assistant' };
}
