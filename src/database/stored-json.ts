/**
 * Readers of stored JSON: zod validates all of it, as an earlier version may have written it. Record keys begin with
 * the owner, so that an installation's records share a prefix.
 */
import type { z } from 'zod';
import { type Owner, ownerKey } from '../ownership.js';
import { StoreError } from './errors.js';

/** @throws StoreError `store.record_broken`. The message names the record's kind, never its content. */
export function readRecord<Shape extends z.ZodType>(shape: Shape, stored: unknown, kind: string): z.output<Shape> {
  const parsed = shape.safeParse(stored);
  if (!parsed.success) {
    throw new StoreError('store.record_broken', `a stored ${kind} does not match its schema`, {
      cause: parsed.error,
    });
  }
  return parsed.data;
}

/** Like `readRecord`, from JSON text. */
export function readJson<Shape extends z.ZodType>(shape: Shape, text: string, kind: string): z.output<Shape> {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    // The error has no cause: a JSON error quotes the text.
    throw new StoreError('store.record_broken', `a stored ${kind} is not JSON`);
  }
  return readRecord(shape, stored, kind);
}

/** Checks an id. @throws StoreError `store.owner`: a colon in it would file one owner's records under another's */
export function checkedId(id: string): string {
  if (id === '' || id.includes(':')) {
    throw new StoreError('store.owner', 'an installation or team id is empty or contains a colon');
  }
  return id;
}

/** The key of an owner's record: `<installation>:<team>:<record>` */
export function recordKey(owner: Owner, record: string): string {
  checkedId(owner.installation);
  checkedId(owner.team);
  return `${ownerKey(owner)}:${record}`;
}
