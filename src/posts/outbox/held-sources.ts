/** Held sources, whose posts wait. The transaction that pauses or resumes a source also holds or releases it. */
import type { Expression, ExpressionBuilder, SqlBool, Transaction } from 'kysely';
import { equal } from '../../database/equal.js';
import type { Schema } from '../../database/schema.js';
import { kindsWhere } from '../kinds.js';
import type { PostSource } from './post.js';

type Trx = Transaction<Schema>;

const heldKinds = kindsWhere(({ whenPaused }) => whenPaused !== 'posted');

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

/**
 * The condition that a post waits, since its source is held. A post of a kind that a pause does not hold goes all the
 * same, a reply once its thread was begun; where updates are held too, nothing can be posted.
 */
export function isHeld(eb: ExpressionBuilder<Schema, 'outbox'>) {
  const parent = eb
    .selectFrom('outbox as parent')
    .select('parent.seq')
    .whereRef('parent.key', '=', 'outbox.parent_key')
    .where('parent.state', '=', 'delivered');
  return isOfHeld(eb, (held) =>
    held.or([
      held('held_sources.updates', '=', 1),
      held('outbox.kind', 'in', heldKinds),
      eb.and([eb('outbox.parent_key', 'is not', null), eb.not(eb.exists(parent))]),
    ]),
  );
}

/** The condition that updates of the messages of a post's source wait. */
export function areUpdatesHeld(eb: ExpressionBuilder<Schema, 'outbox'>) {
  return isOfHeld(eb, (held) => held('held_sources.updates', '=', 1));
}

function isOfHeld(
  eb: ExpressionBuilder<Schema, 'outbox'>,
  which: (held: ExpressionBuilder<Schema, 'outbox' | 'held_sources'>) => Expression<SqlBool>,
) {
  return eb.exists(
    eb
      .selectFrom('held_sources')
      .select('held_sources.source_id')
      .whereRef('held_sources.source', '=', 'outbox.source')
      .whereRef('held_sources.source_id', '=', 'outbox.source_id')
      .where(which),
  );
}
