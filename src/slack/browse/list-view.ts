/**
 * The list modal: a search field, one page of items with a menu each, and paging buttons. Names and barcodes appear
 * verbatim, never as formatting. Pure.
 */

import { upperFirst } from '../../english.js';
import { signs } from '../block-kit/describe-result.js';
import {
  type Actions,
  actions,
  type Block,
  button,
  cut,
  divider,
  type ModalView,
  modalView,
  mrkdwn,
  type Option,
  option,
  plain,
  plainContext,
  type Section,
} from '../block-kit/elements.js';
import { noticeBlocks, type ViewNotice } from '../block-kit/notice.js';
import { mapLink } from '../block-kit/scan-rows.js';
import { shortText } from '../block-kit/short-text.js';
import { barcodeElement, bold, type LinePart, momentElement, richText, settled, visible } from '../block-kit/text.js';
import { encode, longest } from '../bolt/metadata.js';
import type { Frame } from '../forms/form.js';
import { text } from '../forms/kinds.js';
import { type ItemAction, splitMenu } from './item-actions.js';
import { itemActionData, type ListKind, type ListMetadata, listMetadata, moreActions, pageData } from './metadata.js';
import { longestTyped, typedQuery } from './query.js';
import type { ItemRow, ScanListRow } from './rows.js';

/** A list's title: its kind. */
export function listTitle(kind: ListKind): string {
  return upperFirst(kind);
}

export interface ListView {
  readonly metadata: ListMetadata;
  readonly rows: readonly ItemRow[] | readonly ScanListRow[];
  /** The actions offered for each item, and for the list as a whole. */
  readonly itemActions: readonly ItemAction[];
  readonly listActions: readonly ItemAction[];
  /** Which part of the list is shown, as one line; names in it went through `settled`. */
  readonly summary: string;
  readonly before?: { readonly label: string; readonly to: Turn };
  readonly after?: { readonly label: string; readonly to: Turn };
  /** The notice that says what the last action did. */
  readonly notice?: ViewNotice | undefined;
  /** Further lines of Scandesk's own text. */
  readonly extraLines?: readonly string[];
  /** Whether ids are shown because their names would cost API calls. */
  readonly unnamed?: boolean;
}

export type Turn = Pick<ListMetadata, 'page' | 'end' | 'inResponses'>;

export function listView(list: ListView): ModalView {
  const { metadata, rows, notice = {}, extraLines = [] } = list;
  const search = searchBlocks(metadata);
  const blocks: Block[] = [
    ...noticeBlocks(notice),
    ...search,
    plainContext(settled(list.summary)),
    ...rows.flatMap((row, at) =>
      'scan' in row ? [...(at > 0 ? [divider] : []), ...scanBlocks(row, at, list)] : itemBlocks(row, at, list),
    ),
    ...(extraLines.length > 0 ? [plainContext(...extraLines)] : []),
    ...buttonBlocks(list),
  ];
  return modalView(listTitle(metadata.list), blocks, {
    callback_id: 'list',
    ...(search.length > 0 ? { submit: 'Search', close: 'Close' } : {}),
    // Closing this list closes the list below it, which shows the same.
    ...(metadata.below === undefined ? {} : { clear_on_close: true }),
    private_metadata: encode(listMetadata, metadata),
  });
}

/** Uploads have no text to search. */
function searchBlocks({ list, query, of }: ListMetadata): Block[] {
  if (list === 'uploads') {
    return [];
  }
  const frame: Frame = {
    // Slack keeps typed text by `block_id`, so each list has its own input.
    name: `list.query.${list}.${of ? `${of.kind}.${of.id}` : ''}`,
    action: 'list.query',
    label: searchLabels[list] ?? 'Search',
    optional: true,
    rerenders: true,
  };
  const placeholder = searchPlaceholders[list] ?? 'Part of a name, or an ID';
  return [
    text({ max: longestTyped, placeholder }).draw(frame, query === undefined ? '' : typedQuery(list, query)),
  ].flat();
}

const searchLabels: Partial<Record<ListKind, string>> = { scans: 'Barcode contains' };
const searchPlaceholders: Partial<Record<ListKind, string>> = {
  scans: 'Part of a barcode',
  values: 'Part of a barcode or a response',
};

const longestName = 200;
const longestDetail = 300;

function itemBlocks(row: ItemRow, at: number, list: ListView): Block[] {
  const { id, name, isBarcode } = row;
  const section: Section = {
    type: 'section',
    ...blockIdOf(id, at, list),
    text: nameAndDetails(row),
    ...menu(id, list),
  };
  return isBarcode && hidesSpaces(name) ? [section, richText([barcodeElement(name)])] : [section];
}

/** Whether a barcode has spaces at its ends, which only show on a background. */
function hidesSpaces(barcode: string): boolean {
  return barcode.trim() !== barcode;
}

/**
 * Bold if mrkdwn shows the name verbatim, else plain text. A section has one text object, so both lines use the same
 * type. A barcode is its own id.
 */
function nameAndDetails({ id, name, details, isBarcode }: ItemRow): NonNullable<Section['text']> {
  const first = name.trim() === '' ? '(no name)' : cut(visible(name), longestName);
  const second = cut([...details.map(settled), ...(isBarcode ? [] : [`ID ${id}`])].join('  ·  '), longestDetail);
  const isItself = isItselfInMrkdwn(first) && isItselfInMrkdwn(second) && first.trim() === first;
  return isItself ? mrkdwn(`*${first}*\n${second}`) : plain(`${first}\n${second}`);
}

