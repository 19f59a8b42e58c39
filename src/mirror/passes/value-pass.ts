/**
 * One pass over a database: all its values, page by page. It is complete only if it met as many as the account counts;
 * otherwise nothing is deleted, and it is repeated.
 */
import type { Clock } from '../../clock.js';
import { noSuchValue } from '../../codereadr/errors.js';
import { PagesDoNotOverlap, readPages } from '../../codereadr/lists/read-pages.js';
import { retrieveDatabases, showValues } from '../../codereadr/operations/index.js';
import type { InputOf, OutputOf } from '../../codereadr/operations/operation.js';
import { type Account, AccountError, type Database, type DatabaseValue } from '../../codereadr/types.js';
import { codeOf } from '../../errors.js';
import type { Log } from '../../log.js';
import type { CallShare } from '../call-share.js';
import { MirrorError, refuseUnsteadyPage } from '../errors.js';
import { mirrorKey } from '../key.js';
import type { DatabaseMirror, DatabaseMirrorStore } from '../tables/databases.js';
import { type ControlSearches, lostSpellings, noSpellings } from './lost-spellings.js';

export interface ValuePass {
  readonly clock: Clock;
  readonly log: Log;
  readonly databases: DatabaseMirrorStore;
  readonly share: CallShare;
  readonly account: Account;
  readonly connectedAt: number;
}

type Query = Partial<InputOf<typeof showValues>>;
type Values = OutputOf<typeof showValues>;

/** Values per page, at first: about 1 MB of XML, decoded piece by piece. A million values are a hundred calls. */
export const defaultPageSize = 10_000;
const minPageSize = 200;

/** The account's databases. @throws MirrorError where the listing is not complete */
export function listDatabases(account: Account, share: CallShare): Promise<readonly Database[]> {
  return share.run(account, async (options) => {
    const { count, databases } = await account.client.call(retrieveDatabases, {}, options);
    refuseUnsteadyPage({ count, length: databases.length });
    return databases;
  });
}

/**
 * @param databaseList the account's databases, as of a few minutes ago
 * @param nextDueAfter when the next pass is due, by the calls that this one took
 * @throws MirrorError, AccountError, LeaseLost
 */
export async function passValues(
  pass: ValuePass,
  mirror: DatabaseMirror,
  databaseList: readonly Database[],
  { pageSize, nextDueAfter }: { pageSize: number; nextDueAfter: (calls: number) => number },
): Promise<void> {
  for (let limit = pageSize; ; limit = Math.ceil(limit / 4)) {
    try {
      await passOnce(pass, mirror, databaseList, limit, nextDueAfter);
      return;
    } catch (error) {
      if (error instanceof PagesDoNotOverlap) {
        throw new MirrorError('relay.database_unsteady', error.message, { cause: error });
      }
      if (!isTooMuch(error) || limit <= minPageSize) {
        throw error;
      }
      pass.log.info({ database: mirror.databaseId, size: limit, code: codeOf(error) }, 'retrying with smaller pages');
    }
  }
}

async function passOnce(
  pass: ValuePass,
  mirror: DatabaseMirror,
  databaseList: readonly Database[],
  pageSize: number,
  nextDueAfter: (calls: number) => number,
): Promise<void> {
  const { clock, databases, log } = pass;
  const fetchedAt = clock.now();
  const { name, caseSensitive, count: expected } = findDatabase(mirror, databaseList);
  const { connectedAt } = pass;
  const passStart = await databases.begin(mirror, { name, caseSensitive, connectedAt, expected });
  const { pages, calls } = pagesOf(pass, passStart.databaseId, expected ?? Number.POSITIVE_INFINITY, pageSize, {
    beforeRequest: async () => {
      changesBefore = await databases.changeNumber(passStart.id);
    },
  });
  let changesBefore = passStart.changes;
  let total = 0;
  for await (const values of pages) {
    total += values.length;
    await databases.put(
      passStart.id,
      passStart.round + 1,
      values.map(({ value, valid, response }) => ({ key: mirrorKey(value, passStart), value, valid, response })),
      { since: changesBefore, attempt: passStart.attempt },
    );
    await databases.progress(passStart.id, total);
  }
  if (expected !== undefined && total < expected) {
    // The pass met fewer values than the account counts: some were deleted meanwhile, or a page was missing.
    const now = findDatabase(mirror, await listDatabases(pass.account, pass.share)).count ?? expected;
    if (total < now) {
      throw new MirrorError('relay.database_unsteady', 'the account gave fewer values than it counts');
    }
  }
  // The searches come after all pages, since their texts are marked among the stored values.
  const { texts, searched } =
    total === 0 ? noSpellings : await lostSpellings(controlSearches(pass, passStart.databaseId, pageSize));
  await databases.lose(
    passStart,
    [...texts].map((value) => ({ key: mirrorKey(value, passStart), value })),
  );
  await databases.finish(passStart, { size: total, fetchedAt, searched, dueAt: nextDueAfter(calls()) });
  log.info({ database: mirror.databaseId, size: total, calls: calls(), lost: texts.size }, 'a database was mirrored');
}

/** Finds the database in a listing. The copy stays: one listing may lack a database that still exists. */
function findDatabase({ databaseId }: DatabaseMirror, listed: readonly Database[]): Database {
  const database = listed.find(({ id }) => id === databaseId);
  if (!database) {
    throw new MirrorError('relay.database_gone', 'the account lists no such database');
  }
  return database;
}

function controlSearches(pass: ValuePass, databaseId: string, pageSize: number): ControlSearches {
  return {
    // The search reads to the end, however short the account's pages are.
    holding: (control) => pagesOf(pass, databaseId, Number.POSITIVE_INFINITY, pageSize, { holding: control }).pages,
    holds: async (value) => (await readValues(pass, { database_id: databaseId, value })).values.length > 0,
  };
}

/** `holding`: only values that contain this text. `beforeRequest`: runs before each request. */
function pagesOf(
  pass: ValuePass,
  databaseId: string,
  expected: number,
  pageSize: number,
  { holding, beforeRequest }: { holding?: string; beforeRequest?: () => Promise<void> },
) {
  let calls = 0;
  const pages = readPages<DatabaseValue>(
    {
      async read(limit, offset) {
        calls += 1;
        const page = { database_id: databaseId, valuelike: holding, limit, offset };
        const { count, values } = await readValues(pass, page, beforeRequest);
        refuseUnsteadyPage({ count, length: values.length, limit, offset });
        return values;
      },
      keyOf: ({ value }) => value,
      expected,
    },
    pageSize,
  );
  return { pages, calls: () => calls };
}

function readValues(
  { account, share }: ValuePass,
  query: Query & { database_id: string },
  beforeRequest?: () => Promise<void>,
): Promise<Values> {
  return share.run(account, async (options) => {
    await beforeRequest?.();
    try {
      return await account.client.call(showValues, query, options);
    } catch (error) {
      const isNone = error instanceof AccountError && error.apiCode === noSuchValue;
      if (isNone && (query.value !== undefined || query.valuelike !== undefined)) {
        return { values: [] };
      }
      throw error;
    }
  });
}

/** Whether the answer is too large, or takes too long. */
export function isTooMuch(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'account.slow' || (error instanceof AccountError && error.reason === 'too_large');
}
