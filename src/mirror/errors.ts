/** Error codes of the mirror: why a part of it could not be brought up to date. They are stable, and are metric labels. */
import { isShortPage } from '../codereadr/lists/short-page.js';
import { ScandeskError } from '../errors.js';

/**
 * - `relay.database_gone`: the account has no such database any more.
 * - `relay.database_unsteady`: what was read is not complete: a page was short, or too much changed meanwhile.
 */
export type MirrorErrorCode = 'relay.database_gone' | 'relay.database_unsteady';

export class MirrorError extends ScandeskError {
  declare readonly code: MirrorErrorCode;

  constructor(code: MirrorErrorCode, message: string, options?: { cause?: unknown }) {
    super(code, message, options);
  }
}

/** The error of a lost lease: another process keeps this mirror, or it is deleted or of another connection. */
export class LeaseLost extends Error {}

/** @throws MirrorError `relay.database_unsteady`: a page lost its end on the way, or the account cut it */
export function refuseUnsteadyPage(page: Parameters<typeof isShortPage>[0]): void {
  if (isShortPage(page)) {
    throw new MirrorError('relay.database_unsteady', 'a page has fewer items than it counts');
  }
}
