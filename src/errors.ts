/**
 * The base of errors that callers tell apart: they branch on its stable code, and the log has its cause. It carries no
 * text for users: that is written in the code that shows the error.
 */

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
