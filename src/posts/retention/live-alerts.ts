/** Alerts: the posts of those that go on, or whose end is yet to be announced, are kept while these are. */
import type { Expression, ExpressionBuilder, Transaction } from 'kysely';
import type { Schema } from '../../database/schema.js';
import type { Owner } from '../../ownership.js';

/** The facts on alerts that retention needs; the incidents provide them. */
export interface LiveAlerts {
  /** Keys of posts that alerts need: their own, and the digests and thread parents that show them. */
  posts(trx: Transaction<Schema>, owner?: Owner): Promise<ReadonlySet<string>>;
  /** The keys of the posts that opened alerts, as a query: an alert outlives its scans, and its replies need it. */
  keys(eb: ExpressionBuilder<Schema, 'outbox'>): Expression<string>;
}
