/** Web API arguments: plain values in JSON, text in a form. */
import { z } from 'zod';
import { SlackRefusal } from '../refusal.js';

export const str = z.union([z.string(), z.number().transform(String)]);
export const bool = z.union([
  z.boolean(),
  z.enum(['true', '1']).transform(() => true),
  z.enum(['false', '0']).transform(() => false),
  z.literal(1).transform(() => true),
  z.literal(0).transform(() => false),
]);
export const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

/** An argument that is an object or a list, or its JSON text. The method validates the content. */
export const json = z.unknown().transform((value, context) => {
  if (typeof value !== 'string') {
    return value;
  }
  try {
    return JSON.parse(value) as unknown;
  } catch {
    context.addIssue({ code: 'custom', message: 'must be valid JSON' });
    return z.NEVER;
  }
});

export const list = z.union([
  z.array(z.string()),
  z.string().transform((value) =>
    value
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  ),
]);

/** A message's `ts`. */
export const stamp = z.string().regex(/^\d{1,12}(\.\d{1,6})?$/);

/** Pagination: the cursor encodes the next position and is opaque to the app. */
export const toCursor = (position: string): string => Buffer.from(`next:${position}`).toString('base64');

/**
 * The position in a cursor. @returns undefined for the first page
 * @throws SlackRefusal invalid_cursor
 */
export function positionOf(cursor: string | undefined): string | undefined {
  if (cursor === undefined || cursor === '') {
    return undefined;
  }
  const text = Buffer.from(cursor, 'base64').toString();
  if (!text.startsWith('next:')) {
    throw new SlackRefusal('invalid_cursor');
  }
  return text.slice('next:'.length);
}
