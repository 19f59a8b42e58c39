/**
 * Owns how one variable is read: what a form, a command line or code gives -> the typed value, or what is wrong with it
 * in words for the person who typed it. Refuses to alter a text or a barcode.
 */
import { parse as parseCsv } from 'csv-parse/sync';
import { DateTime } from 'luxon';
import { z } from 'zod';
import type { FileInput, Variable } from './operation.js';
import { accountZone } from './zones.js';

/** A schema from raw or typed to typed. Its issues' messages are sentences for users; `params.code` an API code. */
export function schemaOf(variable: Variable): z.ZodType {
  switch (variable.type) {
    case 'text':
      return text(variable.max).refine(
        (value) => value === '' || variable.pattern === undefined || matches(variable.pattern, value),
        { error: 'This is not written as it should be.' },
      );
    case 'barcode':
      return text(variable.max);
    case 'flag':
      return flag;
    case 'whole':
      return whole(variable.min, variable.max);
    case 'choice':
      return oneOf(variable.options);
    case 'choices':
      return listOf(oneOf(variable.options));
    case 'id':
      return id;
    case 'ids':
      return variable.all ? z.union([z.literal('all'), listOf(id)], { error: notIds }) : listOf(id);
    case 'date':
      return moment(variable.american ? ['yyyy-MM-dd', 'MM/dd/yyyy'] : ['yyyy-MM-dd'], 'Write the date as 2030-12-31.');
    case 'time':
      return moment(
        variable.american ? ['HH:mm:ss', 'HH:mm', 'hh:mma', 'h:mma'] : ['HH:mm:ss', 'HH:mm'],
        'Write the time as 23:59.',
      ).transform((value) => (/^\d\d:\d\d$/.test(value) ? `${value}:00` : value));
    case 'zone':
      return zone(variable.account === true);
    case 'url':
      return url;
    case 'email':
      return orEmpty(z.email(), 'Write the e-mail address as name@example.com.', '330');
    case 'json':
      return json(variable.object === true);
    case 'file':
      return file(variable.suffixes, variable.maxBytes);
    case 'pairs':
      return pairs;
    case 'names':
      return listOf(name);
    case 'records':
      return records(variable);
  }
}

/** An empty text that means "nothing given": whatever is not free text has no empty value of its own. */
export function countsAsAbsent(variable: Variable, raw: unknown): boolean {
  if (raw === undefined || raw === null) {
    return true;
  }
  if (Array.isArray(raw)) {
    return raw.length === 0;
  }
  return raw === '' && !clearable.has(variable.type);
}

/** Types whose empty value is sent: it clears what the account holds. */
const clearable: ReadonlySet<Variable['type']> = new Set([
  'text',
  'barcode',
  'date',
  'time',
  'url',
  'email',
  'json',
  'zone',
]);

const halfCharacter = /\p{Surrogate}/u;

const plain = z
  .string({ error: 'Give a text.' })
  .refine((value) => !value.includes('\0'), { error: 'A value cannot hold the character NUL.' })
  .refine((value) => !halfCharacter.test(value), { error: 'This holds half a character, which cannot be sent.' });

/** Lengths count characters as people do, not the halves JavaScript counts. */
function text(max: number | undefined) {
  return plain.refine((value) => max === undefined || value.length <= max || [...value].length <= max, {
    error: `At most ${max} characters.`,
  });
}

function matches(pattern: string, value: string): boolean {
  return new RegExp(`^(?:${pattern})$`, 'u').test(value);
}

const words: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['yes', true],
  ['on', true],
  ['0', false],
  ['false', false],
  ['no', false],
  ['off', false],
]);

const notFlag = 'Give 1 for yes or 0 for no.';

const flag = z.union(
  [
    z.boolean(),
    z.string().transform((word, context) => {
      const value = words.get(word.toLowerCase());
      if (value === undefined) {
        context.addIssue({ code: 'custom', message: notFlag });
        return z.NEVER;
      }
      return value;
    }),
  ],
  { error: notFlag },
);

function whole(min: number | undefined, max: number | undefined) {
  const range =
    min !== undefined && max !== undefined
      ? `Give a whole number from ${min} to ${max}.`
      : min !== undefined
        ? `Give a whole number, ${min} or more.`
        : 'Give a whole number.';
  return z
    .union(
      [
        z.number(),
        z
          .string()
          .refine((digits) => /^-?\d{1,15}$/.test(digits), { error: range })
          .transform(Number),
      ],
      { error: range },
    )
    .refine((value) => Number.isSafeInteger(value) && value >= (min ?? value) && value <= (max ?? value), {
      error: range,
    });
}

function oneOf(options: readonly (readonly [string, string])[]) {
  const values = options.map(([value]) => value);
  const shown = values.length > 12 ? `${values.slice(0, 12).join(', ')} …` : values.join(', ');
  const error = `Choose one of: ${shown}.`;
  return z.string({ error }).refine((value) => values.includes(value), { error });
}

const notIds = 'Give ids: whole numbers, comma between them.';

/** Ids stay text: nothing is computed with them. */
const id = z
  .string({ error: 'Give an id: a whole number.' })
  .refine((value) => /^\d{1,20}$/.test(value), { error: 'Give an id: a whole number.', params: { code: 'id' } });

/** PHP ends a name at `]`, and lists of names put commas between them. */
const name = plain.refine((value) => value !== '' && !/[[\],]/.test(value), {
  error: 'A name cannot be empty or hold a comma or square brackets.',
});

