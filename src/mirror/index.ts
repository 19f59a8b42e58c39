/**
 * Public interface of the mirror: the account's values and scans as they are kept here, for validation and lookups, and
 * the background work that keeps them up to date.
 */
import type { Clock } from '../clock.js';
import type { Accounts } from '../codereadr/types.js';
import type { Log } from '../log.js';
import type { Metrics } from '../metrics.js';
import type { Owner } from '../ownership.js';
import type { Store } from '../workspaces/types.js';
import { createNoteChange } from './changed.js';
import type { RequiredDatabase } from './connections.js';
import { createExistingValues, type ExistingValues } from './existing.js';
import { createForgetting } from './forget.js';
import { defaultPageSize } from './passes/value-pass.js';
import { createMirrorReader, type MirrorReader } from './reader.js';
import { createResponseSearch, type ResponseSearch } from './response-search.js';
import { createAccountMirrors } from './tables/accounts.js';
import { createDatabaseMirrors, type DatabaseMirror } from './tables/databases.js';
import { createResponseSlices } from './tables/responses.js';
import { createMirroredScans } from './tables/scans.js';
import { defaultMirrorTimes, type MirrorTimes } from './times.js';
import { createValuePages, type ValuePages } from './value-pages.js';
import { createMirrorWorker } from './worker.js';

export type { MirrorAnswer } from './answer.js';
export type { RequiredDatabase } from './connections.js';
export type { CopyProgress } from './progress.js';
export type { MirrorView, ScansCopy } from './reader.js';
export { defaultScanDays, mirrorSettings, mostScanDays } from './settings.js';
export type { DatabaseMirror } from './tables/databases.js';
export { eraseMirrors } from './tables/erase.js';
export type { PagedValue } from './value-pages.js';

/** State of a database's mirror, as people see it. */
export interface MirrorState extends Pick<DatabaseMirror, 'databaseId' | 'name' | 'size' | 'fetchedAt' | 'lastCode'> {
  /** The progress of a pass under way: how many values it has met, of how many. */
  readonly progress?: { readonly read: number; readonly of?: number | undefined } | undefined;
  /** Whether the database takes `abc` and `ABC` for two values. */
  readonly caseSensitive?: boolean | undefined;
}

export interface MirrorDeps {
  readonly store: Store;
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** The id of this process, unique among all that ever run on this store. */
  readonly instanceId: string;
  /** The databases that relays validate with. */
  readonly required: () => Promise<readonly RequiredDatabase[]>;
  readonly times?: Partial<MirrorTimes>;
  /** How many values or scans one call asks for at first. */
  readonly pageSize?: number;
  /** The part of the account's calls that the mirror may use, from 0 to 1; 0: nothing is mirrored. */
  readonly share?: number;
}

const defaultShare = 0.3;

export function createMirror(deps: MirrorDeps) {
  const { store, clock } = deps;
  const mirrors = createAccountMirrors(store);
  const databases = createDatabaseMirrors(store);
  const scans = createMirroredScans(store);
  const mirrorDeps = { ...deps, mirrors, databases, scans };
  const worker = createMirrorWorker({
    ...mirrorDeps,
    worker: deps.instanceId,
    times: { ...defaultMirrorTimes, ...deps.times },
    pageSize: deps.pageSize ?? defaultPageSize,
    share: deps.share ?? defaultShare,
  });
  const share = deps.share ?? defaultShare;
  const reader = share === 0 ? emptyReader(createMirrorReader(mirrorDeps)) : createMirrorReader(mirrorDeps);
  const suggestions: ExistingValues & ResponseSearch & ValuePages =
    share === 0
      ? noSuggestions
      : {
          ...createExistingValues({ reader, databases, scans }),
          ...createResponseSearch({ reader, responses: createResponseSlices(store), clock }),
          ...createValuePages({ store, reader, databases }),
        };
  /** Reads a database again soon, after somebody changed it. */
  const refresh = async (owner: Owner, databaseId: string): Promise<void> => {
    await databases.makeDue(owner, databaseId, clock.now());
    worker.wake();
  };
  const unsettleDatabase = async (owner: Owner, databaseId: string): Promise<void> => {
    await databases.unsettle(owner, databaseId, clock.now());
    worker.wake();
  };
  return {
    ...worker,
    ...reader,
    ...createForgetting(mirrorDeps),
    ...suggestions,
    refresh,
    waitForWrites: mirrors.waitForWrites,
    /** Called after somebody changed the account through Scandesk. */
    noteChange: createNoteChange({ reader, mirrors, databases, scans, refresh, unsettle: unsettleDatabase }),

    /** The state of the mirrors of the owner's databases. */
    async states(owner: Owner): Promise<readonly MirrorState[]> {
      const records = await databases.of(owner);
      return records.map(({ databaseId, name, size, expected, read, caseSensitive, fetchedAt, lastCode }) => ({
        databaseId,
        name,
        size,
        fetchedAt,
        lastCode,
        caseSensitive: caseSensitive || undefined,
        progress: read > 0 ? { read, of: expected } : undefined,
      }));
    },

    /**
     * The state of the owner's mirrored scans; undefined where none are mirrored. `read`: how many the pass under way
     * has met. `at`: undefined while the first pass is under way.
     */
    async scansState(owner: Owner) {
      const mirror = await mirrors.of(owner);
      if (mirror?.scansSince === undefined) {
        return undefined;
      }
      const { scans: size, read, filled, scansAt, scansSince, lastCode } = mirror;
      return { size, read, at: filled ? scansAt : undefined, since: scansSince, lastCode };
    },
  };
}

export type Mirror = ReturnType<typeof createMirror>;

const noSuggestions: ExistingValues & ResponseSearch & ValuePages = {
  existing: async () => [],
  searchResponses: async () => ({ values: [], more: false }),
  valuePage: async () => undefined,
};

/** A reader that returns nothing: without passes, mirrored rows would grow older unnoticed. */
function emptyReader(reader: MirrorReader): MirrorReader {
  return {
    ...reader,
    values: async (mirrors) => mirrors.map(() => ({ kind: 'unsure' })),
    scansCopy: async () => undefined,
    changedSince: async () => true,
  };
}