/** Whether mrkdwn shows the text as it is: without formatting, links and emoji. */
function isItselfInMrkdwn(text: string): boolean {
  return !/[&<>*_~`]|:[^\s:]+:/.test(text);
}

const outcomes = {
  valid: `${signs.valid} Valid`,
  invalid: `${signs.invalid} Not valid`,
  not_validated: `${signs.absent} Not checked`,
  other: `${signs.absent} Other result`,
} as const;

const longestResult = 200;

/** A scan's barcode with its menu, then its result with time, names and id, then the response. */
function scanBlocks({ id, scan }: ScanListRow, index: number, list: ListView): Block[] {
  const when = scan.at === undefined ? shortText(scan.atText, 40) : momentElement(scan.at);
  const barcode = scan.value.trim() === '' ? '(empty)' : cut(visible(scan.value), longestName);
  const names = [scan.service, scan.user, scan.device]
    .map((each) => each.name || each.id)
    .filter((name) => name !== '');
  const detailLines: LinePart[][] = [
    ...(hidesSpaces(scan.value) ? [[barcodeElement(scan.value)]] : []),
    [
      bold(outcomes[scan.status]),
      '  ·  ',
      when,
      ...names.map((name) => shortText(`  ·  ${name}`, 120)),
      ...(scan.place ? ['  ·  ', mapLink(scan.place)] : []),
      ...(id === undefined ? [] : [shortText(`  ·  ID ${id}`, 70)]),
    ],
    ...(scan.result === '' ? [] : [[shortText(scan.result, longestResult)]]),
  ];
  const head: Section = {
    type: 'section',
    ...blockIdOf(id, index, list),
    text: isItselfInMrkdwn(barcode) && !hidesSpaces(scan.value) ? mrkdwn(`*${barcode}*`) : plain(barcode),
    ...(id === undefined ? {} : menu(id, list)),
  };
  return [head, richText(...detailLines)];
}

/** The longest id in a `block_id`: the account's are shorter, and an item with a longer one has no menu. */
const longestId = 60;
/** The longest barcode with a menu, in a list of values: an option's 150 characters also hold the action's key. */
const longestValueId = 105;

function isShortId(id: string | undefined, { metadata }: ListView): id is string {
  return id !== undefined && JSON.stringify(id).length <= (metadata.list === 'values' ? longestValueId : longestId);
}

function blockIdOf(id: string | undefined, at: number, list: ListView): Pick<Section, 'block_id'> {
  return isShortId(id, list) ? { block_id: `list.row.${at}.${id}` } : {};
}

/** An item's menu; none if there is no action, or if the id is too long. */
function menu(id: string, list: ListView): Pick<Section, 'accessory'> {
  const { metadata, itemActions } = list;
  const { shown, more } = splitMenu(itemActions);
  if (shown.length === 0 || !isShortId(id, list)) {
    return {};
  }
  const write = (key: string) => encode(itemActionData, { list: metadata.list, id, deed: key }, longest.option);
  const options: Option[] = [
    ...shown.map(({ key, label }) => option(label, write(key))),
    ...(more.length > 0 ? [option('More actions…', write(moreActions))] : []),
  ];
  return { accessory: { type: 'overflow', action_id: 'list.menu', options } };
}

/** Two buttons in one block need different action ids. */
const listActionIds = ['list.beside', 'list.beside.too'] as const;

function buttonBlocks({ metadata, before, after, listActions, unnamed }: ListView): Block[] {
  const turns: Actions['elements'] = [
    ...(before ? [button(before.label, 'list.before', { value: encode(pageData, before.to, longest.button) })] : []),
    ...(after ? [button(after.label, 'list.after', { value: encode(pageData, after.to, longest.button) })] : []),
  ];
  const otherButtons: Actions['elements'] = [
    ...(metadata.of ? [button(`← ${listTitle(metadata.of.kind)}`, 'list.back')] : []),
    ...(unnamed ? [button('Show names', 'list.names')] : []),
    ...listActions.slice(0, listActionIds.length).map(({ key, label }, at) =>
      button(label, listActionIds[at]!, {
        value: encode(itemActionData, { list: metadata.list, id: '', deed: key }, longest.button),
      }),
    ),
    ...(metadata.list === 'values' && metadata.of ? [button('Export', 'export.values')] : []),
  ];
  return [
    ...(turns.length > 0 ? [actions(turns, 'list.turns')] : []),
    ...(otherButtons.length > 0 ? [actions(otherButtons, 'list.others')] : []),
  ];
}

/** The modal of actions that do not fit a menu. `value`: what each button carries. */
export function moreView(
  itemName: string,
  itemActions: readonly ItemAction[],
  value: (action: ItemAction) => string,
  metadata: string,
): ModalView {
  const isDanger = ({ does }: ItemAction) => 'opens' in does && does.opens.effect === 'delete';
  return modalView(
    'More actions',
    [
      richText([bold(cut(itemName.trim() === '' ? '(no name)' : visible(itemName), longestName))]),
      ...itemActions.map((action) =>
        actions([
          button(action.label, 'list.more', {
            value: value(action),
            ...(isDanger(action) ? { style: 'danger' } : {}),
          }),
        ]),
      ),
    ],
    { callback_id: 'list.more', private_metadata: metadata },
  );
}