function listOf(item: z.ZodType) {
  const split = z.string().transform((list) =>
    list
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  );
  return z.union([z.array(z.unknown()).readonly(), split], { error: notIds }).pipe(z.array(item));
}

function orEmpty(schema: z.ZodType, error: string, code?: string) {
  return plain.refine((value) => value === '' || schema.safeParse(value).success, {
    error,
    ...(code !== undefined && { params: { code } }),
  });
}

function moment(formats: readonly string[], error: string) {
  const known = (value: string) =>
    formats.some((format) => DateTime.fromFormat(value, format, { locale: 'en-US', zone: 'utc' }).isValid);
  return plain.refine((value) => value === '' || known(value), { error });
}

function zone(account: boolean) {
  return plain.transform((value, context) => {
    const spelt = value === '' || (account && value === 'account') ? value : accountZone(value);
    if (spelt === undefined) {
      context.addIssue({ code: 'custom', message: 'Give a time zone as Europe/Berlin or America/New_York.' });
      return z.NEVER;
    }
    return spelt;
  });
}

/** The text itself goes over the wire: `URL` would rewrite it. */
const url = plain.superRefine((value, context) => {
  if (value === '') {
    return;
  }
  if (!/^https?:\/\//i.test(value)) {
    context.addIssue({ code: 'custom', message: 'It must begin with http:// or https://.', params: { code: '221' } });
  } else if (!URL.canParse(value) || /\s/.test(value)) {
    context.addIssue({ code: 'custom', message: 'This is not a web address.' });
  }
});

function json(object: boolean) {
  const scalars = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
  const error = object ? 'Give a JSON object of names and values, as {"gate": "A"}.' : 'This is not JSON.';
  return plain.refine(
    (value) => {
      try {
        const parsed: unknown = value === '' ? {} : JSON.parse(value);
        return !object || scalars.safeParse(parsed).success;
      } catch {
        return false;
      }
    },
    { error },
  );
}

function file(suffixes: readonly string[], maxBytes: number) {
  return z
    .custom<FileInput>(isFile, { error: 'Choose a file.' })
    .refine((given) => suffixes.some((suffix) => given.name.toLowerCase().endsWith(suffix)), {
      error: `The file’s name must end in ${suffixes.join(' or ')}.`,
      params: { code: '1026' },
    })
    .refine((given) => !(given.content instanceof Uint8Array) || given.content.byteLength <= maxBytes, {
      error: `The file is too large: at most ${Math.floor(maxBytes / 1_000_000)} MB.`,
      params: { code: '105' },
    });
}

function isFile(given: unknown): boolean {
  return (
    typeof given === 'object' &&
    given !== null &&
    'name' in given &&
    typeof given.name === 'string' &&
    'type' in given &&
    typeof given.type === 'string' &&
    'content' in given &&
    typeof given.content === 'object' &&
    given.content !== null
  );
}

/** From text: a line each, `name=value`. */
const pairs = z
  .union(
    [
      z.record(z.string(), z.string()),
      z.string().transform((lines, context) => {
        const found: Record<string, string> = Object.create(null);
        for (const line of lines.split(/\r?\n/).filter(Boolean)) {
          const middle = line.indexOf('=');
          if (middle < 1) {
            context.addIssue({ code: 'custom', message: 'Write a line each, as name=value.' });
            return z.NEVER;
          }
          found[line.slice(0, middle)] = line.slice(middle + 1);
        }
        return found;
      }),
    ],
    { error: 'Write a line each, as name=value.' },
  )
  .superRefine((found, context) => {
    for (const [key, value] of Object.entries(found)) {
      if (!name.safeParse(key).success || !plain.safeParse(value).success) {
        context.addIssue({ code: 'custom', path: [key], message: 'This name or value cannot be sent.' });
      }
    }
  });

function records(variable: Variable & { readonly type: 'records' }) {
  const fields = Object.entries(variable.fields);
  const shape = fields.map(([field, declared]) => {
    const given = z.preprocess(
      (raw) => (countsAsAbsent(declared, raw) ? undefined : raw),
      schemaOf(declared).optional(),
    );
    return [field, given] as const;
  });
  const record = z
    .strictObject(Object.fromEntries(shape), { error: `A line holds ${fields.map(([field]) => field).join(', ')}.` })
    .superRefine((found, context) => {
      for (const [field, declared] of fields) {
        if (declared.required && (found[field] === undefined || found[field] === '')) {
          context.addIssue({ code: 'custom', path: [field], message: 'Fill this in.', params: { code: '1028' } });
        }
      }
    });
  const lines = z.string().transform((typed, context) => {
    try {
      return fromLines(typed, variable.columns ?? Object.keys(variable.fields));
    } catch {
      context.addIssue({ code: 'custom', message: 'A line’s quotes or commas are not as in a CSV file.' });
      return z.NEVER;
    }
  });
  return z
    .union([z.array(z.unknown()).readonly(), lines], { error: 'Give a list.' })
    .pipe(z.array(record).max(variable.max, { error: `At most ${variable.max} at a time.` }));
}

function fromLines(typed: string, columns: readonly string[]): readonly Readonly<Record<string, string>>[] {
  const rows: string[][] = parseCsv(typed, { relaxColumnCount: true, skipEmptyLines: true });
  return rows.map((row) => {
    if (row.length > columns.length) {
      throw new RangeError('more columns than fields');
    }
    return Object.fromEntries(row.map((cell, index) => [columns[index] ?? '', cell]));
  });
}
