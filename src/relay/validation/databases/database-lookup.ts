/**
 * Lookup of a scanned value in the account's databases: first in the mirrors, then live as far as the settings allow. A
 * value that cannot be checked is reported as unknown, with the reason.
 */
import { asAnswered, isLostInAnswers } from '../../../codereadr/barcode-equality.js';
import type { Account, Accounts, DatabaseValue } from '../../../codereadr/types.js';
import { codeOf } from '../../../errors.js';
import { equalReadings } from '../../../gs1/readings.js';
import type { DatabaseMirror, Mirror, MirrorView } from '../../../mirror/index.js';
import type { Owner } from '../../../ownership.js';
import type { ProcessDeps } from '../../../process.js';
import { withTimeout } from '../../../timeout.js';
import type { Store } from '../../../workspaces/types.js';
import type { ValidationSettings } from '../../record/settings.js';
import type { KnownValue } from '../result.js';
import { type DatabaseResult, firstMatch, type Match, type MirrorResult } from './first-match.js';
import { createLiveLookup } from './live.js';

export type DatabaseValidation = Extract<ValidationSettings, { kind: 'database' }>;

export interface DatabaseLookup {
  /**
   * Looks a value up within the time of the settings, or a second if that is longer. Never rejects.
   * @param since when the scan came, from which the time counts; defaults to now
   */
  ask(owner: Owner, judging: DatabaseValidation, value: string, since?: number): Promise<LookedUpValue>;
  /** The answer of the mirrors alone, without a call: a value that complete mirrors lack counts as in no database. */
  askMirrors(owner: Owner, judging: DatabaseValidation, value: string): Promise<LookedUpValue>;
}

export interface LookedUpValue {
  readonly known: KnownValue;
  /** The value's counting key, if that is not the value itself. */
  readonly sameAs?: string;
}

export interface DatabaseLookupDeps extends Pick<ProcessDeps, 'clock' | 'log' | 'metrics'> {
  readonly store: Pick<Store, 'workspaces'>;
  readonly mirror: Pick<Mirror, 'recentView' | 'lastView' | 'values' | 'learnValue'>;
  readonly accounts: Accounts;
}

/** The most time reserved for the commit; of a short budget, a tenth. */
const commitMs = 250;
/** The least time for a lookup, so that the mirrors can answer even where the settings leave none. */
const copiesMs = 1_000;

interface Databases {
  /** The mirrors in the settings' order; undefined: this connection has no mirror of the database. */
  readonly mirrors: readonly (DatabaseMirror | undefined)[];
  readonly connected: boolean;
}

