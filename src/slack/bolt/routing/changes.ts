/**
 * The changes a request has made, and whether the person has seen the outcome.
 * A change that was made is never reported as failed, nor left unreported.
 */
import type { AuditEntry } from '../../../workspaces/types.js';

export interface Changes {
  /** As in the audit log. */
  readonly made: readonly AuditEntry[];
  /** Something was changed, and the last thing shown or posted did not reach the person. */
  readonly unseen: boolean;
  add(entry: AuditEntry): void;
  /** Whether the last thing shown or posted reached the person. */
  delivered(reached: boolean): void;
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
    delivered(reached) {
      lost = !reached;
    },
  };
}

/** Wraps a way of posting so that `changes` knows whether it reached the person. */
export function tracking<Said extends readonly unknown[]>(
  changes: Changes,
  say: (...said: Said) => Promise<void>,
): (...said: Said) => Promise<void> {
  return async (...said) => {
    try {
      await say(...said);
      changes.delivered(true);
    } catch (error) {
      changes.delivered(false);
      throw error;
    }
  };
}
