/**
 * A result as data: facts, and a list of items with title and fields. Pure. It is derived from the answer's shape, so
 * every operation has one. URLs are redacted: they may hold secrets.
 */
import { z } from 'zod';
import { services } from '../../../codereadr/operations/index.js';
import type { Operation, Picture } from '../../../codereadr/operations/operation.js';
import { firstOf } from '../../../english.js';
import { answerSeparator } from '../../../relay/index.js';
import { resultInText } from '../../../scans/result-words.js';
import { cut } from '../../block-kit/elements.js';
import { afterQuestion } from '../../block-kit/scan-rows.js';
import { shownUrl } from '../redact.js';
import type { Values } from '../types.js';

const field = z.object({
  label: z.string(),
  text: z.string(),
  /** Whether the text is a barcode, shown to the letter. */
  exact: z.boolean().optional(),
});

const item = z.object({
  title: z.string(),
  /** Whether the title is a barcode. */
  exact: z.boolean().optional(),
  id: z.string().optional(),
  fields: z.array(field).readonly(),
});

/** A result as it is stored in JSON for its pages. */
export const resultShape = z.object({
  op: z.string(),
  facts: z.array(field).readonly(),
  /** The listed items; absent where the answer holds no list. */
  items: z.array(item).readonly().optional(),
  /** The noun for the items: `scans`. */
  noun: z.string(),
  /** The limit that was reached: the account may have more items. */
  cutAt: z.number().optional(),
  /** The time zone of the result's times. */
  zone: z.string().optional(),
});

export type Result = z.output<typeof resultShape>;
export type ShownField = z.output<typeof field>;
export type ShownItem = z.output<typeof item>;

type AnswerRecord = Readonly<Record<string, unknown>>;

export function isPicture(output: unknown): output is Picture {
  return typeof output === 'object' && output !== null && 'content' in output && output.content instanceof Uint8Array;
}

export function resultOf(operation: Operation, input: Values, output: unknown): Result {
  const loose = (typeof output === 'object' && output !== null ? output : {}) as AnswerRecord;
  const lists = Object.entries(loose).filter(([, value]) => Array.isArray(value)) as [string, readonly unknown[]][];
  const [firstList] = lists;
  const { limit, timezone } = input;
  const items = firstList?.[1].map((each) => itemOf(each as AnswerRecord, plainName(firstList[0])));
  return {
    op: `${operation.section}/${operation.action}`,
    // Counts are no facts of their own: the list itself shows its count.
    facts: Object.entries(loose)
      .filter(([key, value]) => !Array.isArray(value) && !(firstList && key === 'count'))
      .flatMap(([key, value]) => fieldsOfValue(key, value)),
    noun: firstList ? plainName(firstList[0]) : '',
    ...(items ? { items } : {}),
    ...(items && typeof limit === 'number' && items.length >= limit ? { cutAt: limit } : {}),
    ...(typeof timezone === 'string' && firstList?.[0] === 'scans' ? { zone: timezone } : {}),
  };
}

/** Fields that can be an item's title, in this order. */
const titleFields = ['name', 'username', 'text', 'value'] as const;

function itemOf(record: AnswerRecord, noun: string): ShownItem {
  const key = titleFields.find((each) => typeof record[each] === 'string');
  const id = typeof record.id === 'string' ? record.id : undefined;
  const fields = Object.entries(record)
    .filter(([name]) => name !== key && name !== 'id')
    .flatMap(([name, value]) => fieldsOfValue(name, value));
  return {
    title:
      key === undefined ? `${noun.charAt(0).toUpperCase()}${noun.slice(1).replace(/s$/, '')}` : String(record[key]),
    ...(key === 'value' ? { exact: true } : {}),
    ...(id === undefined ? {} : { id }),
    fields,
  };
}

function fieldsOfValue(key: string, value: unknown): readonly ShownField[] {
  if (value === undefined || value === '') {
    return [];
  }
  if (Array.isArray(value)) {
    return value.length === 0 ? [] : [{ label: plainName(key), text: listText(value) }];
  }
  if (typeof value === 'object' && value !== null) {
    return fieldsOfRecord(key, value as AnswerRecord);
  }
  return [{ label: plainName(key), text: textOfValue(key, value), ...(key === 'value' ? { exact: true } : {}) }];
}

/** The fields of a record: a named resource, or a few figures. */
function fieldsOfRecord(key: string, record: AnswerRecord): readonly ShownField[] {
  if (typeof record.name === 'string' && typeof record.id === 'string') {
    const named = record.name === '' ? `ID ${record.id}` : `${record.name} (ID ${record.id})`;
    return record.id === '' && record.name === '' ? [] : [{ label: plainName(key), text: named }];
  }
  const parts = Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${plainName(name)} ${textOfValue(name, value)}`);
  return parts.length === 0 ? [] : [{ label: plainName(key), text: parts.join(', ') }];
}

function textOfValue(key: string, value: unknown): string {
  if (typeof value === 'boolean') {
    return value ? 'yes' : 'no';
  }
  if (typeof value === 'number') {
    return Number.isFinite(value) ? value.toLocaleString('en-US') : 'unlimited';
  }
  const text = String(value);
  if (/url$/i.test(key)) {
    return shownUrl(text);
  }
  return meanings[key]?.find(([value]) => value === text)?.[1] ?? text;
}

/** Clearer labels for some of the account's values. */
const meanings: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  validationMethod: services.create.input.validation_method.options,
  duplicateScanValue: [
    ['1', resultInText('valid')],
    ['0', resultInText('invalid')],
  ],
  status: [
    ['not_validated', 'not validated'],
    ['other', 'other'],
  ],
};

const mostListed = 20;

function listText(values: readonly unknown[]): string {
  const shownValues = values
    .slice(0, mostListed)
    .map((each) => (typeof each === 'object' && each !== null ? pairOf(each as AnswerRecord) : String(each)));
  const rest = values.length - shownValues.length;
  return firstOf(shownValues, rest);
}

/** The most characters of a question's answer: that of a web page question may be the page's whole source. */
const longestAnswer = 300;

/** A record in one line: an answer to a question, a property, or an option. */
function pairOf(record: AnswerRecord): string {
  if (typeof record.question === 'string') {
    return `${record.question}${afterQuestion(record.question)}${String(record.answer).split(answerSeparator).join(', ')}`;
  }
  if (typeof record.text === 'string') {
    return `${cut(record.text, longestAnswer)} (ID ${String(record.id)})`;
  }
  return `${String(record.name)}: ${String(record.value)}`;
}

/** A key in words: `duplicateScanValue` → `duplicate scan value`; an id becomes the noun that it identifies. */
export function plainName(key: string): string {
  return key
    .replace(/Ids$/, 's')
    .replace(/Id$/, '')
    .replace(/Url$/, ' URL')
    .replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .replace(/ uRL$/i, ' URL');
}
