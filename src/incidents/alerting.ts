/** The decision on a due incident: its facts, its outcome, and what incidents need of their relay. */
import type { Transaction } from 'kysely';
import type { Schema } from '../database/schema.js';
import type { Owner } from '../ownership.js';
import type { MutedPosts, MuteFact } from '../watches/facts.js';
import type { EndReason } from './incident.js';

/** The decision on an incident. `Post`: an alert as its relay decides it. */
export interface IncidentDecision<Post> {
  /** Set if the incident is over. */
  readonly ended?: { readonly at: number; readonly why: EndReason };
  /** When to check the incident again; left out only if it is over. */
  readonly dueAt?: number;
  /** Whether the incident’s thread gets a reply with the figures so far. */
  readonly update?: boolean;
  /**
   * Set for a silence outside its watched hours until `until`. No escalation comes after `from`, when the hours of its
   * post ended.
   */
  readonly rest?: { readonly until: number; readonly from: number | undefined };
  /** The alert, if it is posted now; it then waits for a new answer until `escalateAt`. */
  readonly post?: Post;
  readonly escalateAt?: number;
  readonly muted?: readonly MutedPosts[];
}

/**
 * The state of an alert's last message. `none`: not posted yet; `lost`: it ended undelivered; `withdrawn`: it was taken
 * out of the outbox.
 */
export type AlertMessage = 'none' | 'waiting' | 'delivered' | 'lost' | 'withdrawn';

/** The facts of a decision besides the incident: the time, the relay's mutes, and whether the relay is paused. */
export interface IncidentFactsNow {
  readonly now: number;
  readonly mutes: readonly MuteFact[];
  readonly paused: boolean;
}

/** A relay as its incidents know it. */
export interface AlertingRelay {
  readonly id: string;
  readonly owner: Owner;
  readonly paused?: object;
}

type Trx = Transaction<Schema>;

/** Reads a relay and locks it until the transaction ends; undefined if it was removed. */
export type LockAlerting<Relay extends AlertingRelay> = (trx: Trx, relayId: string) => Promise<Relay | undefined>;

/** The relays' part of an incident's life, each step in the incident's transaction. */
export interface Alerting<Relay extends AlertingRelay, Post> {
  readonly lock: LockAlerting<Relay>;
  /** Posts an alert. */
  announce(trx: Trx, relay: Relay, key: string, post: Post, now: number): Promise<void>;
}
