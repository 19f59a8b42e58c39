/**
 * Look-up of a scanned value in the account's databases: first in the mirrors, then live as far as the settings allow.
 * A value that cannot be checked is reported as unknown, with the reason.
 */

import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../clock.js';
import { fold, isLostInAnswers } from '../../../codereadr/barcode-equality.js';
import type { Account, Accounts } from '../../../codereadr/types.js';
import { codeOf } from '../../../errors.js';
import type { Log } from '../../../log.js';
import type { Metrics } from '../../../metrics.js';
import { type Owner, ownerKey } from '../../../ownership.js';
import { withTimeout } from '../../../timeout.js';
import type { Store } from '../../../workspaces/types.js';
import type { ValidationSettings } from '../../relays/settings.js';
import type { KnownValue } from '../result.js';
import { type DatabaseResult, firstMatch, type Match, type MirrorAnswer } from './first-match.js';
import { createLiveLookup, type LiveAnswer } from './live.js';
import { mirrorKey } from './mirror-key.js';
import { createMirrorLoader, type MirrorLoader } from './mirror-loader.js';
import type { MirrorRecord, MirrorStore } from './mirror-table.js';
import type { MirroredValue } from './mirror-values.js';

export type DatabaseValidation = Extract<ValidationSettings, { kind: 'database' }>;

export interface DatabaseLookup {
  /**
   * Answers within the time of the settings. Never rejects.
   * @param since when the scan came, from which the time counts; defaults to now
   */
  ask(owner: Owner, judging: DatabaseValidation, value: string, since?: number): Promise<LookedUpValue>;
}

export interface LookedUpValue {
  readonly known: KnownValue;
  /** The value's counting key, if it is not its own spelling. */
  readonly sameAs?: string;
}

