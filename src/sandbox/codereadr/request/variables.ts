/**
 * The variables of one call, however it was sent: text, ids, booleans, integers, names, pairs. A malformed variable is
 * refused with the account's code; a single text is never trimmed or changed.
 */
import { Refusal, type RefusalCode } from '../answer/refusal.js';

/** The raw value of one variable, from a form or an XML document. */
export type RawValue = string | readonly RawValue[] | Fields;
export interface Fields {
  readonly [name: string]: RawValue;
}

/** The codes with which an id list is refused: it is missing; an id does not exist; an id is malformed. */
export interface Subject {
  readonly missing: RefusalCode;
  readonly unknown: RefusalCode;
  readonly invalid: RefusalCode;
}

export const subjects = {
  service: { missing: '131', unknown: '200', invalid: '131' },
  user: { missing: '132', unknown: '201', invalid: '300' },
  question: { missing: '133', unknown: '202', invalid: '262' },
  answer: { missing: '134', unknown: '203', invalid: '266' },
  scan: { missing: '135', unknown: '804', invalid: '135' },
  database: { missing: '50', unknown: '204', invalid: '270' },
  device: { missing: '410', unknown: '410', invalid: '410' },
  upload: { missing: '50', unknown: '50', invalid: '50' },
} as const satisfies Record<string, Subject>;

export type Ids = 'all' | readonly number[];

export interface Variables {
  readonly fields: Fields;
  has(name: string): boolean;
  /** The variable's text unchanged; `undefined` where it is absent. An empty text is a text. */
  text(name: string): string | undefined;
  /** For filters: as `text`, but `undefined` for an empty text. */
  filter(name: string): string | undefined;
  required(name: string, code: RefusalCode): string;
  flag(name: string): boolean | undefined;
  whole(name: string, range: { min: number; max: number; code?: RefusalCode }): number | undefined;
  choice<Option extends string>(name: string, options: readonly Option[], code?: RefusalCode): Option | undefined;
  /** A list of ids; `all` only where it is allowed. */
  ids(name: string, subject: Subject, allowed?: { all: boolean }): Ids | undefined;
  /** As `ids`, but an empty list is refused with the missing code. */
  someIds(name: string, subject: Subject, allowed?: { all: boolean }): Ids;
  /** Exactly one id, which must be there. */
  id(name: string, subject: Subject): number;
  /** Names separated by commas, or an array of names. */
  names(name: string): string[] | undefined;
  pairs(name: string): [string, string][] | undefined;
  /** The variables of each record in `name[0][field]`, in order; in XML, a single record is no list. */
  records(name: string): Variables[];
}

export function createVariables(fields: Fields): Variables {
  const sentValueOf = (name: string): RawValue | undefined => (Object.hasOwn(fields, name) ? fields[name] : undefined);

  const text = (name: string): string | undefined => {
    const value = sentValueOf(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw new Refusal('50', `${name} must be a single text.`);
    return storable(value, name);
  };

  const filter = (name: string): string | undefined => text(name) || undefined;

  const ids: Variables['ids'] = (name, subject, allowed) => {
    const list = itemsOf(sentValueOf(name));
    const joined = list ? list.filter((item) => typeof item === 'string').join(',') : text(name);
    if (joined === undefined || joined.trim() === '') return undefined;
    if (joined.trim() === 'all') {
      if (allowed?.all) return 'all';
      throw new Refusal(subject.invalid, `${name} must be a list of ids.`);
    }
    return joined.split(',').map((part) => readId(part.trim(), name, subject));
  };

  return {
    fields,
    has: (name) => sentValueOf(name) !== undefined,
    text,
    filter,
    required: (name, code) => {
      const value = text(name);
      if (value === undefined || value === '') throw new Refusal(code, `(${name})`);
      return value;
    },
    flag: (name) => {
      const value = filter(name);
      if (value === undefined) return undefined;
      if (value !== '0' && value !== '1') throw new Refusal('50', `${name} must be 1 or 0.`);
      return value === '1';
    },
    whole: (name, range) => {
      const value = filter(name);
      if (value === undefined) return undefined;
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
      if (!(number >= range.min && number <= range.max)) {
        throw new Refusal(range.code ?? '50', `${name} must be a whole number from ${range.min} to ${range.max}.`);
      }
      return number;
    },
    choice: (name, options, code = '50') => {
      const value = filter(name);
      if (value === undefined) return undefined;
      const found = options.find((option) => option === value);
      if (found === undefined) throw new Refusal(code, `${name} must be one of: ${options.join(', ')}.`);
      return found;
    },
    ids,
    someIds: (name, subject, allowed) => {
      const found = ids(name, subject, allowed);
      if (found === undefined) throw new Refusal(subject.missing);
      return found;
    },
    id: (name, subject) => {
      const found = ids(name, subject);
      if (found === undefined || found === 'all') throw new Refusal(subject.missing);
      if (found.length !== 1) throw new Refusal(subject.invalid, `${name} must be one id.`);
      return found[0] as number;
    },
    names: (name) => {
      const value = sentValueOf(name);
      if (value === undefined) return undefined;
      const parts = itemsOf(value) ?? (text(name) ?? '').split(',').map((part) => part.trim());
      return parts.filter((part): part is string => typeof part === 'string' && part !== '');
    },
    pairs: (name) => {
      const value = sentValueOf(name);
      if (value === undefined || value === '') return undefined;
      if (typeof value === 'string' || Array.isArray(value)) {
        throw new Refusal('50', `${name} must be given as ${name}[name]=value.`);
      }
      return Object.entries(value).map(([key, item]) => {
        if (typeof item !== 'string') throw new Refusal('50', `${name} must be given as ${name}[name]=value.`);
        return [storable(key, name), storable(item, name)];
      });
    },
    records: (name) => {
      const value = sentValueOf(name);
      if (value === undefined || value === '') return [];
      return (itemsOf(value) ?? [value]).map((item) => {
        if (typeof item === 'string' || Array.isArray(item)) {
          throw new Refusal('50', `${name} must be given as ${name}[0][field]=value.`);
        }
        return createVariables(item as Fields);
      });
    },
  };
}

/** The items of a PHP list, which is an array or a map whose keys are numbers; `undefined` for anything else. */
function itemsOf(value: RawValue | undefined): readonly RawValue[] | undefined {
  if (value === undefined || typeof value === 'string') return undefined;
  if (Array.isArray(value)) return value;
  const entries = Object.entries(value);
  return entries.every(([key]) => /^\d+$/.test(key)) ? entries.map(([, item]) => item) : undefined;
}

/** Refuses a NUL: SQLite reads a text back only up to it, and XML cannot carry it. */
function storable(value: string, name: string): string {
  if (value.includes('\0')) throw new Refusal('50', `${name} holds a NUL character, which cannot be kept.`);
  return value;
}

function readId(text: string, name: string, subject: Subject): number {
  if (!/^\d+$/.test(text)) throw new Refusal(subject.invalid, `${name} must be a list of ids.`);
  const id = Number(text);
  // An id too large to be exact matches nothing; -1 is never assigned.
  return Number.isSafeInteger(id) ? id : -1;
}
