/**
 * Schemas for single values, one per parameter type: raw or typed in, typed out, with a sentence for the person who
 * typed a wrong one. Nothing is trimmed, rounded or guessed.
 */
import { DateTime } from 'luxon';
import { z } from 'zod';
import type { FileInput } from './operation.js';
import { zoneNamed } from './zones.js';

const halfCharacter = /\p{Surrogate}/u;

/** Any text that can be sent. */
export const plain = z
  .string({ error: 'Give a text.' })
  .refine((value) => !value.includes('\0'), { error: 'A value cannot hold the character NUL.' })
  .refine((value) => !halfCharacter.test(value), { error: 'This holds half a character, which cannot be sent.' });

/** Lengths count code points, not UTF-16 units. `pattern` must match the whole text. */
export function text(max?: number, pattern?: string) {
  const shape = pattern === undefined ? undefined : new RegExp(`^(?:${pattern})$`, 'u');
  return plain
    .refine((value) => max === undefined || value.length <= max || [...value].length <= max, {
      error: `At most ${max} characters.`,
    })
    .refine((value) => value === '' || shape === undefined || shape.test(value), {
      error: 'This is not written as it should be.',
    });
}

/** An empty barcode is rejected: as a filter the account might read it as "any". */
export function barcode(max?: number) {
  return text(max).refine((value) => value !== '', { error: 'Fill this in.', params: { code: 'missing' } });
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

export const flag = z.union(
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

export function whole(min: number | undefined, max: number | undefined) {
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

export function oneOf(options: readonly (readonly [string, string])[]) {
  const values = options.map(([value]) => value);
  const shown = values.length > 12 ? `${values.slice(0, 12).join(', ')} …` : values.join(', ');
  const error = `Choose one of: ${shown}.`;
  return z.string({ error }).refine((value) => values.includes(value), { error });
}

export const notIds = 'Give ids: whole numbers, comma between them.';

/** Ids stay text: nothing is computed with them. */
export const id = z
  .string({ error: 'Give an id: a whole number.' })
  .refine((value) => /^\d{1,20}$/.test(value), { error: 'Give an id: a whole number.', params: { code: 'id' } });

export const email = plain.refine((value) => value === '' || z.email().safeParse(value).success, {
  error: 'Write the e-mail address as name@example.com.',
  params: { code: '330' },
});

export function dateOrTime(formats: readonly string[], error: string) {
  const known = (value: string) =>
    formats.some((format) => DateTime.fromFormat(value, format, { locale: 'en-US', zone: 'utc' }).isValid);
  return plain.refine((value) => value === '' || known(value), { error });
}

export function zone(account: boolean) {
  return plain.transform((value, context) => {
    const spelt = value === '' || (account && value === 'account') ? value : zoneNamed(value);
    if (spelt === undefined) {
      context.addIssue({ code: 'custom', message: 'Give a time zone as Europe/Berlin or America/New_York.' });
      return z.NEVER;
    }
    return spelt;
  });
}

/** The text itself goes over the wire: `URL` would rewrite it. */
export const url = plain.superRefine((value, context) => {
  if (value === '') {
    return;
  }
  if (!/^https?:\/\//i.test(value)) {
    context.addIssue({ code: 'custom', message: 'It must begin with http:// or https://.', params: { code: '221' } });
  } else if (!URL.canParse(value) || /\s/.test(value)) {
    context.addIssue({ code: 'custom', message: 'This is not a web address.' });
  }
});

export function json(object: boolean) {
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

export function file(suffixes: readonly string[], maxBytes: number) {
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
