/**
 * Loads a list modal: the account's items, filtered and paged, with the actions this person may do. A page costs one
 * API call at most, a search of values two; cached names cost none.
 */
import { noNames } from '../../codereadr/names.js';
import type { Account, NamedKind, NameOf } from '../../codereadr/types.js';
import { countOf, plural } from '../../english.js';
import { listPageSize, listScans, listUploads, listValues, type PageEnd, type ScanFilter } from '../../lookup/index.js';
import { type Members, noMembers } from '../../workspaces/members.js';
import type { ModalView } from '../block-kit/elements.js';
import { pageOf } from '../block-kit/page.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { accountOf } from '../connection/account.js';
import { linkedMembers } from '../connection/linked-members.js';
import { allowedActions, itemActions, listActions } from './item-actions.js';
import { type ListView, listTitle, listView } from './list-view.js';
import type { ListKind, ListMetadata } from './metadata.js';
import { databaseRow, deviceRow, type ItemRow, questionRow, serviceRow, uploadRow, userRow, valueRow } from './rows.js';

type Context = Pick<BaseContext, 'deps' | 'actor' | 'client'>;

/** Kinds that the account returns in one response. */
type WholeKind = Exclude<ListKind, 'scans' | 'uploads' | 'values'>;

type Content = Pick<ListView, 'rows' | 'summary' | 'before' | 'after' | 'extraLines' | 'unnamed'>;

/** The view of a list. @throws SlackError `slack.not_connected`, AccountError */
export async function loadListView(context: Context, metadata: ListMetadata): Promise<ModalView> {
  return listView(await loadList(context, metadata));
}

/** The content of a list. @throws SlackError `slack.not_connected`, AccountError */
export async function loadList({ deps, actor, client }: Context, metadata: ListMetadata): Promise<ListView> {
  const account = await accountOf(deps, actor.owner);
  const members = metadata.list === 'users' ? await linkedMembers(deps, actor.owner) : noMembers;
  const [content, mayChange] = await Promise.all([
    contentOf(account, metadata, members),
    deps.permissions.can(client, actor, 'manager'),
  ]);
  return {
    metadata,
    ...content,
    itemActions: allowedActions(itemActions[metadata.list], mayChange),
    listActions: allowedActions(listActions[metadata.list], mayChange),
  };
}

function contentOf(account: Account, metadata: ListMetadata, members: Members): Promise<Content> {
  switch (metadata.list) {
    case 'scans':
      return scansContent(account, metadata);
    case 'uploads':
      return uploadsContent(account, metadata);
    case 'values':
      return valuesContent(account, metadata);
    default:
      return wholeContent(account, metadata.list, metadata, members);
  }
}

/** The noun for one item: a kind is the plural. */
function nounOf(kind: ListKind): string {
  return kind.slice(0, -1);
}

async function wholeContent(
  account: Account,
  kind: WholeKind,
  { query, page = 0 }: ListMetadata,
  members: Members,
): Promise<Content> {
  const { rows: allRows, unnamed } = await rowsOf(account, kind, members);
  const foundRows = query === undefined ? allRows : allRows.filter((row) => matchesQuery(row, query));
  const shown = pageOf(foundRows, page, listPageSize);
  const noun = nounOf(kind);
  const countText =
    query === undefined
      ? countOf(allRows.length, noun)
      : `${foundRows.length.toLocaleString('en-US')} of ${countOf(allRows.length, noun)} ${plural(foundRows.length, 'matches', 'match')} “${query}”`;
  const { firstIndex, rows, range } = shown;
  const rangeText = range === undefined ? '.' : `. Showing ${firstIndex + 1}–${firstIndex + rows.length}.`;
  const summary = () => {
    if (allRows.length === 0) {
      return `No ${kind} yet.`;
    }
    return query !== undefined && foundRows.length === 0
      ? `No ${noun} matches “${query}”. Clear the search to see ${plural(allRows.length, 'the only one', `all ${allRows.length.toLocaleString('en-US')}`)}.`
      : `${countText}${rangeText}`;
  };
  return {
    rows,
    summary: summary(),
    ...(shown.before === undefined ? {} : { before: { label: '← Previous', to: { page: shown.before } } }),
    ...(shown.after === undefined ? {} : { after: { label: 'Next →', to: { page: shown.after } } }),
    unnamed,
  };
}

/** Whether an item matches the query: by name or details, ignoring case, or by id. */
function matchesQuery({ id, name, details }: ItemRow, query: string): boolean {
  const wanted = query.toLowerCase();
  return id === wanted || [name, ...details].some((text) => text.toLowerCase().includes(wanted));
}

interface Rows {
  readonly rows: readonly ItemRow[];
  readonly unnamed: boolean;
}

