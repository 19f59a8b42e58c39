/** Error codes of the mirror: why a part of it could not be brought up to date. They are stable, and are metric labels. */
import { ScandeskError } from '../errors.js';

/**
 * - `relay.database_gone`: the account has no such database any more.
 * - `relay.database_unsteady`: too many values changed, or a page was missing: the values read are not all.
 */
export type MirrorErrorCode = 'relay.database_gone' | 'relay.database_unsteady';

export class MirrorError extends ScandeskError {
  declare readonly code: MirrorErrorCode;

  constructor(code: MirrorErrorCode, message: string, options?: { cause?: unknown }) {
    super(code, message, options);
  }
}

/** The error of a lost lease: another process keeps this mirror by now, or the mirror is of another connection. */
export class LeaseLost extends Error {}
