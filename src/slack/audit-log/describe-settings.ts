/**
 * Descriptions of relay settings as the audit log recorded them. Pure.
 * Entries of earlier versions hold settings as stored JSON, cut off when long: those are described as "changed".
 */
import { z } from 'zod';
import { countOf, describeMinutes, firstOf } from '../../english.js';
import { describeHours, relaySettingsSchema, resultCodes, validationSchema } from '../../relay/index.js';
import { resultWords } from '../../scans/result-words.js';
import { shortName } from '../block-kit/short-text.js';
import {
  describeLimit,
  describeList,
  describeRepeats,
  describeValidationMethod,
} from '../channel-posts/describe/describe-settings.js';

/** `databaseName`: a database's name by id. Undefined for a field that is no setting. */
export function describeSetting(
  name: string,
  value: unknown,
  databaseName: (databaseId: string) => string,
): readonly [label: string, text: string] | undefined {
  const setting = Object.hasOwn(settings, name) ? settings[name] : undefined;
  if (!setting) {
    return undefined;
  }
  const [label, describe, none = 'none'] = setting;
  return [label, value === null ? none : (describe(value, databaseName) ?? 'changed')];
}

/** Describes a recorded value; undefined where the entry does not say it. */
type Describe = (value: unknown, databaseName: (databaseId: string) => string) => string | undefined;

const { duplicates, hours, atMost } = relaySettingsSchema.shape;

const settings: Readonly<Record<string, readonly [label: string, describe: Describe, none?: string]>> = {
  judging: ['Validation', describeValidation],
  duplicates: ['Repeat scans', (value) => describeIf(duplicates.safeParse(value).data, describeRepeats)],
  hours: ['Active hours', (value) => describeIf(hours.safeParse(value).data, describeHours)],
  atMost: ['Scan limit', (value) => describeIf(atMost.safeParse(value).data, describeLimit)],
  answers: ['Custom responses', describeAnswers],
  questions: ['Questions', (value) => describeIf(countIn(value), (n) => (n === 0 ? 'none' : `${n}`))],
  rules: ['Rules', (value) => describeIf(countIn(value), (n) => (n === 0 ? 'none' : `${n}`))],
  added: ['Added', describeTitles],
  removed: ['Deleted', describeTitles],
  changed: ['Edited', describeTitles],
  switchedOn: ['Turned on', describeTitles],
  switchedOff: ['Turned off', describeTitles],
  moved: ['Order', () => 'changed'],
  match: ['When several rules match', (value) => (value === 'all' ? 'all of them post' : 'the first one posts')],
  secretProperty: ['Secret property', (value) => (value === 'set' || value === 'removed' ? value : undefined)],
  networks: ['Allowed networks', describeNetworks],
  names: ['Variable names', describeNames],
  lateMinutes: ['Late after', (value) => (typeof value === 'number' ? describeMinutes(value) : undefined)],
};

function describeIf<T>(value: T | undefined, describe: (value: T) => string): string | undefined {
  return value === undefined ? undefined : describe(value);
}

function countIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : Array.isArray(value) ? value.length : undefined;
}

function describeValidation(value: unknown, databaseName: (databaseId: string) => string): string | undefined {
  const { data } = validationSchema.safeParse(value);
  const counted = countedList.safeParse(value).data;
  return data
    ? describeValidationMethod(data, databaseName)
    : describeIf(counted, ({ listed, count }) => describeList(listed, count));
}

/** A list too long for the entry is recorded by its length. */
const countedList = z.object({ kind: z.literal('list'), listed: z.enum(['valid', 'invalid']), count: z.number() });

function describeAnswers(value: unknown): string | undefined {
  const names: unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'object' && value !== null
      ? Object.keys(value)
      : [];
  const known = resultCodes.filter((finding) => names.includes(finding)).map((finding) => resultWords[finding]);
  return typeof value === 'string' ? undefined : known.length === 0 ? 'none' : known.join(', ');
}

function describeTitles(value: unknown): string | undefined {
  const titles = Array.isArray(value) ? value.filter((title) => typeof title === 'string') : [];
  const shownTitles = titles.slice(0, 3).map((title) => `“${shortName(title, 60)}”`);
  const hiddenCount = titles.length - shownTitles.length;
  return shownTitles.length === 0 ? undefined : firstOf(shownTitles, hiddenCount);
}

function describeNetworks(value: unknown): string | undefined {
  if (typeof value === 'number') {
    return countOf(value, 'network');
  }
  return Array.isArray(value) ? (value.length === 0 ? 'any' : value.map(String).join(', ')) : undefined;
}

function describeNames(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  const names = Object.entries(value).map(([variable, name]) => `${variable} is ${String(name)}`);
  return names.length === 0 ? 'default' : names.join(', ');
}
