/** Alerts that go on, or whose end is yet to be announced: their posts are kept even if their scans are deleted. */
import type { Expression, ExpressionBuilder, Transaction } from 'kysely';
import type { Schema } from '../../database/schema.js';
import type { Owner } from '../../ownership.js';

/** The facts on alerts that retention needs; the incidents provide them. */
export interface LiveAlerts {
  /** Keys of posts that alerts need: their own, and the digests and thread parents that show them. */
  posts(trx: Transaction<Schema>, owner?: Owner): Promise<ReadonlySet<string>>;
  /** The keys of the posts that opened these alerts, as a query. */
  keys(eb: ExpressionBuilder<Schema, 'outbox'>): Expression<string>;
}
