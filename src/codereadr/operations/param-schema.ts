/**
 * The schema of a parameter: it parses the input of a form, a command line or code into the typed value, or a message
 * for the person who typed it. Texts and barcodes stay unchanged.
 */
import { CsvError, parse as parseCsv } from 'csv-parse/sync';
import { z } from 'zod';
import type { Param } from './operation.js';
import { isValueHeader, namedColumns } from './value-columns.js';
import {
  barcode,
  boolean,
  dateOrTime,
  email,
  file,
  id,
  integer,
  json,
  notIds,
  oneOf,
  plain,
  text,
  url,
  zone,
} from './value-schemas.js';

const schemas = new WeakMap<Param, z.ZodType>();

/** A schema from raw or typed to typed. Its issues have sentences for users; `params.code` is for `problemIn`. */
export function schemaOf(param: Param): z.ZodType {
  const schema = schemas.get(param) ?? createSchema(param);
  schemas.set(param, schema);
  return schema;
}

function createSchema(param: Param): z.ZodType {
  switch (param.type) {
    case 'text':
      return text(param.max, param.pattern);
    case 'barcode':
      return barcode(param.max);
    case 'boolean':
      return boolean;
    case 'integer':
      return integer(param.min, param.max);
    case 'enum':
      return oneOf(param.options);
    case 'enumList':
      return listOf(oneOf(param.options));
    case 'id':
      return id;
    case 'ids':
      return param.all ? z.union([z.literal('all'), listOf(id)], { error: notIds }) : listOf(id);
    case 'date':
      return dateOrTime(
        param.american ? ['yyyy-MM-dd', 'MM/dd/yyyy'] : ['yyyy-MM-dd'],
        'Enter the date as YYYY-MM-DD, such as 2030-12-31.',
      );
    case 'time':
      return dateOrTime(
        param.american ? ['HH:mm:ss', 'HH:mm', 'hh:mma', 'h:mma'] : ['HH:mm:ss', 'HH:mm'],
        'Enter the time as HH:MM, such as 23:59.',
      ).transform((value) => (/^\d\d:\d\d$/.test(value) ? `${value}:00` : value));
    case 'zone':
      return zone(param.account === true);
    case 'url':
      return url;
    case 'email':
      return email;
    case 'json':
      return json(param.object === true);
    case 'file':
      return param.url
        ? z.union([url, file(param.suffixes, param.maxBytes)], { error: 'Choose a file or enter its URL.' })
        : file(param.suffixes, param.maxBytes);
    case 'pairs':
      return pairs;
    case 'names':
      return listOf(nameSchema);
    case 'records':
      return records(param);
  }
}

/** Whether an input counts as not given: none, an empty list, or an empty text where that clears no value. */
export function isAbsent(param: Param, raw: unknown): boolean {
  if (raw === undefined || raw === null) {
    return true;
  }
  if (Array.isArray(raw)) {
    return raw.length === 0;
  }
  return raw === '' && !clearable.has(param.type);
}

/** Types whose empty value is sent: it clears the account's value. */
const clearable: ReadonlySet<Param['type']> = new Set([
  'text',
  'barcode',
  'date',
  'time',
  'url',
  'email',
  'json',
  'zone',
]);

