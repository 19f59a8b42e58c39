/** Posts that a source finds again by their key. */
import type { Kysely, Transaction } from 'kysely';
import { equal } from '../../database/equal.js';
import type { Schema } from '../../database/schema.js';
import type { Owner } from '../../ownership.js';
import { reviseMessage } from './message-updates.js';
import { type OutboxPost, type PostsOf, toPost } from './post.js';

export async function findPost(db: Kysely<Schema>, key: string, owner?: Owner): Promise<OutboxPost | undefined> {
  const row = await db
    .selectFrom('outbox')
    .selectAll()
    .where(equal({ key, installation: owner?.installation, team: owner?.team }))
    .executeTakeFirst();
  return row && toPost(row);
}

/** What the post shows has changed: its message is updated once it is there. */
export async function changePost(trx: Transaction<Schema>, key: string, now: number): Promise<void> {
  const post = await trx.selectFrom('outbox').select('seq').where('key', '=', key).executeTakeFirst();
  if (post) {
    await reviseMessage(trx, post.seq, now);
  }
}

/** What the post keeps of a source that goes: its message shows the same. */
export async function keepDetail(trx: Transaction<Schema>, key: string, detail: string): Promise<void> {
  await trx.updateTable('outbox').set({ detail }).where('key', '=', key).execute();
}

/** Deletes an owner's finished posts of one kind of source, but for those whose message is yet to be updated. */
export async function deleteFinishedPosts(
  db: Kysely<Schema>,
  { owner, kind }: { readonly owner: PostsOf['owner']; readonly kind: PostsOf['source']['kind'] },
): Promise<void> {
  await db
    .deleteFrom('outbox')
    .where(equal({ installation: owner.installation, team: owner.team, source: kind }))
    .where('finished_at', 'is not', null)
    .where('seq', 'not in', (eb) => eb.selectFrom('message_updates').select('post_seq').where('due_at', 'is not', null))
    .execute();
}