export interface DatabaseLookupDeps {
  readonly store: Pick<Store, 'workspaces'>;
  readonly copies: MirrorStore;
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** How old the cached mirrors and connection of an owner may be. */
const freshMs = 2_000;
const maxOwners = 1_000;
/** Time reserved for the commit: at most this much, and a tenth of a short budget. */
const commitMs = 250;
/** A look-up in the mirrors that takes longer is skipped. */
const copiesMs = 1_000;

interface Databases {
  /** In the settings' order; undefined: no mirror of this connection. */
  readonly copies: readonly (MirrorRecord | undefined)[];
  readonly connected: boolean;
}

export function createDatabaseLookup(deps: DatabaseLookupDeps): DatabaseLookup {
  const { store, copies, clock, log, metrics } = deps;
  const loader = createMirrorLoader(copies);
  const live = createLiveLookup({ clock, log });
  const cached = new LRUCache<string, CachedDatabases>({ max: maxOwners });

  const readDatabases = async (owner: Owner): Promise<OwnersDatabases> => {
    const [records, connection] = await Promise.all([copies.of(owner), store.workspaces.connection(owner)]);
    return { records, connectedAt: connection?.connectedAt };
  };

  const databasesOf = async (owner: Owner, databaseIds: readonly string[]): Promise<Databases> => {
    const key = ownerKey(owner);
    const now = clock.now();
    let entry = cached.get(key);
    if (!entry || now - entry.at >= freshMs || now < entry.at) {
      const fresh: CachedDatabases = { at: now, databases: readDatabases(owner), last: entry?.last };
      fresh.databases.then(
        (databases) => {
          fresh.last = databases;
        },
        () => cached.delete(key),
      );
      cached.set(key, fresh);
      entry = fresh;
    }
    return selectDatabases(await entry.databases, databaseIds);
  };

  /** Stores a live answer in the mirror, in the background. */
  const remember = (value: string, copy: MirrorRecord | undefined, answer: LiveAnswer): void => {
    if (!copy || answer.kind === 'unknown' || isLostInAnswers(value)) {
      return;
    }
    const key = mirrorKey(value, copy);
    const learned =
      answer.kind === 'found' ? { key, valid: answer.value.valid, response: answer.value.response } : undefined;
    copies.learn(copy, key, learned).catch((error: unknown) => {
      log.warn({ err: error, code: codeOf(error) }, 'a database copy could not be updated with a live answer');
    });
  };

  /** Asks a database live, as far as time and settings allow. */
  const liveSearch = (
    owner: Owner,
    judging: DatabaseValidation,
    value: string,
    databases: Databases,
    until: number,
  ) => {
    let account: Promise<Account | undefined> | undefined;
    return async (at: number): Promise<DatabaseResult> => {
      if (judging.liveShare === 0 || judging.budgetMs === 0) {
        return { kind: 'unknown', why: 'copy_only' };
      }
      if (until <= clock.now()) {
        return { kind: 'unknown', why: 'slow' };
      }
      account ??= openAccount(deps, owner);
      const opened = await account;
      if (!opened) {
        return { kind: 'unknown', why: 'no_account' };
      }
      const copy = databases.copies[at];
      const databaseId = judging.databaseIds[at] ?? '';
      const question = { account: opened, databaseId, value, caseSensitive: copy?.caseSensitive };
      const answer = await live.ask(question, judging.liveShare, Math.max(0, until - clock.now()));
      remember(value, copy, answer);
      return answer.kind === 'found' ? { ...answer.value, kind: 'found' } : answer;
    };
  };

  const ask = async (
    owner: Owner,
    judging: DatabaseValidation,
    value: string,
    until: number,
  ): Promise<LookedUpValue> => {
    const databases = await databasesOf(owner, judging.databaseIds);
    if (!databases.connected) {
      return unknownValue('no_account', value, databases);
    }
    const searchLive = liveSearch(owner, judging, value, databases, until);
    let from: 'copy' | 'account' | 'nobody' = 'copy';
    const decided = await firstMatch(await searchMirrors(loader, databases, value), (at) => {
      from = 'account';
      return searchLive(at);
    });
    if (decided?.answer.kind === 'unknown') {
      from = 'nobody';
    }
    metrics.databaseAnswers.inc({ from });
    return toResult(decided, judging, value, databases);
  };

  return {
    async ask(owner, judging, value, since = clock.now()) {
      const now = clock.now();
      // A clock set back gives no extra time, and one set forward takes no more than there was.
      const spent = Math.min(Math.max(0, now - since), judging.budgetMs);
      const left = Math.max(0, judging.budgetMs - spent - Math.min(commitMs, judging.budgetMs / 10));
      const withinMs = Math.max(left, copiesMs);
      const last = selectDatabases(cached.get(ownerKey(owner))?.last, judging.databaseIds);
      const answer = ask(owner, judging, value, now + left).catch((error: unknown): LookedUpValue => {
        log.error({ err: error, code: codeOf(error) }, 'databases could not be searched for a scan');
        return unknownValue('failed', value, last);
      });
      return await withTimeout(clock, withinMs, () => answer, unknownValue('slow', value, last));
    },
  };
}

interface OwnersDatabases {
  readonly records: readonly MirrorRecord[];
  readonly connectedAt: number | undefined;
}

interface CachedDatabases {
  readonly at: number;
  readonly databases: Promise<OwnersDatabases>;
  /** The last state that was read. */
  last: OwnersDatabases | undefined;
}

/** A mirror of another connection may be of another account: it does not count. */
function selectDatabases(databases: OwnersDatabases | undefined, databaseIds: readonly string[]): Databases {
  const { records = [], connectedAt } = databases ?? {};
  return {
    connected: connectedAt !== undefined,
    copies: databaseIds.map((id) => {
      const copy = records.find((record) => record.databaseId === id);
      return copy && copy.connectedAt === connectedAt ? copy : undefined;
    }),
  };
}

async function openAccount(
  { store, accounts }: Pick<DatabaseLookupDeps, 'store' | 'accounts'>,
  owner: Owner,
): Promise<Account | undefined> {
  const apiKey = await store.workspaces.apiKey(owner);
  return apiKey === undefined ? undefined : accounts.open(apiKey);
}

/** What each mirror says, in the settings' order. A mirror that was never complete may lack any value. */
async function searchMirrors(
  loader: MirrorLoader,
  { copies }: Databases,
  value: string,
): Promise<readonly MirrorAnswer[]> {
  if (isLostInAnswers(value)) {
    return copies.map(() => ({ kind: 'unsure' }));
  }
  return await Promise.all(
    copies.map(async (copy): Promise<MirrorAnswer> => {
      const found = copy && (await loader.load({ mirrorId: copy.id, key: mirrorKey(value, copy) }));
      if (found) {
        return { kind: 'found', valid: found.valid, response: found.response };
      }
      return { kind: copy?.fetchedAt === undefined ? 'unsure' : 'absent' };
    }),
  );
}

function toResult(
  decided: Match | undefined,
  { databaseIds }: DatabaseValidation,
  value: string,
  databases: Databases,
): LookedUpValue {
  if (decided === undefined) {
    return { known: { kind: 'absent' }, ...countingKey(value, databases) };
  }
  const { answer: said, at } = decided;
  return said.kind === 'unknown'
    ? unknownValue(said.why, value, databases)
    : knownValue(said, databaseIds[at] ?? '', databases.copies[at], value);
}

function knownValue(
  { valid, response }: Pick<MirroredValue, 'valid' | 'response'>,
  databaseId: string,
  copy: MirrorRecord | undefined,
  value: string,
): LookedUpValue {
  return {
    known: { kind: 'known', valid, response, database: copy?.name ?? databaseId },
    ...(copy?.caseSensitive ? {} : { sameAs: fold(value) }),
  };
}

function unknownValue(
  why: Extract<KnownValue, { kind: 'unknown' }>['why'],
  value: string,
  databases: Databases,
): LookedUpValue {
  return { known: { kind: 'unknown', why }, ...countingKey(value, databases) };
}

/** Not found anywhere: spellings in another case count as one value if every database ignores case. */
function countingKey(value: string, { copies }: Databases): { sameAs?: string } {
  return copies.some((copy) => copy?.caseSensitive) ? {} : { sameAs: fold(value) };
}