async function rowsOf(account: Account, kind: WholeKind, members: Members): Promise<Rows> {
  const { names } = account;
  const withAllNames = (rows: readonly ItemRow[]): Rows => ({ rows, unnamed: false });
  switch (kind) {
    case 'services': {
      const services = await names.services();
      const isNeeded = services.some(({ databaseId }) => databaseId !== undefined);
      const { nameOf, missed } = trackMissing(isNeeded ? await names.cachedNames(['databases']) : noNames);
      const rows = services.map((service) => serviceRow(service, nameOf));
      return { rows, unnamed: missed() };
    }
    case 'users':
      return withAllNames((await names.users()).map((user) => userRow(user, members)));
    case 'devices':
      return withAllNames((await names.devices()).map(deviceRow));
    case 'databases':
      return withAllNames((await names.databases()).map(databaseRow));
    case 'questions':
      return withAllNames((await names.questions()).map(questionRow));
  }
}

async function scansContent(account: Account, metadata: ListMetadata): Promise<Content> {
  const { items, end, torn } = await listScans(account, { holds: metadata.query, ...filterOf(metadata) }, metadata.end);
  return {
    rows: items.map((scan) => ({ id: scan.id, scan })),
    ...pagedContent(metadata, items.length, end, torn),
  };
}

async function uploadsContent(account: Account, metadata: ListMetadata): Promise<Content> {
  const { items, end, torn } = await listUploads(account, filterOf(metadata), metadata.end);
  const { nameOf, missed } = trackMissing(await account.names.cachedNames(uploadNames));
  const rows = items.map((upload) => uploadRow(upload, nameOf));
  const { extraLines = [], ...pageContent } = pagedContent(metadata, items.length, end, torn);
  return {
    rows,
    ...pageContent,
    extraLines: [...extraLines, ...(rows.length > 0 ? ['Times are in the account’s own time zone.'] : [])],
    unnamed: missed(),
  };
}

/** Where no barcode contains the search, the responses are searched: one more call. */
async function valuesContent(account: Account, metadata: ListMetadata): Promise<Content> {
  const { query, of, end: pageEnd, inResponses = false } = metadata;
  const find = (responses: boolean) =>
    listValues(account, { databaseId: of?.id ?? '', [responses ? 'responseHolds' : 'holds']: query }, pageEnd);
  let foundPage = await find(inResponses);
  let responses = inResponses;
  if (foundPage.items.length === 0 && query !== undefined && pageEnd === undefined && !inResponses) {
    foundPage = await find(true);
    responses = foundPage.items.length > 0;
  }
  const { items, end, torn } = foundPage;
  const { summary, after, ...pageContent } = pagedContent(metadata, items.length, end, torn);
  const database = of?.name || 'this database';
  const emptyText =
    query === undefined ? `${database} has no values yet.` : `Nothing in ${database} matches “${query}”.`;
  const shownText = responses ? `Values of ${database} whose response contains “${query}”.` : summary;
  return {
    rows: items.map(valueRow),
    summary: items.length === 0 && pageEnd === undefined ? emptyText : shownText,
    ...pageContent,
    ...(after ? { after: { ...after, to: { ...after.to, ...(responses ? { inResponses: true } : {}) } } } : {}),
  };
}

/** The kinds of ids in uploads whose names a click loads. */
const uploadNames: readonly NamedKind[] = ['services', 'users', 'devices'];

export function namesOn(list: ListKind): readonly NamedKind[] {
  return list === 'uploads' ? uploadNames : list === 'services' ? ['databases'] : [];
}

function pagedContent(
  { list, query, of, end: previousEnd }: ListMetadata,
  count: number,
  end: PageEnd | undefined,
  isTorn: boolean,
): Omit<Content, 'rows'> {
  const filterWords = [
    ...(of ? [` of ${nounOf(of.kind)} ${of.name || of.id}`] : []),
    ...(query === undefined ? [] : [` with “${query}”`]),
  ].join('');
  const order = list === 'scans' ? ', newest first' : ', in the account’s order';
  return {
    summary:
      count > 0
        ? `${listTitle(list)}${filterWords}${order}.`
        : `No ${previousEnd ? 'more ' : ''}${list}${filterWords}.`,
    ...(previousEnd ? { before: { label: list === 'scans' ? '← Newest' : '← First', to: {} } } : {}),
    ...(end ? { after: { label: list === 'scans' ? 'Older →' : 'Next →', to: { end: copyOf(end) } } } : {}),
    extraLines: isTorn
      ? [`New ${list} arrived in the meantime, so some may be missing or shown twice. Open the list again to be sure.`]
      : [],
  };
}

function copyOf({ position, last }: PageEnd): { position: number; last: string[] } {
  return { position, last: [...last] };
}

function filterOf({ of }: ListMetadata): Omit<ScanFilter, 'holds'> {
  switch (of?.kind) {
    case 'services':
      return { serviceId: of.id };
    case 'users':
      return { userId: of.id };
    case 'devices':
      return { deviceId: of.id };
    case 'uploads':
      return { uploadId: of.id };
    default:
      return {};
  }
}

/** Wraps `nameOf` to record whether a name was looked up and not found. */
function trackMissing(nameOf: NameOf): { readonly nameOf: NameOf; readonly missed: () => boolean } {
  let hasMissed = false;
  return {
    nameOf: (kind, id) => {
      const name = nameOf(kind, id);
      hasMissed ||= name === undefined;
      return name;
    },
    missed: () => hasMissed,
  };
}
