/**
 * Owns the column types that the two databases name differently. `integer` is SQLite's 64 bits and PostgreSQL's 32, so
 * that times and counts are `bigint` in both.
 */
import { type RawBuilder, sql } from 'kysely';
import type { StoreKind } from '../types.js';

/**
 * Text that is compared and ordered byte by byte: keys, ids, barcodes. It is what SQLite does anyway; in PostgreSQL the
 * database's language would else decide what comes first, and ranges over a prefix would miss rows.
 */
export function exactText(kind: StoreKind): RawBuilder<string> {
  return kind === 'postgres' ? sql`text collate "C"` : sql`text`;
}