export function createDatabaseLookup(deps: DatabaseLookupDeps): DatabaseLookup {
  const { mirror, clock, log, metrics } = deps;
  const lookUpLive = createLiveLookup({ clock, log });

  /** Stores a live answer in the mirror, in the background. */
  const remember = (value: string, copy: DatabaseMirror | undefined, answer: DatabaseResult): void => {
    if (copy && answer.kind !== 'unknown') {
      mirror.learnValue(copy, value, answer.kind === 'found' ? answer : undefined).catch((error: unknown) => {
        log.warn({ err: error, code: codeOf(error) }, 'the mirror could not be updated with a live answer');
      });
    }
  };

  /** Asks a database live, as far as time and settings allow. */
  const liveSearch = (
    owner: Owner,
    judging: DatabaseValidation,
    value: string,
    databases: Databases,
    deadline: number,
  ) => {
    let account: Promise<Account | undefined> | undefined;
    return async (index: number): Promise<DatabaseResult> => {
      if (judging.liveShare === 0 || judging.budgetMs === 0) {
        return { kind: 'unknown', why: 'copy_only' };
      }
      if (deadline <= clock.now()) {
        return { kind: 'unknown', why: 'slow' };
      }
      account ??= openAccount(deps, owner);
      const current = await account;
      if (!current) {
        return { kind: 'unknown', why: 'no_account' };
      }
      const copy = databases.mirrors[index];
      const databaseId = judging.databaseIds[index] ?? '';
      const question = {
        account: current,
        databaseId,
        value,
        caseSensitive: copy?.caseSensitive,
        changes: copy?.changes,
      };
      const answer = await lookUpLive(question, judging.liveShare, Math.max(0, deadline - clock.now()));
      remember(value, copy, answer);
      return answer;
    };
  };

  /**
   * The match of the value's text, which comes first; where the relay reads barcodes, else that of an equal reading in
   * the copies, about which the account is never asked: a copy that lacks the text decides by it, too.
   */
  const decide = async (
    { readings }: DatabaseValidation,
    value: string,
    { mirrors }: Databases,
    ask: (at: number, byMirror: MirrorResult) => Promise<DatabaseResult>,
  ): Promise<Match | undefined> => {
    const equal = readings ? equalReadings(value).filter((each) => !isLostInAnswers(each.value)) : [];
    const byText = await mirror.values(mirrors, value);
    if (equal.length === 0) {
      return await firstMatch(byText, ask);
    }
    const read = await Promise.all(equal.map((reading) => mirror.values(mirrors, reading.value)));
    const matches = await Promise.all(read.map((answers) => firstMatch(answers, copyAlone)));
    const found = matches.find((match) => match !== undefined);
    const byReading = found && { ...found, isReading: true };
    // A text with control characters is in no copy; a copy lacks it for sure where nothing in it reads like the text.
    const alike = isLostInAnswers(value) ? await mirror.values(mirrors, asAnswered(value)) : byText;
    const isAbsent = alike.every(({ kind }) => kind === 'absent');
    return isAbsent && byReading?.answer.kind === 'found' ? byReading : ((await firstMatch(byText, ask)) ?? byReading);
  };

  const askAccount = async (
    owner: Owner,
    judging: DatabaseValidation,
    value: string,
    deadline: number,
  ): Promise<LookedUpValue> => {
    const databases = selectDatabases(await mirror.recentView(owner), judging.databaseIds);
    if (!databases.connected) {
      return unknownValue('no_account', value, databases);
    }
    const searchLive = liveSearch(owner, judging, value, databases, deadline);
    let from: 'copy' | 'account' | 'nobody' = 'copy';
    const decided = await decide(judging, value, databases, (at) => {
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
    async askMirrors(owner, judging, value) {
      const databases = selectDatabases(await mirror.recentView(owner), judging.databaseIds);
      if (!databases.connected) {
        return unknownValue('no_account', value, databases);
      }
      const decided = await decide(judging, value, databases, copyAlone);
      return toResult(decided, judging, value, databases);
    },

    async ask(owner, judging, value, startedAt = clock.now()) {
      const now = clock.now();
      // A clock set back adds no time, and one set forward takes at most the whole budget.
      const spent = Math.min(Math.max(0, now - startedAt), judging.budgetMs);
      const msLeft = Math.max(0, judging.budgetMs - spent - Math.min(commitMs, judging.budgetMs / 10));
      const withinMs = Math.max(msLeft, copiesMs);
      const last = selectDatabases(mirror.lastView(owner), judging.databaseIds);
      const answer = askAccount(owner, judging, value, now + msLeft).catch((error: unknown): LookedUpValue => {
        log.error({ err: error, code: codeOf(error) }, 'databases could not be searched for a scan');
        return unknownValue('failed', value, last);
      });
      return await withTimeout(clock, withinMs, () => answer, unknownValue('slow', value, last));
    },
  };
}

/** The answer without a call, where no copy has the value. */
const copyAlone = async (_: number, { kind }: MirrorResult): Promise<DatabaseResult> =>
  kind === 'absent' ? { kind } : { kind: 'unknown', why: 'copy_only' };

function selectDatabases(view: MirrorView | undefined, databaseIds: readonly string[]): Databases {
  return {
    connected: view?.connected ?? false,
    mirrors: databaseIds.map((id) => view?.databases.find(({ databaseId }) => databaseId === id)),
  };
}

async function openAccount(
  { store, accounts }: Pick<DatabaseLookupDeps, 'store' | 'accounts'>,
  owner: Owner,
): Promise<Account | undefined> {
  const apiKey = await store.workspaces.apiKey(owner);
  return apiKey === undefined ? undefined : accounts.open(apiKey);
}

function toResult(
  decidedMatch: Match | undefined,
  { databaseIds }: DatabaseValidation,
  value: string,
  databases: Databases,
): LookedUpValue {
  if (decidedMatch === undefined) {
    return { known: { kind: 'absent' }, ...countingKey(value, databases) };
  }
  const { answer: said, at, isReading } = decidedMatch;
  if (said.kind === 'unknown') {
    return unknownValue(said.why, value, databases);
  }
  const known = knownValue(said, databaseIds[at] ?? '', databases.mirrors[at]);
  return isReading ? { known: known.known, ...countingKey(value, databases) } : known;
}

function knownValue(
  { valid, response, value }: DatabaseValue,
  databaseId: string,
  mirror: DatabaseMirror | undefined,
): LookedUpValue {
  return {
    known: { kind: 'known', valid, response, database: mirror?.name ?? databaseId },
    ...(mirror?.caseSensitive ? {} : { sameAs: value.toLowerCase() }),
  };
}

function unknownValue(
  why: Extract<KnownValue, { kind: 'unknown' }>['why'],
  value: string,
  databases: Databases,
): LookedUpValue {
  return { known: { kind: 'unknown', why }, ...countingKey(value, databases) };
}

/**
 * The counting key of a value that no database has: spellings in another case count as one value, unless a database is
 * known to be case-sensitive. `STRASSE` and `STRAßE` stay two values, as some databases that ignore case treat them so.
 */
function countingKey(value: string, { mirrors }: Databases): { sameAs?: string } {
  return mirrors.some((mirror) => mirror?.caseSensitive) ? {} : { sameAs: value.toLowerCase() };
}
