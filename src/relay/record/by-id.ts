/**
 * Relay access by id alone, for authentication and delivery. Requests of people go by owner instead
 * (`relays/table.ts`).
 */
import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Schema } from '../../database/schema.js';
import type { Owner } from '../../ownership.js';
import { wakeQueuesOf } from '../../posts/outbox/channel-queues.js';
import { type PauseReason, type RelayAccess, type RelayRecord, toRelay } from './records.js';

export interface RelaysById {
  /** Undefined: no such relay, or it was removed. */
  access(id: string): Promise<RelayAccess | undefined>;
  find(id: string): Promise<RelayRecord | undefined>;
  /** False if it was paused already, so that only one caller acts on it. */
  pauseFor(id: string, why: PauseReason, now: number): Promise<boolean>;
  /**
   * True for exactly one caller, who notifies the owner and records the outcome before `until`. Afterwards the claim
   * expires, and another caller may notify.
   */
  claimNotice(id: string, now: number, until: number): Promise<boolean>;
  /** For the holder of the claim: the owner was notified. */
  noticeSent(id: string, until: number, now: number): Promise<void>;
  /** For the holder of the claim: the notice was not delivered. */
  releaseNotice(id: string, until: number): Promise<void>;
  /** Without removed ones. */
  ofOwner(owner: Owner): Promise<readonly RelayRecord[]>;
  /** Relays of all owners, without removed ones, whose settings contain this text. */
  withSettings(text: string): Promise<readonly RelayRecord[]>;
  /** Paused by Scandesk, with a notice due that nobody has claimed. */
  withNoticeDue(now: number): Promise<readonly RelayRecord[]>;
}

/** No claim is longer: a longer one was made by a wrong clock. */
const longestClaimMs = 10 * 60_000;

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
          .set({ paused_at: now, paused_why: why, owner_notified_at: null, notify_claimed_until: null })
          .where('id', '=', id)
          .where('paused_at', 'is', null)
          .where('removed_at', 'is', null)
          .returning(['installation', 'team'])
          .executeTakeFirst();
        if (!owner) {
          return false;
        }
        await wakeQueuesOf(trx, { owner, source: { kind: 'relay', id } }, now);
        return true;
      }),

    async claimNotice(id, now, until) {
      const claimed = await db
        .updateTable('relays')
        .set({ notify_claimed_until: until })
        .where('id', '=', id)
        .where('paused_at', 'is not', null)
        .where((eb) => unclaimed(eb, now))
        .executeTakeFirst();
      return claimed.numUpdatedRows > 0n;
    },

    async noticeSent(id, until, now) {
      await db
        .updateTable('relays')
        .set({ owner_notified_at: now, notify_claimed_until: null })
        .where('id', '=', id)
        .where('notify_claimed_until', '=', until)
        .execute();
    },

    async releaseNotice(id, until) {
      await db
        .updateTable('relays')
        .set({ notify_claimed_until: null })
        .where('id', '=', id)
        .where('notify_claimed_until', '=', until)
        .execute();
    },

    async ofOwner({ installation, team }) {
      const rows = await db
        .selectFrom('relays')
        .selectAll()
        .where((eb) => eb.and({ installation, team }))
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

    async withNoticeDue(now) {
      const rows = await db
        .selectFrom('relays')
        .selectAll()
        .where('paused_why', '=', 'token_revoked')
        .where((eb) => unclaimed(eb, now))
        .where('removed_at', 'is', null)
        .execute();
      return rows.map(toRelay);
    },
  };
}

/** No notice sent and no current claim. */
function unclaimed(eb: ExpressionBuilder<Schema, 'relays'>, now: number) {
  return eb.and([
    eb('owner_notified_at', 'is', null),
    eb.or([
      eb('notify_claimed_until', 'is', null),
      eb('notify_claimed_until', '<=', now),
      eb('notify_claimed_until', '>', now + longestClaimMs),
    ]),
  ]);
}
