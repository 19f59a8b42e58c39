/** Outbox inserts for posts without a scan, under the relay's lock: at once, under a thread parent, or in a digest. */
import type { Kysely, Transaction } from 'kysely';
import { equal } from '../../../database/equal.js';
import type { Schema } from '../../../database/schema.js';
import { createPostPlanner, type DecidedPost, type OpenDigest, toDigest } from '../../commit/rules.js';
import { writeRules } from '../../commit/write-rules.js';
import type { RelayRecord } from '../../record/records.js';

type Trx = Transaction<Schema>;

/** Enqueues an alert that no scan makes, in the way that its rule says. */
export async function enqueueAlert(trx: Trx, relay: RelayRecord, key: string, post: DecidedPost, now: number) {
  const openDigest = await trx
    .selectFrom('digests')
    .selectAll()
    .where(equal({ relay_id: relay.id, rule_id: post.rule ?? '', channel: post.channel }))
    .executeTakeFirst();
  const posting = createPostPlanner({
    watches: () => [],
    mutes: () => [],
    memory: () => undefined,
    digest: () => openDigest && toDigest(openDigest),
    postsOf: () => [],
  });
  posting.add(relay, { key, scanId: '', at: now }, [post], 0);
  await writeRules(trx, posting.plan);
}

export async function readDigest(db: Kysely<Schema>, key: string): Promise<OpenDigest | undefined> {
  const row = await db.selectFrom('digests').selectAll().where('key', '=', key).executeTakeFirst();
  return row && toDigest(row);
}
