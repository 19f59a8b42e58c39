/** What is decided on an open incident that is due, and from which facts. */
import type { DecidedPost, MutedPosts, MuteFact } from '../intake/commit/index.js';
import type { EndReason } from './incident.js';

export type IncidentDecision =
  | { readonly ended: { readonly at: number; readonly why: EndReason } }
  | {
      readonly dueAt: number;
      /** Its thread gets a reply with the figures so far. */
      readonly update?: boolean;
      /** It is outside its watched hours until then. Nobody is called after `from`, when those it was posted in ended. */
      readonly rest?: { readonly until: number; readonly from: number | undefined };
      /** It is announced again, and waits again for an answer. Without a post: mutes for a number of posts left it out. */
      readonly again?: { readonly post?: DecidedPost; readonly escalateAt?: number };
      readonly muted?: readonly MutedPosts[];
    };

/** What is known of its relay and the time. */
export interface IncidentFactsNow {
  readonly now: number;
  readonly mutes: readonly MuteFact[];
  readonly paused: boolean;
}
