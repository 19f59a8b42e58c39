/** Held sources, whose posts wait. The transaction that pauses or resumes a source also holds or releases it. */
import { sql, type Transaction } from 'kysely';
import { equal } from '../../database/equal.js';
import type { Schema } from '../../database/schema.js';
import type { PostSource } from './post.js';

type Trx = Transaction<Schema>;

/** Holds the sources. `updates`: whether messages are no longer updated either, since nothing can be posted. */
export async function holdSources(
  trx: Trx,
  sources: readonly PostSource[],
  { updates }: { readonly updates: boolean },
): Promise<void> {
  for (const { kind, id } of sources) {
    await trx
      .insertInto('held_sources')
      .values({ source: kind, source_id: id, updates: Number(updates) })
      .onConflict((conflict) => conflict.columns(['source', 'source_id']).doUpdateSet({ updates: Number(updates) }))
      .execute();
  }
}

export async function releaseSources(trx: Trx, sources: readonly PostSource[]): Promise<void> {
  for (const { kind, id } of sources) {
    await trx
      .deleteFrom('held_sources')
      .where(equal({ source: kind, source_id: id }))
      .execute();
  }
}

/** The SQL condition that a row's source is held; with `updates`, that updates of the source's messages wait too. */
export function isHeld(table: 'outbox' | 'queue_heads', { updates = false }: { readonly updates?: boolean } = {}) {
  return sql<boolean>`exists (select 1 from held_sources
    where held_sources.source = ${sql.ref(`${table}.source`)} and held_sources.source_id = ${sql.ref(`${table}.source_id`)}
      ${updates ? sql`and held_sources.updates = 1` : sql``})`;
}
