/** Runs a search and makes its message; stores what the message's buttons need. */
import { LRUCache } from 'lru-cache';
import type { ScanPosition, ScanQuery, ScanSearchAnswer } from '../../lookup/index.js';
import { type Owner, ownerKey } from '../../ownership.js';
import type { Message } from '../block-kit/elements.js';
import { SlackError, slackErrorCode } from '../bolt/errors.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { accountOf } from '../connection/account.js';
import { pageSize, type Results, resultsMessage } from './results-message.js';
import { type SearchRecord, searchRecords } from './search-record.js';

type Context = Pick<BaseContext, 'deps' | 'actor'>;
export type ResultsPage = Omit<Results, 'chart'>;

/** A person waits: what is not found by then is offered as *Search further*. */
const firstMs = 1_200;
const furtherMs = 4_000;
const utc = 'Etc/UTC';

/** @throws SlackError `slack.not_connected` */
export async function firstPage(
  context: Context & Pick<BaseContext, 'person'>,
  query: ScanQuery,
): Promise<ResultsPage> {
  const zone = context.person.zone ?? utc;
  const answer = await searched(context, { query, zone, budgetMs: firstMs });
  return await stored(context, { query, zone, ...countedBy(answer) }, answer);
}

/** Goes on where the search ended, and counts on. */
export async function furtherPage(
  context: Context,
  { query, zone, totals, searchedTo }: SearchRecord,
): Promise<ResultsPage> {
  const answer = await searched(context, { query, zone, totals, after: searchedTo, budgetMs: furtherMs });
  return await stored(context, { query, zone, ...countedBy(answer) }, answer);
}

/** Another page of what was counted. */
export async function pageAfter(
  context: Context,
  search: string,
  after: ScanPosition | undefined,
): Promise<ResultsPage> {
  const record = await recordOf(context, search);
  const { query, zone } = record;
  const answer = await searched(context, { query, zone, after, budgetMs: firstMs });
  return { record, answer, search, after, isFirst: after === undefined };
}

/** @throws SlackError `slack.card_old` if it expired */
export async function recordOf({ deps, actor }: Context, search: string): Promise<SearchRecord> {
  const record = await searchRecords.find(deps, actor.owner, search);
  if (!record) {
    throw new SlackError('slack.card_old', `search not found: ${search}`);
  }
  return record;
}

function countedBy({ totals, searchedTo }: ScanSearchAnswer): Pick<SearchRecord, 'totals' | 'searchedTo'> {
  return { totals, ...(searchedTo ? { searchedTo } : {}) };
}

async function stored({ deps, actor }: Context, record: SearchRecord, answer: ScanSearchAnswer): Promise<ResultsPage> {
  const search = await searchRecords.save(deps, actor.owner, record);
  return { record, answer, search, isFirst: true };
}

async function searched(
  { deps, actor }: Context,
  request: Pick<SearchRecord, 'query' | 'zone'> &
    Partial<Pick<SearchRecord, 'totals'>> & { after?: ScanPosition | undefined; budgetMs: number },
): Promise<ScanSearchAnswer> {
  const account = await accountOf(deps, actor.owner);
  const answer = await deps.lookups.searchScans({ owner: actor.owner, account, limit: pageSize, ...request });
  if (answer === 'no_span') {
    throw new SlackError('slack.state', `a stored search has no span: ${request.query.when}`);
  }
  return answer;
}

/** Workspaces whose Slack refuses charts, for a day. */
const withoutCharts = new LRUCache<string, true>({ max: 1_000, ttl: 24 * 60 * 60_000 });

/** Sends the message, without its chart where Slack refuses one. */
export async function sendResults(
  owner: Owner,
  page: ResultsPage,
  send: (message: Message) => Promise<void>,
): Promise<void> {
  const key = ownerKey(owner);
  const withChart = resultsMessage({ ...page, chart: true });
  const plain = resultsMessage({ ...page, chart: false });
  if (withoutCharts.has(key) || withChart.blocks.length === plain.blocks.length) {
    await send(plain);
    return;
  }
  try {
    await send(withChart);
  } catch (error) {
    const isRefused =
      slackErrorCode(error) === 'invalid_blocks' ||
      (error instanceof SlackError && error.code === 'slack.response_url');
    if (!isRefused) {
      throw error;
    }
    withoutCharts.set(key, true);
    await send(plain);
  }
}
