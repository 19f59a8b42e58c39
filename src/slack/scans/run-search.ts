/** Runs a search and makes its message; stores the record that the message's buttons need. */
import type { ScanPosition, ScanQuery, ScanSearchAnswer, SearchScans } from '../../search/index.js';
import type { Message } from '../block-kit/elements.js';
import { SlackError, slackErrorCode } from '../bolt/errors.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { wasRefused } from '../bolt/routing/respond.js';
import { accountOf, connectedSince, findOfAccount } from '../connection/account.js';
import { withMembers } from '../connection/linked-members.js';
import { pageSize, type Results, resultsMessage } from './results-message.js';
import { type SearchRecord, searchRecords } from './search-record.js';

declare module '../bolt/routing/context.js' {
  interface ListenerDeps {
    /** Searches the scans that are kept here. */
    readonly searchScans: SearchScans;
  }
}

type Context = Pick<BaseContext, 'deps' | 'actor'>;
export type ResultsPage = Omit<Results, 'chart'>;

/** How long a search runs while a person waits, `fullMs` once its page is full; *Search further* goes on from there. */
export const firstPageTime = { budgetMs: 1_200, fullMs: 150 } as const;
const furtherMs = 4_000;
/** How long the search of another page runs, which counts nothing. */
const turnTime = { budgetMs: firstPageTime.budgetMs, fullMs: 0 } as const;
export const utc = 'Etc/UTC';

/** Searches for the first page. @throws SlackError `slack.not_connected` */
export async function firstPage(
  context: Context & Pick<BaseContext, 'person'>,
  query: ScanQuery,
  fields: Partial<Pick<SearchRecord, 'saved' | 'zone'>> = {},
): Promise<ResultsPage> {
  const zone = fields.zone ?? context.person.zone ?? utc;
  const connectedAt = await connectedSince(context.deps, context.actor.owner);
  const answer = await runSearch(context, { query, zone, ...firstPageTime });
  return await storeSearch(context, { query, zone, ...fields, answer, connectedAt });
}

/** Continues the search and its counts where it ended. The scans found before stay on the page. */
export async function furtherPage(context: Context, record: SearchRecord): Promise<ResultsPage> {
  const { query, zone, answer: before } = record;
  const limit = Math.max(1, pageSize - before.scans.length);
  const after = before.searchedTo;
  const { scans, next, totals, searchedTo } = await runSearch(context, {
    query,
    zone,
    before,
    after,
    limit,
    budgetMs: furtherMs,
  });
  const page = before.next ? {} : { scans: [...before.scans, ...scans], next };
  return await storeSearch(context, { ...record, answer: { ...before, ...page, totals, searchedTo } });
}

/** Another page, of the counted span; the first page comes from the record. */
export async function pageAfter(
  context: Context,
  search: string,
  after: ScanPosition | undefined,
): Promise<ResultsPage> {
  const record = await recordOf(context, search);
  const { query, zone, answer: before } = record;
  const isFirst = after === undefined;
  const answer = isFirst ? before : await runSearch(context, { query, zone, before, after, ...turnTime });
  return { record, answer, search, after, isFirst };
}

/** The record behind a button. @throws SlackError `slack.card_old` if it expired, `slack.other_account` */
export async function recordOf({ deps, actor }: Context, search: string): Promise<SearchRecord> {
  const record = await findOfAccount(deps, actor.owner, searchRecords, search);
  if (!record) {
    throw new SlackError('slack.card_old', `search not found: ${search}`, { command: '/scans' });
  }
  return record;
}

async function storeSearch({ deps, actor }: Context, record: SearchRecord): Promise<ResultsPage> {
  const search = await searchRecords.save(deps, actor.owner, record);
  return { record, answer: record.answer, search, isFirst: true };
}

/** Stores what was understood of a text, without results, for *Change search*. */
export async function keepUnderstood(
  context: Context & Pick<BaseContext, 'person'>,
  query: ScanQuery,
): Promise<string> {
  const { deps, actor, person } = context;
  const totals = { valid: 0, invalid: 0, other: 0, buckets: [] };
  const answer = { scans: [], totals, unit: 'hour', span: {}, askedAt: deps.clock.now() } as const;
  const connectedAt = await connectedSince(deps, actor.owner);
  return await searchRecords.save(deps, actor.owner, { query, zone: person.zone ?? utc, answer, connectedAt });
}

/** Searches for a page, and stores nothing. @throws SlackError `slack.not_connected` */
export async function runSearch(
  { deps, actor }: Context,
  request: Omit<Parameters<SearchScans>[0], 'owner' | 'account' | 'limit'> & { readonly limit?: number },
): Promise<ScanSearchAnswer> {
  const account = await accountOf(deps, actor.owner);
  const answer = await deps.searchScans({ owner: actor.owner, account, limit: pageSize, ...request });
  if (answer === 'no_span') {
    throw new SlackError('slack.state', `a stored search has no span: ${request.query.when}`);
  }
  return { ...answer, scans: await withMembers(deps, actor.owner, answer.scans) };
}

export function sendResults(page: ResultsPage, send: (message: Message) => Promise<void>): Promise<void> {
  return sendWithChart((chart) => resultsMessage({ ...page, chart }), send);
}

/** Sends the message, without its chart where Slack refuses one. */
export async function sendWithChart(
  makeMessage: (chart: boolean) => Message,
  send: (message: Message) => Promise<void>,
): Promise<void> {
  try {
    await send(makeMessage(true));
  } catch (error) {
    // Without an answer the message may have been posted: a second try would post it twice.
    if (slackErrorCode(error) !== 'invalid_blocks' && !wasRefused(error)) {
      throw error;
    }
    await send(makeMessage(false));
  }
}
