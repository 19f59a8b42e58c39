/**
 * The status of a workspace's connection: who made it, the databases of lookups, calls left, relays. A part that is not
 * known is undefined; only `liveStatus` may cost calls.
 */
import { retrieveLimits } from '../../codereadr/operations/index.js';
import { AccountError, type CallsLeft, type Database, type KeyState } from '../../codereadr/types.js';
import type { MirrorView } from '../../mirror/index.js';
import type { Owner } from '../../ownership.js';
import type { RelayState } from '../../relay/relays/types.js';
import type { Connection } from '../../workspaces/types.js';
import type { SlackDeps } from '../bolt/routing/deps.js';

declare module '../bolt/routing/context.js' {
  interface ListenerDeps {
    /** Refreshes App Home and other views of the connection. Never throws. */
    connectionChanged(context: Pick<BaseContext, 'deps' | 'actor' | 'client' | 'reference'>): Promise<void>;
  }
}

export interface ConnectionStatus {
  /** The connection; undefined while no account is connected. */
  readonly connection: Connection | undefined;
  /** The chosen databases, in order, by name where known; undefined: every database. */
  readonly chosenDatabases: readonly { readonly id: string; readonly name?: string }[] | undefined;
  readonly databaseCount: number | undefined;
  readonly callsLeft: CallsLeft | undefined;
  /** Whether the account accepts the key; undefined without a recent call. */
  readonly key: KeyState | undefined;
  /** The account's error, where a part of the status is not known. */
  readonly problem: AccountError | undefined;
  readonly relays: ReturnType<typeof relayFigures>;
  /** The copy of the account; undefined where nothing is copied. */
  readonly copy?: CopiedAccount | undefined;
  readonly managers: { readonly users: readonly string[]; readonly groups: readonly string[] };
}

type Deps = Pick<SlackDeps, 'store' | 'accounts' | 'relays' | 'mirror'>;

/** The status from the database and the account's counters as last seen. Costs no call. */
export async function localStatus(deps: Deps, owner: Owner): Promise<ConnectionStatus> {
  const { workspaces } = deps.store;
  const [connection, apiKey, settings, relays, view] = await Promise.all([
    workspaces.connection(owner),
    workspaces.apiKey(owner),
    workspaces.settings(owner),
    deps.relays.list(owner),
    deps.mirror?.view(owner),
  ]);
  const account = apiKey === undefined ? undefined : deps.accounts.open(apiKey);
  const client = account?.client;
  const cached = settings.lookupDatabases && (await account?.names.cached('databases'));
  return {
    connection,
    chosenDatabases: settings.lookupDatabases?.map((id) => withName(id, cached)),
    databaseCount: undefined,
    callsLeft: client?.callsLeft(),
    key: client?.key(),
    problem:
      client?.key() === 'refused'
        ? new AccountError('account.key_refused', 'the account refused the key at the last call')
        : undefined,
    relays: relayFigures(relays),
    copy: view && copiedAccount(view),
    managers: settings.managers ?? { users: [], groups: [] },
  };
}

function relayFigures(relays: readonly RelayState[]) {
  return {
    total: relays.length,
    paused: relays.filter((state) => state.relay.paused).length,
    /** How many relays have a channel that takes no posts. */
    blocked: relays.filter((state) => state.blocked.length > 0).length,
    pending: relays.reduce((sum, state) => sum + state.pending, 0),
    notDelivered: relays.reduce((sum, state) => sum + state.dead, 0),
  };
}

/** The copied parts of the account. `at`: the time of the oldest part. `copying`: how far an incomplete copy is. */
function copiedAccount({ account, databases, copying }: MirrorView) {
  if (!account) {
    return undefined;
  }
  const times = [account.scansAt, ...databases.map(({ fetchedAt }) => fetchedAt)].flatMap((at) => at ?? []);
  return {
    values: databases.reduce((sum, { size }) => sum + size, 0),
    scans: account.scans,
    ...(times.length > 0 ? { at: Math.min(...times) } : {}),
    ...(copying === undefined ? {} : { copying }),
  };
}

export type CopiedAccount = NonNullable<ReturnType<typeof copiedAccount>>;

/**
 * The status with the names of databases (cached for minutes) and the account's own counters. Reading the counters
 * costs a call: it is made for `counters`, or where no call has shown that the key is accepted.
 */
export async function liveStatus(
  deps: Deps,
  owner: Owner,
  options: { readonly counters: boolean },
): Promise<ConnectionStatus> {
  const [localFacts, apiKey] = await Promise.all([localStatus(deps, owner), deps.store.workspaces.apiKey(owner)]);
  if (apiKey === undefined) {
    return localFacts;
  }
  const account = deps.accounts.open(apiKey);
  const [databaseList, limits] = await Promise.all([
    attempt(account.names.databases()),
    options.counters || localFacts.key !== 'accepted' ? attempt(account.client.call(retrieveLimits, {})) : undefined,
  ]);
  const databases = databaseList instanceof AccountError ? undefined : databaseList;
  return {
    ...localFacts,
    chosenDatabases: localFacts.chosenDatabases?.map(({ id }) => withName(id, databases)),
    databaseCount: databases?.length,
    callsLeft: account.client.callsLeft(),
    key: account.client.key(),
    problem: limits instanceof AccountError ? limits : databaseList instanceof AccountError ? databaseList : undefined,
  };
}

function withName(id: string, databases: readonly Database[] | undefined): { id: string; name?: string } {
  const name = databases?.find((database) => database.id === id)?.name;
  return name === undefined ? { id } : { id, name };
}

/** The account's error is part of the status; any other error is thrown. */
async function attempt<T>(call: Promise<T>): Promise<T | AccountError> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof AccountError) {
      return error;
    }
    throw error;
  }
}
