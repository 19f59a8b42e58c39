/**
 * Relay access by id alone, for authentication and delivery. Requests of people go by owner instead
 * (`relays/table.ts`).
 */
import type { Kysely } from 'kysely';
import { equal } from '../../database/equal.js';
import type { Schema } from '../../database/schema.js';
import type { Owner } from '../../ownership.js';
import { wakeQueuesOf } from '../../posts/outbox/channel-queues.js';
import { holdSources } from '../../posts/outbox/held-sources.js';
import { type PauseReason, type RelayAccess, type RelayRecord, toRelay } from './records.js';

export interface RelaysById {
  /** Undefined: no such relay, or it was removed. */
  access(id: string): Promise<RelayAccess | undefined>;
  find(id: string): Promise<RelayRecord | undefined>;
  /** False if it was paused already, so that only one caller acts on it. */
  pauseFor(id: string, why: PauseReason, now: number): Promise<boolean>;
  /** Without removed ones. */
  ofOwner(owner: Owner): Promise<readonly RelayRecord[]>;
  /** Relays of all owners, without removed ones, whose settings contain this text. */
  withSettings(text: string): Promise<readonly RelayRecord[]>;
  /** Paused by Scandesk, and the person who made it does not know yet. */
  withNoticeDue(): Promise<readonly RelayRecord[]>;
  noticeSent(id: string, pausedAt: number, now: number): Promise<void>;
}

export function createRelaysById(db: Kysely<Schema>): RelaysById {
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
          .set({ paused_at: now, paused_why: why, owner_notified_at: null })
          .where('id', '=', id)
          .where('paused_at', 'is', null)
          .where('removed_at', 'is', null)
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

    async ofOwner({ installation, team }) {
      const rows = await db
        .selectFrom('relays')
        .selectAll()
        .where(equal({ installation, team }))
        .where('removed_at', 'is', null)
        .orderBy('id')
        .execute();
      return rows.map(toRelay);
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

    async withNoticeDue() {
      const rows = await db
        .selectFrom('relays')
        .selectAll()
        .where('paused_why', '=', 'token_revoked')
        .where('owner_notified_at', 'is', null)
        .where('removed_at', 'is', null)
        .execute();
      return rows.map(toRelay);
    },

    async noticeSent(id, pausedAt, now) {
      await db
        .updateTable('relays')
        .set({ owner_notified_at: now })
        .where(equal({ id, paused_at: pausedAt }))
        .execute();
    },
  };
}
