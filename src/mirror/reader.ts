/**
 * The mirror's knowledge, for validation and lookups. It makes no call. Where the mirror cannot be sure, it answers
 * `unsure`, and the account is asked.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.js';
import { isLostInAnswers } from '../codereadr/barcode-equality.js';
import type { DatabaseValue, RecordedScan } from '../codereadr/types.js';
import { type Owner, ownerKey } from '../ownership.js';
import { dated } from '../scans/account/account-scan-rows.js';
import type { Store } from '../workspaces/types.js';
import { answerFrom, type MirrorAnswer } from './answer.js';
import { mirrorKey } from './key.js';
import { createMirrorLoader } from './loader.js';
import { type CopyProgress, copyProgress } from './progress.js';
import { mirrorSettings } from './settings.js';
import type { AccountMirror, AccountMirrors } from './tables/accounts.js';
import type { DatabaseMirror, DatabaseMirrorStore } from './tables/databases.js';
import type { MirroredScans } from './tables/scans.js';

/** A complete copy of the account's scans. */
export interface ScansCopy {
  readonly connection: number;
  /** The number of the last complete pass; a scan that only earlier passes met may be deleted. */
  readonly round: number;
  /** The time as of which the scans are known. */
  readonly at: number;
  /** The start of the last full pass: scans deleted since then may still be among these. */
  readonly fullAt: number;
  /** The time from which scans are kept; those made earlier are not. */
  readonly since: number;
  /** How many days `since` lies back. */
  readonly days: number;
}

export interface MirrorView {
  readonly connected: boolean;
  /** The mirrors of this connection's databases. */
  readonly databases: readonly DatabaseMirror[];
  readonly account: AccountMirror | undefined;
  /** How many days back scans are kept. */
  readonly scanDays: number;
  /** The progress of the first copy, while it is not complete. */
  readonly copying: CopyProgress | undefined;
}

/** How old the cached view of an owner may be. */
const freshMs = 2_000;
const maxOwners = 1_000;
const dayMs = 24 * 60 * 60_000;

interface Cached {
  readonly at: number;
  readonly view: Promise<MirrorView>;
  last: MirrorView | undefined;
}