/** The name of a scan property or the like: PHP ends a name at `]`, and lists of names are separated by commas. */
const nameSchema = plain.refine((value) => value !== '' && !/[[\],]/.test(value), {
  error: 'A name can’t be empty or contain commas or square brackets.',
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

/** Pairs; in text, one `name=value` per line. */
const pairs = z
  .union(
    [
      z.record(z.string(), z.string()),
      z.string().transform((lines, context) => {
        const pairsByKey: Record<string, string> = Object.create(null);
        for (const line of lines.split(/\r?\n/).filter(Boolean)) {
          const middle = line.indexOf('=');
          if (middle < 1) {
            context.addIssue({ code: 'custom', message: 'Enter one name=value per line.' });
            return z.NEVER;
          }
          pairsByKey[line.slice(0, middle)] = line.slice(middle + 1);
        }
        return pairsByKey;
      }),
    ],
    { error: 'Enter one name=value per line.' },
  )
  .superRefine((found, context) => {
    for (const [key, value] of Object.entries(found)) {
      if (!nameSchema.safeParse(key).success || !plain.safeParse(value).success) {
        context.addIssue({ code: 'custom', path: [key], message: 'This name or value can’t be sent.' });
      }
    }
  });

function records(param: Param & { readonly type: 'records' }) {
  const fields = Object.entries(param.fields);
  const fieldSchemas = fields.map(([field, declared]) => {
    const schema = z.preprocess((raw) => (isAbsent(declared, raw) ? undefined : raw), schemaOf(declared).optional());
    return [field, schema] as const;
  });
  const record = z
    .strictObject(Object.fromEntries(fieldSchemas), {
      error: `A line can contain ${fields.map(([field]) => field).join(', ')}.`,
    })
    .superRefine((sentPairs, context) => {
      for (const [field, declared] of fields) {
        if (declared.required && (sentPairs[field] === undefined || sentPairs[field] === '')) {
          context.addIssue({
            code: 'custom',
            path: [field],
            message: 'This field is required.',
            params: { code: 'missing' },
          });
        }
      }
    });
  const lines = z.string().transform((typedText, context) => {
    try {
      const typedRecords = fromLines(typedText, param);
      for (const { line, fields: givenFields } of typedRecords) {
        const issue = record.safeParse(givenFields).error?.issues[0];
        if (issue) {
          const { params } = issue as { params?: Record<string, unknown> };
          context.addIssue({
            code: 'custom',
            message: `Line ${line}: ${issue.message}`,
            ...(params ? { params } : {}),
          });
          return z.NEVER;
        }
      }
      return typedRecords.map(({ fields: givenFields }) => givenFields);
    } catch (error) {
      const line = error instanceof CsvError && typeof error.lines === 'number' ? `Line ${error.lines}: ` : '';
      const message =
        error instanceof RangeError
          ? error.message
          : `${line}Check the quotes and commas: each line must be valid CSV.`;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
  });
  return z
    .union([z.array(z.unknown()).readonly(), lines], { error: 'Enter a list.' })
    .pipe(z.array(record).max(param.max, { error: `Enter at most ${param.max} at a time.` }));
}

interface TypedRecord {
  readonly line: number;
  readonly fields: Readonly<Record<string, string>>;
}

/** Parses records from lines of text. @throws RangeError with a message for people; CsvError */
function fromLines(
  typedText: string,
  { columns = [], headers }: Pick<Param & { readonly type: 'records' }, 'columns' | 'headers'>,
): readonly TypedRecord[] {
  const options = { relaxColumnCount: true, skipEmptyLines: true, info: true };
  const rows = parseCsv(typedText, options) as unknown as { record: string[]; info: { lines: number } }[];
  // A single line is no header, as a barcode may be spelled like one.
  const hasHeader = headers !== undefined && rows.length > 1 && isValueHeader(rows[0]!.record);
  const named = hasHeader ? namedColumns(rows[0]!.record) : columns;
  if ('wrong' in named) {
    throw new RangeError(`Line ${rows[0]!.info.lines}, column ${named.wrong + 1}: ${named.message}`);
  }
  return (hasHeader ? rows.slice(1) : rows).map(({ record, info: { lines: line } }) => {
    const extra = record.findIndex((cell, at) => named[at] === undefined && (at >= named.length || cell.trim() !== ''));
    if (extra !== -1) {
      throw new RangeError(
        `Line ${line}, column ${extra + 1}: a line has at most ${named.length} columns${hasHeader ? ', as the header line' : `: ${columns.join(', ')}`}.`,
      );
    }
    return { line, fields: Object.fromEntries(record.flatMap((cell, at) => (named[at] ? [[named[at], cell]] : []))) };
  });
}
