/** Values in a tool's text and data: text from outside in quotes, moments in UTC, doubts as codes and in words. Pure. */
import { z } from 'zod';
import { upperFirst } from '../english.js';
import type { ResultName } from '../scans/result-words.js';
import type { RichTextElement } from '../slack/block-kit/elements.js';
import { elementsOf } from '../slack/block-kit/text.js';
import type { Problem } from '../slack/bolt/problem/problem.js';

/** The text as a JSON string: no line break, quote or control character in it can be mistaken for Scandesk's words. */
export const quoted = (text: string): string => JSON.stringify(text);

type Data = Readonly<{ [name: string]: unknown }>;

const isRecord = (value: unknown): value is Data => typeof value === 'object' && value !== null;

/**
 * A tool's data as text, a line for each record: `- service "Gate A", scans 12. As of …`. Outside text is in quotes
 * alone; names of fields are Scandesk's own.
 */
export function wordsOf(data: Data, lead = ''): readonly string[] {
  const { as_of, why } = data;
  const ofCertainty = why === undefined ? [] : ['as_of', 'sure', 'why'];
  const parts = Object.entries(data).filter(([name, value]) => value !== undefined && !ofCertainty.includes(name));
  const plain = parts.flatMap(([name, value]) => (isRecord(value) ? [] : `${worded(name)} ${JSON.stringify(value)}`));
  const sentences = [
    ...(plain.length > 0 ? [`${plain.join(', ')}.`] : []),
    ...(why === undefined ? [] : [certaintyText({ as_of: String(as_of), why: why as Doubt[] })]),
  ];
  return [
    ...(sentences.length > 0 || lead !== '' ? [[lead, ...sentences].filter(Boolean).join(' ')] : []),
    ...parts.flatMap(([name, value]) => {
      const heading = `${upperFirst(worded(name))}:`;
      if (!Array.isArray(value)) {
        return isRecord(value) ? wordsOf(value, heading) : [];
      }
      const texts = value.filter((each) => !isRecord(each)).map((each) => JSON.stringify(each));
      return value.length === 0 || texts.length > 0
        ? [`${heading} ${texts.length > 0 ? texts.join(', ') : 'none'}.`]
        : [heading, ...value.flatMap((each) => wordsOf(each, '-'))];
    }),
  ];
}

const worded = (name: string): string => name.replaceAll('_', ' ');

export const moment = (at: number): string => new Date(at).toISOString();

/** A moment for a tool's data; undefined is left out. */
export const momentIfAny = (at: number | undefined) => (at === undefined ? undefined : moment(at));

export const momentShape = z.string().describe('ISO 8601, UTC');

/** The names that tools give results. */
export const toolResults = {
  valid: 'valid',
  used: 'already_used',
  invalid: 'not_valid',
  unknown: 'unknown',
  not_validated: 'not_checked',
  other: 'other',
} as const satisfies Partial<Record<ResultName, string>>;

/** The reasons why an answer is not sure, by code. */
const doubts = {
  databases_disagree: 'databases of the account disagree',
  copy_too_old: 'the copy of the account is too old',
  no_database_searched: 'no database was searched',
  another_spelling: 'another spelling may be another barcode',
  last_scan_not_valid: 'the last scan was not valid',
  scanned_elsewhere: 'it was scanned where another database is checked, or by nobody known',
  history_incomplete: 'older scans were not loaded',
  not_confirmed: 'the account did not confirm it',
  no_calls_left: 'the account has no API calls left',
  account_failed: 'the account gave no answer',
  search_incomplete: 'older scans of this time were not searched yet',
  account_not_copied: 'scans that only the account has are not included',
  still_counting: 'earlier scans are still being counted',
  out_without_in: 'barcodes went out that were not inside',
  in_twice: 'barcodes came in that were inside already',
  holder_denied: 'people say that they do not have what their scan says',
  limits_not_read: 'the counters are the last known ones',
} as const;

export type Doubt = keyof typeof doubts;
const doubtCodes = Object.keys(doubts) as [Doubt, ...Doubt[]];

/** How sure an answer is. `as_of`: the time of its oldest part. `sure`: it has no doubts; `why`: the doubts. */
export const certainty = {
  as_of: momentShape.describe('The oldest part of this answer is as of then. ISO 8601, UTC'),
  sure: z.boolean().describe('False: do not rely on it; see why'),
  why: z.array(z.enum(doubtCodes)).describe('What is in doubt'),
};

export function certain(at: number, why: readonly Doubt[]) {
  return { as_of: moment(at), sure: why.length === 0, why: [...new Set(why)] };
}

/** The certainty in words: "Not sure: older scans were not loaded. As of 2026-03-03T10:00:00.000Z." */
function certaintyText({ as_of, why }: Omit<ReturnType<typeof certain>, 'sure'>): string {
  const doubt = why.length === 0 ? '' : `Not sure: ${why.map((code) => doubts[code]).join('; ')}. `;
  return `${doubt}As of ${as_of}.`;
}

export function problemText({ what, todo }: Problem): string {
  return `${what} ${elementsOf(todo).map(elementText).join('')}`.replace(/\s+/g, ' ').trim();
}

/** The text of an element; one in italics is the account's own, and quoted. */
function elementText(element: RichTextElement): string {
  switch (element.type) {
    case 'text':
      return element.style?.italic ? `${quoted(element.text)} ` : element.text;
    case 'date':
      return `${/^[^{]*/.exec(element.format)?.[0] ?? ''}${moment(element.timestamp * 1_000)}`;
    case 'user':
      return `<@${element.user_id}>`;
    case 'usergroup':
      return `<!subteam^${element.usergroup_id}>`;
    case 'link':
      return element.text ?? element.url;
    default:
      return '';
  }
}
