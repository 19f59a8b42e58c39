/**
 * Schemas for single values, one per parameter type: from raw or typed input to a typed value, with a sentence for the
 * person who typed a wrong one. Nothing is trimmed, rounded or guessed.
 */
import { DateTime } from 'luxon';
import { z } from 'zod';
import type { FileInput } from './operation.js';
import { zoneNamed } from './zones.js';

const halfCharacter = /\p{Surrogate}/u;

/** Any text that can be sent. */
export const plain = z
  .string({ error: 'Enter text.' })
  .refine((value) => !value.includes('\0'), { error: 'This contains a NUL character, which can’t be sent.' })
  .refine((value) => !halfCharacter.test(value), {
    error: 'This contains an incomplete character, which can’t be sent.',
  });

/** A text. Its length counts code points, not UTF-16 units. `pattern` must match the whole text. */
export function text(max?: number, pattern?: string) {
  const shape = pattern === undefined ? undefined : new RegExp(`^(?:${pattern})$`, 'u');
  return plain
    .refine((value) => max === undefined || value.length <= max || [...value].length <= max, {
      error: `Enter at most ${max} characters.`,
    })
    .refine((value) => value === '' || shape === undefined || shape.test(value), {
      error: 'This isn’t in the expected format. See the hint below the field.',
    });
}

/** A barcode, which is never empty: as a filter the account might read an empty one as "any". */
export function barcode(max?: number) {
  return text(max).refine((value) => value !== '', { error: 'This field is required.', params: { code: 'missing' } });
}

const booleanTexts: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['yes', true],
  ['on', true],
  ['0', false],
  ['false', false],
  ['no', false],
  ['off', false],
]);

const notFlag = 'Enter 1 for yes or 0 for no.';

export const boolean = z.union(
  [
    z.boolean(),
    z.string().transform((text, context) => {
      const value = booleanTexts.get(text.toLowerCase());
      if (value === undefined) {
        context.addIssue({ code: 'custom', message: notFlag });
        return z.NEVER;
      }
      return value;
    }),
  ],
  { error: notFlag },
);

export function integer(min: number | undefined, max: number | undefined) {
  const range =
    min !== undefined && max !== undefined
      ? `Enter a whole number from ${min} to ${max}.`
      : min !== undefined
        ? `Enter a whole number, ${min} or more.`
        : 'Enter a whole number.';
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
  const shownValues = values.length > 12 ? `${values.slice(0, 12).join(', ')} …` : values.join(', ');
  const error = `Choose one of: ${shownValues}.`;
  return z.string({ error }).refine((value) => values.includes(value), { error });
}

export const notIds = 'Enter IDs as whole numbers, separated by commas.';

/** An id. It stays text: nothing is computed with it. */
export const id = z
  .string({ error: 'Enter an ID: a whole number.' })
  .refine((value) => /^\d{1,20}$/.test(value), { error: 'Enter an ID: a whole number.', params: { code: 'id' } });

export const email = plain.refine((value) => value === '' || z.email().safeParse(value).success, {
  error: 'Enter an email address such as name@example.com.',
  params: { code: '330' },
});

export function dateOrTime(formats: readonly string[], error: string) {
  const hasFormat = (value: string) =>
    formats.some((format) => DateTime.fromFormat(value, format, { locale: 'en-US', zone: 'utc' }).isValid);
  return plain.refine((value) => value === '' || hasFormat(value), { error });
}

export function zone(account: boolean) {
  return plain.transform((value, context) => {
    const zoneName = value === '' || (account && value === 'account') ? value : zoneNamed(value);
    if (zoneName === undefined) {
      context.addIssue({ code: 'custom', message: 'Enter a time zone such as Europe/Berlin or America/New_York.' });
      return z.NEVER;
    }
    return zoneName;
  });
}

/** A URL, sent as typed: `URL` would rewrite it. */
export const url = plain.superRefine((value, context) => {
  if (value === '') {
    return;
  }
  if (!/^https?:\/\//i.test(value)) {
    context.addIssue({
      code: 'custom',
      message: 'The URL must start with http:// or https://.',
      params: { code: '221' },
    });
  } else if (!URL.canParse(value) || /\s/.test(value)) {
    context.addIssue({ code: 'custom', message: 'This isn’t a valid URL.' });
  }
});

export function json(object: boolean) {
  const scalars = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
  const error = object ? 'Enter a JSON object with names and values, such as {"gate": "A"}.' : 'This isn’t valid JSON.';
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
    .refine((chosenFile) => suffixes.some((suffix) => chosenFile.name.toLowerCase().endsWith(suffix)), {
      error: `The file name must end in ${suffixes.join(' or ')}.`,
      params: { code: '1026' },
    })
    .refine((chosenFile) => !(chosenFile.content instanceof Uint8Array) || chosenFile.content.byteLength <= maxBytes, {
      error: `The file is too large. The limit is ${Math.floor(maxBytes / 1_000_000)} MB.`,
      params: { code: '105' },
    });
}

function isFile(input: unknown): boolean {
  return (
    typeof input === 'object' &&
    input !== null &&
    'name' in input &&
    typeof input.name === 'string' &&
    'type' in input &&
    typeof input.type === 'string' &&
    'content' in input &&
    typeof input.content === 'object' &&
    input.content !== null
  );
}
