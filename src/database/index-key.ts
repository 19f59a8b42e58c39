/** A text of any length as a key of an index. */
import { hash } from 'node:crypto';

/** The longest key that is indexed unchanged; PostgreSQL allows at most 2,704 bytes. */
const longestKey = 200;

/** The text itself, or its hash if it is long. The prefix keeps the two apart. */
export function indexKey(text: string): string {
  return text.length <= longestKey ? `=${text}` : `#${hash('sha256', text, 'base64url')}`;
}
