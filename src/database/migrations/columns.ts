/**
 * Column types that the two databases name differently. `integer` has 64 bits in SQLite and 32 in PostgreSQL, so times
 * and counts are `bigint` in both.
 */
import { type RawBuilder, sql } from 'kysely';
import type { StoreKind } from '../types.js';

/**
 * Text compared and ordered byte by byte: keys, ids, barcodes. SQLite does so by default; in PostgreSQL the database's
 * locale would decide the order, and ranges over a prefix would miss rows.
 */
export function exactText(kind: StoreKind): RawBuilder<string> {
  return kind === 'postgres' ? sql`text collate "C"` : sql`text`;
}
