/**
 * Owns what the machinery asks of relays by their id alone: the door that a scan comes through, and the deliverer. No person
 * is served from here.
 */
import type { Kysely } from 'kysely';
import { wakeLanesOf } from './relay-lanes.js';
import { type PauseReason, type RelayAccess, type RelayRecord, toRelay } from './relay-records.js';
import type { Schema } from './schema.js';

export interface RelayWork {
  /** Undefined: no such relay, or it was removed. */
  access(id: string): Promise<RelayAccess | undefined>;
  find(id: string): Promise<RelayRecord | undefined>;
  /** False when it was paused already, so that one of many finds out first. */
  pauseFor(id: string, why: PauseReason, now: number): Promise<boolean>;
  /** True for exactly one caller until `forgetTold`: it is the one who tells the person. */
  claimTelling(id: string, now: number): Promise<boolean>;
  forgetTold(id: string): Promise<void>;
  /** Those that people have not removed, whose settings hold this text; everybody's. */
  withSettings(text: string): Promise<readonly RelayRecord[]>;
  /** Paused by us, and the person does not know yet. */
  untold(): Promise<readonly RelayRecord[]>;
}

export function createRelayWork(db: Kysely<Schema>): RelayWork {
  return {
    async access(id) {
      const rows = await db
        .selectFrom('relays')
        .leftJoin('relay_secrets', (join) =>
          join.onRef('relay_secrets.relay_id', '=', 'relays.id').on('relay_secrets.ended_at', 'is', null),
        )
        .select(['relay_secrets.id as secretId', 'relay_secrets.hash'])
        .select(['relays.installation', 'relays.team', 'relays.settings'])
        .where('relays.id', '=', id)
        .where('relays.removed_at', 'is', null)
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

    async find(id) {
      const row = await db.selectFrom('relays').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toRelay(row);
    },

    pauseFor: (id, why, now) =>
      db.transaction().execute(async (trx) => {
        const owner = await trx
          .updateTable('relays')
          .set({ paused_at: now, paused_why: why, told_at: null })
          .where('id', '=', id)
          .where('paused_at', 'is', null)
          .where('removed_at', 'is', null)
          .returning(['installation', 'team'])
          .executeTakeFirst();
        if (!owner) {
          return false;
        }
        await wakeLanesOf(trx, { owner, relayId: id }, now);
        return true;
      }),

    async claimTelling(id, now) {
      const claimed = await db
        .updateTable('relays')
        .set({ told_at: now })
        .where('id', '=', id)
        .where('paused_at', 'is not', null)
        .where('told_at', 'is', null)
        .executeTakeFirst();
      return claimed.numUpdatedRows > 0n;
    },

    async forgetTold(id) {
      await db.updateTable('relays').set({ told_at: null }).where('id', '=', id).execute();
    },

    async withSettings(text) {
      const rows = await db
        .selectFrom('relays')
        .selectAll()
        .where('removed_at', 'is', null)
        .where('settings', 'like', `%${text}%`)
        .execute();
      return rows.map(toRelay);
    },

    async untold() {
      const rows = await db
        .selectFrom('relays')
        .selectAll()
        .where('paused_why', 'in', ['channel_gone', 'token_revoked'])
        .where('told_at', 'is', null)
        .where('removed_at', 'is', null)
        .execute();
      return rows.map(toRelay);
    },
  };
}
