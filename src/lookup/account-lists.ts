/** The account's lists of databases and of services, each with its age. They are cached for everybody. */
import type { Clock } from '../clock.js';
import { type Attempt, attempt } from '../codereadr/attempt.js';
import type { Account, CallOptions, Database, Service } from '../codereadr/types.js';

export interface ListPart<Item> {
  readonly list: Attempt<readonly Item[]>;
  /** The time as of which the account answered. */
  readonly at: number;
  /** Whether the account was asked by this lookup. */
  readonly asked: boolean;
}

export interface AccountList<Item> {
  /** The last known list, whatever its age; where none is known, the account is asked. */
  last(): Promise<ListPart<Item>>;
  /** The list, by the account where the last one is not fresh; the last one where the account gives none in time. */
  anew(freshMs?: number): Promise<ListPart<Item>>;
}

/** The age up to which a list needs no call. */
export const freshListMs = 60_000;

/** @param waitMs how long an old list waits for the account's answer */
export function createLists(account: Account, clock: Clock, options: CallOptions, waitMs: number) {
  const listOf = <Item>(read: (options: CallOptions) => Promise<readonly Item[]>): AccountList<Item> => {
    const readList = async (freshMs: number, asked: boolean): Promise<ListPart<Item>> => {
      let at = clock.now();
      const answeredAsOf = (asOf: number) => {
        at = asOf;
      };
      const list = await attempt(read({ ...options, list: { freshMs, waitMs }, answeredAsOf }), options.signal);
      return { list, at, asked };
    };
    let last: Promise<ListPart<Item>> | undefined;
    const readLast = () => (last ??= readList(Number.POSITIVE_INFINITY, false));
    return {
      last: readLast,
      async anew(freshMs = freshListMs) {
        const part = await readList(freshMs, true);
        return part.list.ok ? part : { ...(await readLast()), asked: true };
      },
    };
  };
  return {
    databases: listOf<Database>((each) => account.names.databases(each)),
    services: listOf<Service>((each) => account.names.services(each)),
    /** Whether services are known without a call. */
    areServicesKnown: async () => (await account.names.cached('services')) !== undefined,
  };
}

export type AccountLists = ReturnType<typeof createLists>;
