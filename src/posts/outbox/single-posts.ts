/** Posts that a source finds again by their key. */
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { chunksOf } from '../../database/chunks.js';
import { equal } from '../../database/equal.js';
import type { OutboxTable, PostKind, Schema } from '../../database/schema.js';
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

/** Makes the update of a post's message due, once there is a message. */
export async function changePost(trx: Transaction<Schema>, key: string, now: number): Promise<void> {
  const post = await trx.selectFrom('outbox').select('seq').where('key', '=', key).executeTakeFirst();
  if (post) {
    await reviseMessage(trx, post.seq, now);
  }
}

/** Those of the keys whose post's message is due for an update. */
export async function postsToBeUpdated(db: Kysely<Schema>, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('message_updates')
    .innerJoin('outbox', 'outbox.seq', 'message_updates.post_seq')
    .select('outbox.key')
    .where('outbox.key', 'in', keys)
    .where('message_updates.due_at', 'is not', null)
    .execute();
  return new Set(rows.map(({ key }) => key));
}

/** Counts the post's age from now on, since its source still goes on. */
export async function touchPost(trx: Transaction<Schema>, key: string, now: number): Promise<void> {
  await trx
    .insertInto('message_updates')
    .columns(['post_seq', 'revision', 'updated_at'])
    .expression((eb) =>
      eb
        .selectFrom('outbox')
        .select(['seq', sql.lit(0).as('revision'), sql.lit(now).as('updated_at')])
        .where('key', '=', key),
    )
    .onConflict((conflict) => conflict.column('post_seq').doUpdateSet({ updated_at: now }))
    .execute();
}

/** Takes a post that was surely never sent out of the outbox, with the replies to it. */
export async function takeBack(trx: Transaction<Schema>, key: string): Promise<void> {
  const isUnsent = equal<'outbox'>({ state: 'pending', unconfirmed_at: null });
  const taken = await trx.deleteFrom('outbox').where('key', '=', key).where(isUnsent).executeTakeFirst();
  if (taken.numDeletedRows > 0n) {
    await trx.deleteFrom('outbox').where('parent_key', '=', key).where(isUnsent).execute();
  }
}

/** Deletes the posts whose keys begin with a prefix, whatever their state. */
export async function deletePostsUnder(trx: Transaction<Schema>, prefix: string): Promise<void> {
  await trx.deleteFrom('outbox').where('key', '>=', `${prefix}.`).where('key', '<', `${prefix}/`).execute();
}

type KeptPost = Pick<Selectable<OutboxTable>, 'seq' | 'key' | 'detail'>;
const rangesAtOnce = 50;

/** The posts of a kind under some keys' prefixes, whatever their state, in the order of their numbers. */
export async function postsUnder(
  db: Kysely<Schema>,
  kind: PostKind,
  prefixes: readonly string[],
): Promise<readonly KeptPost[]> {
  const posts: KeptPost[] = [];
  // The ranges are parameters: PostgreSQL must know them when it plans, or it reads every post for each.
  for (const some of chunksOf(prefixes, rangesAtOnce)) {
    const rows = await db
      .selectFrom('outbox')
      .select(['seq', 'key', 'detail'])
      .where('kind', '=', kind)
      .where((eb) => eb.or(some.map((one) => eb.and([eb('key', '>=', `${one}.`), eb('key', '<', `${one}/`)]))))
      .execute();
    posts.push(...rows);
  }
  return posts.sort((one, other) => one.seq - other.seq);
}

/**
 * Stores the source's detail in the post: its message shows the detail from its next update on.
 * @param expiresAt null: an unsent post waits for its turn; undefined: unchanged
 */
export async function keepDetail(
  trx: Transaction<Schema>,
  key: string,
  detail: string,
  expiresAt?: number | null,
): Promise<void> {
  await trx.updateTable('outbox').set({ detail, expires_at: expiresAt }).where('key', '=', key).execute();
}

/**
 * Deletes an owner's finished posts of one kind of source that are about no single scan, but for those whose message is
 * yet to be updated. No index leads from a source to its finished posts, so all posts about no single scan are read.
 */
export async function deleteFinishedPosts(
  db: Kysely<Schema>,
  { owner, kind }: { readonly owner: PostsOf['owner']; readonly kind: PostsOf['source']['kind'] },
): Promise<void> {
  await db
    .deleteFrom('outbox')
    .where(equal({ installation: owner.installation, team: owner.team, source: kind }))
    .where('scan_id', 'is', null)
    .where('finished_at', 'is not', null)
    .where('seq', 'not in', (eb) => eb.selectFrom('message_updates').select('post_seq').where('due_at', 'is not', null))
    .execute();
}
