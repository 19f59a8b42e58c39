/**
 * People's actions on a post: to acknowledge it and, for an incident, to hand it over or resolve it, each in one
 * transaction with the replies. An incident that is over or resolved can only be acknowledged.
 */
import type { Transaction } from 'kysely';
import { equal } from '../database/equal.js';
import type { Schema } from '../database/schema.js';
import type { Owner } from '../ownership.js';
import { type AcknowledgementChange, acknowledgePost } from '../posts/outbox/acknowledgement.js';
import { reviseMessage } from '../posts/outbox/message-updates.js';
import type { OutboxPost } from '../posts/outbox/post.js';
import { findPost } from '../posts/outbox/single-posts.js';
import type { Store } from '../workspaces/types.js';
import type { AlertingRelay, LockAlerting } from './alerting.js';
import { redrawIncidents } from './incident-rows.js';
import { postReply } from './timers.js';

interface Response {
  readonly who: string;
  readonly at: number;
}

export function createResponses({ db }: Pick<Store, 'db'>, lock: LockAlerting<AlertingRelay>) {
  return {
    find: (owner: Owner, key: string): Promise<OutboxPost | undefined> => findPost(db, key, owner),

    /**
     * Acknowledges a post. The first acknowledgement counts: later calls get `first: false` and the person who made it;
     * that person may change the note. Undefined: no such post.
     */
    async acknowledge(
      owner: Owner,
      key: string,
      change: AcknowledgementChange,
    ): Promise<(NonNullable<OutboxPost['acknowledged']> & { readonly first: boolean }) | undefined> {
      const first = await db.transaction().execute((trx) => acknowledge(trx, owner, key, change));
      const post = await findPost(db, key, owner);
      return post?.acknowledged && { first, ...post.acknowledged };
    },

    /** Hands an incident over, and acknowledges it if nobody had, as `resolve` does. False: nothing changed. */
    handOver: (owner: Owner, key: string, { who, at, to }: Response & { readonly to: string }): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const target = await trx
          .selectFrom('incidents')
          .select(['relay_id', 'rule_id', 'reposts'])
          .where(equal({ post_key: key, ...owner }))
          .executeTakeFirst();
        const relay = target && (await lock(trx, target.relay_id));
        const assigned = await updateOfIncident(trx, owner, key)
          .set({ assigned_to: to, assigned_by: who, assigned_at: at })
          .where(equal(openColumns))
          // Nothing changes if that person has the incident, and its alert was not posted again since.
          .where((eb) =>
            eb.or([
              eb('assigned_to', 'is', null),
              eb('assigned_to', '<>', to),
              eb('assigned_at', '<', eb.ref('reposted_at').$notNull()),
            ]),
          )
          .executeTakeFirst();
        if (!target || assigned.numUpdatedRows === 0n) {
          return false;
        }
        const { relay_id: relayId, rule_id: ruleId, reposts } = target;
        const incident = { postKey: key, relayId, ruleId, reposts };
        const mention = { users: [to], groups: [] };
        await postReply(trx, relay, incident, { part: 'handed_over', by: who, mention }, at);
        await acknowledge(trx, owner, key, { who, at });
        await redrawIncidents(trx, [key], at);
        return true;
      }),

    resolve: (
      owner: Owner,
      key: string,
      { who, at, reason }: Response & { readonly reason: string },
    ): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const resolved = await updateOfIncident(trx, owner, key)
          .set({ resolved_by: who, resolved_at: at, resolved_reason: reason })
          .where(equal(openColumns))
          .executeTakeFirst();
        if (resolved.numUpdatedRows === 0n) {
          return false;
        }
        await acknowledge(trx, owner, key, { who, at });
        await redrawIncidents(trx, [key], at);
        return true;
      }),
  };
}

/**
 * Acknowledges a post; true for its first acknowledgement. The row of its incident, if there is one, is locked before
 * the post's.
 */
async function acknowledge(
  trx: Transaction<Schema>,
  owner: Owner,
  key: string,
  change: AcknowledgementChange,
): Promise<boolean> {
  const ofIncident = await acknowledgeIncident(trx, owner, key, change);
  const changed = await acknowledgePost(trx, owner, key, change, ofIncident === 'first');
  if (changed) {
    await (ofIncident ? redrawIncidents(trx, [key], change.at) : reviseMessage(trx, changed.seq, change.at));
  }
  return changed?.first === true;
}

/**
 * Acknowledges the post's incident. The first acknowledgement since the alert was last posted counts; its person may
 * change the note. Undefined: the post has no incident, or somebody else was quicker.
 */
async function acknowledgeIncident(
  trx: Transaction<Schema>,
  owner: Owner,
  postKey: string,
  { who, at, note }: AcknowledgementChange,
): Promise<'first' | 'noted' | undefined> {
  const firstUpdate = await updateOfIncident(trx, owner, postKey)
    .set({ acknowledged_by: who, acknowledged_at: at, acknowledged_note: note || null })
    .where((eb) =>
      eb.or([eb('acknowledged_by', 'is', null), eb('acknowledged_at', '<', eb.ref('reposted_at').$notNull())]),
    )
    .returning('post_key')
    .executeTakeFirst();
  if (firstUpdate) {
    return 'first';
  }
  const noted = await updateOfIncident(trx, owner, postKey)
    .set((eb) => ({ acknowledged_note: note === undefined ? eb.ref('acknowledged_note') : note || null }))
    .where('acknowledged_by', '=', who)
    .returning('post_key')
    .executeTakeFirst();
  return noted && 'noted';
}

const openColumns = { ended_at: null, resolved_at: null } as const;

function updateOfIncident(trx: Transaction<Schema>, { installation, team }: Owner, postKey: string) {
  return trx.updateTable('incidents').where(equal({ post_key: postKey, installation, team }));
}
