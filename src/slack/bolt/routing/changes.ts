/**
 * The changes that a request has made so far, and whether the person has seen how it ended. A change that was made is never
 * told as failed, and never left untold.
 */
import type { AuditEntry } from '../../../workspaces/types.js';

export interface Changes {
  /** As they stand on record. */
  readonly made: readonly AuditEntry[];
  /** Something was changed, and what was shown or said last did not reach the person. */
  readonly unseen: boolean;
  add(entry: AuditEntry): void;
  /** Something was shown or said: whether it reached the person. */
  said(reached: boolean): void;
}

export function createChanges(): Changes {
  const made: AuditEntry[] = [];
  let lost = false;
  return {
    made,
    get unseen() {
      return lost && made.length > 0;
    },
    add(entry) {
      made.push(entry);
    },
    said(reached) {
      lost = !reached;
    },
  };
}

/** The same way of saying something, which notes whether it reached the person. */
export function noting<Said extends readonly unknown[]>(
  changes: Changes,
  say: (...said: Said) => Promise<void>,
): (...said: Said) => Promise<void> {
  return async (...said) => {
    try {
      await say(...said);
      changes.said(true);
    } catch (error) {
      changes.said(false);
      throw error;
    }
  };
}
