/** Lookups of a workspace: with its API key, in the databases chosen for it, with the names of linked members. */
import { createLookups, type Lookup, type ReadingRequest, type ScanPage } from '../../lookup/index.js';
import type { Owner } from '../../ownership.js';
import type { SlackDeps } from '../bolt/routing/deps.js';
import { accountOf, connectedSince } from '../connection/account.js';
import { withMembers } from '../connection/linked-members.js';

declare module '../bolt/routing/context.js' {
  interface ListenerDeps {
    readonly lookups: WorkspaceLookups;
  }
}

export interface PendingLookup {
  readonly answer: Promise<Lookup>;
  /** The number of chosen databases; undefined: all of the account's. */
  readonly databases: number | undefined;
  /** When the account that answers was connected. */
  readonly connectedAt: number | undefined;
}

export type ReadOptions = Pick<ReadingRequest, 'live' | 'several' | 'maxWaitMs' | 'who' | 'symbology'>;

type ScansRequest = Pick<Parameters<ReturnType<typeof createLookups>['moreScans']>[0], 'spellings' | 'notBefore'>;

export function createWorkspaceLookups(
  deps: Pick<SlackDeps, 'config' | 'clock' | 'log' | 'store' | 'accounts' | 'scans' | 'relays' | 'mirror'>,
) {
  const lookups = createLookups({ ...deps, greenMs: deps.config.GREEN_MINUTES * 60_000 });

  return {
    /** Begins a lookup. @throws SlackError `slack.not_connected`; the answer may reject with an AccountError. */
    async read(owner: Owner, value: string, options: ReadOptions = {}): Promise<PendingLookup> {
      const connectedAt = await connectedSince(deps, owner);
      const [account, settings] = await Promise.all([accountOf(deps, owner), deps.store.workspaces.settings(owner)]);
      const databaseIds = settings.lookupDatabases;
      const lookUp = async (): Promise<Lookup> => {
        const found = await lookups.lookup({ owner, account, value, databaseIds, ...options });
        const scans = await withMembers(deps, owner, found.history.scans);
        return { ...found, history: { ...found.history, scans } };
      };
      return { answer: lookUp(), databases: databaseIds?.length, connectedAt };
    },

    /** Adds suggestions to an unknown barcode's lookup. Never rejects. */
    async suggest(owner: Owner, lookup: Lookup): Promise<Lookup> {
      try {
        return await lookups.suggest(owner, lookup);
      } catch (error) {
        // A lookup without suggestions is an answer all the same.
        deps.log.warn({ err: error }, 'nothing could be suggested for an unknown barcode');
        return lookup;
      }
    },

    /** A page of a barcode's scans. @throws SlackError `slack.not_connected`, AccountError */
    async moreScans(owner: Owner, value: string, page: number, request: ScansRequest): Promise<ScanPage> {
      const account = await accountOf(deps, owner);
      const found = await lookups.moreScans({ owner, account, value, page, ...request });
      return { ...found, scans: await withMembers(deps, owner, found.scans) };
    },
  };
}

export type WorkspaceLookups = ReturnType<typeof createWorkspaceLookups>;
