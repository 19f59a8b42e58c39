/** A result as blocks, in a modal or a message: heading, facts, a page of items. Barcodes show exactly. Pure. */
import { z } from 'zod';
import type { Operation, Param } from '../../../codereadr/operations/operation.js';
import { countOf } from '../../../english.js';
import {
  actions,
  type Block,
  context,
  cut,
  type Message,
  type ModalView,
  message,
  modalView,
} from '../../block-kit/elements.js';
import { pageOf, turnButtons } from '../../block-kit/page.js';
import { barcodeElement, bold, escaped, joined, type LinePart, richText } from '../../block-kit/text.js';
import { encode, longest } from '../../bolt/metadata.js';
import { labelIn } from '../form/resources.js';
import { zoneLabel } from '../form/zones.js';
import { operationOf } from '../metadata.js';
import type { Values } from '../types.js';
import type { Result, ShownField, ShownItem } from './result.js';

/** The value of a button to another page. */
export const pageData = z.object({ kept: z.string(), page: z.number().int().min(0) });

/** How much a page holds: less in a message than in a modal. */
export interface PageSize {
  readonly items: number;
  /** The most characters of one field. */
  readonly field: number;
  /** The most fields of one item. */
  readonly fields: number;
}

export const inMessage: PageSize = { items: 8, field: 160, fields: 10 };
export const inModal: PageSize = { items: 12, field: 240, fields: 14 };
/** The size of a page with a single item, which may be longer. */
const singleItemSize: PageSize = { items: 1, field: 2500, fields: 30 };

export interface ResultPage {
  readonly result: Result;
  readonly page: number;
  /** The id of the stored result; absent where there is one page, or where the result could not be stored. */
  readonly stored?: string | undefined;
}

export function resultView(page: ResultPage): ModalView {
  return modalView(operationOf(page.result).title, resultBlocks(page, inModal), {
    callback_id: 'form.result',
    close: 'Done',
  });
}

export function resultMessage(page: ResultPage): Message {
  const { title } = operationOf(page.result);
  return message(escaped(headline(page.result, title)), resultBlocks(page, inMessage, title));
}

function resultBlocks({ result, page, stored }: ResultPage, usualSize: PageSize, heading?: string): Block[] {
  const { facts, items } = result;
  const size = items?.length === 1 ? singleItemSize : usualSize;
  const shown = pageOf(items ?? [], page, size.items);
  const turns =
    stored === undefined
      ? []
      : turnButtons(shown, ['form.before', 'form.next'], (to) =>
          encode(pageData, { kept: stored, page: to }, longest.button),
        );
  const footer = [
    ...(shown.range === undefined ? [] : [`${shown.range}.`]),
    ...(result.cutAt === undefined
      ? []
      : [`Only the first ${result.cutAt} are shown. To see more, narrow the search or use an offset.`]),
    ...(result.zone === undefined ? [] : [`Times are in ${escaped(zoneLabel(result.zone))}.`]),
  ];
  return [
    richText([bold(headline(result, heading))]),
    ...facts.map((fact) => richText(fieldElements(fact, singleItemSize))),
    ...shown.rows.map((item) => itemBlock(item, size)),
    ...(footer.length > 0 ? [context(footer.join(' '))] : []),
    ...(turns.length > 0 ? [actions(turns)] : []),
  ];
}

function headline(result: Result, heading: string | undefined): string {
  const counted = summary(result);
  return [heading, counted].filter((part) => part !== undefined && part !== '').join(': ') || 'Result';
}

/** How many items there are; empty where the result has no list. */
function summary({ items, noun }: Result): string {
  if (items === undefined) {
    return '';
  }
  return items.length === 0 ? `no ${noun}` : countOf(items.length, noun.replace(/s$/, ''), noun);
}

function itemBlock({ title, exact, id, fields }: ShownItem, size: PageSize): Block {
  const head: LinePart[] = [exact ? barcodeElement(title) : bold(cut(title === '' ? '(no name)' : title, size.field))];
  const details = [
    ...fields.slice(0, size.fields).map((each) => fieldElements(each, size)),
    ...(id === undefined ? [] : [[`ID ${id}`]]),
  ];
  return richText(head, ...(details.length > 0 ? [joined(details, '  ·  ')] : []));
}

function fieldElements({ label, text, exact }: ShownField, size: PageSize): LinePart[] {
  return [`${label}: `, exact ? barcodeElement(text) : cut(text, size.field)];
}

/** An operation's input as lines, one for each parameter. `names`: the names of ids, by parameter, where known. */
export function inputLines(
  operation: Operation,
  shownInput: Values,
  names: Readonly<Record<string, string>> = {},
): LinePart[][] {
  return Object.entries(shownInput).map(([name, value]) => {
    const isBarcode = operation.input[name]?.type === 'barcode';
    const text = names[name] ?? valueText(operation.input[name], value);
    return [
      `${labelIn(operation, name)}: `,
      isBarcode ? barcodeElement(String(value)) : text === '' ? '(cleared)' : cut(text, 500),
    ];
  });
}

function valueText(param: Param | undefined, value: unknown): string {
  if (typeof value === 'boolean') {
    return value ? 'yes' : 'no';
  }
  const options = param && 'options' in param ? param.options : [];
  const labelOf = (value: unknown) => options.find(([option]) => option === value)?.[1] ?? String(value);
  if (Array.isArray(value)) {
    return value.some((each) => typeof each === 'object') ? `${value.length} in total` : value.map(labelOf).join(', ');
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([name, each]) => `${name}=${String(each)}`)
        .join(', ')
    : labelOf(value);
}
