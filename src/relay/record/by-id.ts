/** Reads of relays for authentication, delivery, notices and mirrors. People's requests go to `relays/relay-rows.ts`. */
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely';
import { equal } from '../../database/equal.js';
import type { Schema } from '../../database/schema.js';
import type { Owner } from '../../ownership.js';
import { wakeQueuesOf } from '../../posts/outbox/channel-queues.js';
import { holdSources } from '../../posts/outbox/held-sources.js';
import { type PauseReason, type RelayAccess, type RelayRecord, toRelay } from './records.js';

export function createRelaysById(db: Kysely<Schema>) {
  const relaysWhere = async (
    condition: (eb: ExpressionBuilder<Schema, 'relays'>) => Expression<SqlBool>,
  ): Promise<readonly RelayRecord[]> => {
    const rows = await db.selectFrom('relays').selectAll().where(condition).orderBy('id').execute();
    return rows.map(toRelay);
  };

  return {
    /** The record for the authentication of requests; undefined if there is no such relay, or it was removed. */
    async access(id: string): Promise<RelayAccess | undefined> {
      const rows = await db
        .selectFrom('relays')
        .leftJoin('relay_secrets', (join) =>
          join.onRef('relay_secrets.relay_id', '=', 'relays.id').on('relay_secrets.ended_at', 'is', null),
        )
        .select(['relay_secrets.id as secretId', 'relay_secrets.hash'])
        .select(['relays.installation', 'relays.team', 'relays.settings'])
        .where(equal({ 'relays.id': id, 'relays.removed_at': null }))
        .execute();
      const [first] = rows;
      if (!first) {
        return undefined;
      }
      const secrets = rows.flatMap(({ secretId, hash }) =>
        secretId !== null && hash !== null ? [{ id: secretId, hash }] : [],
      );
      const { installation, team, settings } = first;
      return { relayId: id, owner: { installation, team }, settings, secrets };
    },

    find: async (id: string): Promise<RelayRecord | undefined> => (await relaysWhere(equal({ id })))[0],

    /** Pauses a relay; false if it was paused or removed already, so that only one caller acts on the pause. */
    pauseFor: (id: string, why: PauseReason, now: number): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const owner = await trx
          .updateTable('relays')
          .set({ paused_at: now, paused_why: why, owner_notified_at: null })
          .where(equal({ id, paused_at: null, removed_at: null }))
          .returning(['installation', 'team'])
          .executeTakeFirst();
        if (!owner) {
          return false;
        }
        const source = { kind: 'relay' as const, id };
        await holdSources(trx, [source], { updates: true });
        await wakeQueuesOf(trx, { owner, source }, now);
        return true;
      }),

    /** The relays of an owner, without removed ones. */
    ofOwner: ({ installation, team }: Owner) => relaysWhere(equal({ installation, team, removed_at: null })),

    /** Relays of all owners, without removed ones, whose settings contain this text. */
    withSettings: (text: string) =>
      relaysWhere((eb) => eb.and([eb('removed_at', 'is', null), eb('settings', 'like', `%${text}%`)])),

    /** Relays that were paused for a revoked token, and whose creators have had no notice of the pause. */
    withNoticeDue: () => relaysWhere(equal({ paused_why: 'token_revoked', owner_notified_at: null, removed_at: null })),

    async noticeSent(id: string, pausedAt: number, now: number): Promise<void> {
      await db
        .updateTable('relays')
        .set({ owner_notified_at: now })
        .where(equal({ id, paused_at: pausedAt }))
        .execute();
    },
  };
}

export type RelaysById = ReturnType<typeof createRelaysById>;
