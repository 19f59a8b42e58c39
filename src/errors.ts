/**
 * Errors that callers tell apart by a stable code, and the reference under which one failure is found. An error carries no
 * text for users: that is written in the code that shows the error.
 */
import type { Random } from './clock.js';

export class ScandeskError extends Error {
  /** The error's code: stable, dotted, lower case: `account.quota`, `store.busy`, `relay.body_too_large`. */
  readonly code: string;

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
  }
}

/** The code of any thrown value, `unknown` where it has none: for logs and metric labels. */
export function codeOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string') {
    return error.code;
  }
  return 'unknown';
}

/** The letters of a reference, which people read out on the phone: no I, L, O, U, 0 or 1, which look like others. */
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

/** The name of one failure, which a person reads out and an operator finds in the log. */
export function newReference(random: Random): string {
  return Array.from(random.bytes(8), (byte) => letters[byte % letters.length]).join('');
}