export function createMirrorReader(deps: {
  readonly store: Pick<Store, 'workspaces'>;
  readonly mirrors: AccountMirrors;
  readonly databases: DatabaseMirrorStore;
  readonly scans: MirroredScans;
  readonly clock: Clock;
}) {
  const { store, mirrors, databases, clock } = deps;
  const loader = createMirrorLoader(databases);
  const cached = new LRUCache<string, Cached>({ max: maxOwners });

  const readView = async (owner: Owner): Promise<MirrorView> => {
    const [records, account, connection, settings] = await Promise.all([
      databases.of(owner),
      mirrors.of(owner),
      store.workspaces.connection(owner),
      store.workspaces.settings(owner),
    ]);
    const connectedAt = connection?.connectedAt;
    // A mirror of another connection may be of another account: it does not count.
    const recordsOfConnection = records.filter(
      (record) => record.connectedAt !== undefined && record.connectedAt === connectedAt,
    );
    const accountMirror = account && account.connectedAt === connectedAt ? account : undefined;
    const { scanDays } = mirrorSettings(settings);
    const copies = records.filter((record) => record.connectedAt === undefined || record.connectedAt === connectedAt);
    return {
      connected: connection !== undefined,
      databases: recordsOfConnection,
      account: accountMirror,
      scanDays,
      copying: accountMirror && copyProgress(copies, accountMirror, scanDays),
    };
  };

  const answerOf = async (mirror: DatabaseMirror | undefined, value: string): Promise<MirrorAnswer> => {
    const stored = mirror && (await loader.load({ mirrorId: mirror.id, key: mirrorKey(value, mirror) }));
    return stored ? answerFrom(stored, mirror, value) : { kind: 'unsure' };
  };

  const recentView = (owner: Owner): Promise<MirrorView> => {
    const cachedMirror = cached.get(ownerKey(owner));
    const age = cachedMirror && clock.now() - cachedMirror.at;
    return cachedMirror && age !== undefined && age >= 0 && age < freshMs ? cachedMirror.view : view(owner);
  };

  const view = (owner: Owner): Promise<MirrorView> => {
    const key = ownerKey(owner);
    const now = clock.now();
    const cachedMirror = cached.get(key);
    const fresh: Cached = { at: now, view: readView(owner), last: cachedMirror?.last };
    fresh.view.then(
      (view) => {
        fresh.last = view;
      },
      () => cached.delete(key),
    );
    cached.set(key, fresh);
    return fresh.view;
  };

  return {
    view,
    /** A view that is at most two seconds old: for the intake, which needs one for each scan. */
    recentView,

    /** Whether somebody changed the value through Scandesk since the mirror was read. */
    changedSince: (mirror: DatabaseMirror, value: string): Promise<boolean> =>
      databases.isChanged(mirror.id, mirrorKey(value, mirror)),

    /** The last view that was read, however old, without waiting. */
    lastView: (owner: Owner): MirrorView | undefined => cached.get(ownerKey(owner))?.last,

    /** The answer of each mirror, in the order of `all`. One query serves all callers of the same turn. */
    async values(all: readonly (DatabaseMirror | undefined)[], value: string): Promise<readonly MirrorAnswer[]> {
      return isLostInAnswers(value)
        ? all.map(() => ({ kind: 'unsure' }))
        : await Promise.all(all.map((mirror) => answerOf(mirror, value)));
    },

    /** The copy of the account's scans; undefined where they are not kept, or not completely yet. */
    async scansCopy(owner: Owner): Promise<ScansCopy | undefined> {
      const { account: mirror, scanDays } = await view(owner);
      if (!mirror?.filled || mirror.scansAt === undefined || mirror.scansSince === undefined || scanDays === 0) {
        return undefined;
      }
      const { id: connection, round, scansAt: at, scansSince: since, fullAt = mirror.connectedAt } = mirror;
      return {
        connection,
        round,
        at,
        fullAt,
        since,
        days: Math.min(scanDays, Math.round((clock.now() - since) / dayMs)),
      };
    },

    /**
     * Stores what the account answered for a value. `answer` undefined: the database does not hold the value.
     * @param mirror the mirror from before the account was asked
     */
    async learnValue(
      mirror: DatabaseMirror,
      value: string,
      answer: (Omit<DatabaseValue, 'value'> & { value?: string }) | undefined,
    ): Promise<void> {
      if (isLostInAnswers(value)) {
        return;
      }
      const key = mirrorKey(value, mirror);
      await databases.learn(
        mirror,
        { key, value },
        answer && { key, value: answer.value ?? value, valid: answer.valid, response: answer.response },
      );
    },

    /**
     * Stores what the account answered for a barcode's scans.
     * @param mirror the mirror from before the account was asked
     * @param isComplete whether the account has no other scans
     */
    async learnScans(
      { account: mirror }: MirrorView,
      value: string,
      scans: readonly RecordedScan[],
      isComplete: boolean,
    ): Promise<void> {
      if (!mirror?.filled || mirror.scansSince === undefined || isLostInAnswers(value)) {
        return;
      }
      const scansSince = mirror.scansSince;
      const scansOfValue = scans.filter(({ id, value: spelled }) => id !== '' && spelled === value);
      const scansOfMirror = scansOfValue.map((scan) => dated(scan, clock.now())).filter(({ at }) => at >= scansSince);
      // Without the time of a change in the answer, a scan counts as the newest state there is.
      await deps.scans.put(
        mirror.id,
        mirror.round,
        scansOfMirror.map((each) => ({ ...each, modifiedAt: each.modifiedAt || mirror.cursorAt || 0 })),
        mirror.changes,
      );
      if (isComplete) {
        await deps.scans.markOthers(
          mirror.id,
          value,
          scansOfValue.map(({ id }) => id),
        );
      }
    },
  };
}

export type MirrorReader = ReturnType<typeof createMirrorReader>;
