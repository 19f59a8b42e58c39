/** Status queries for a relay, by owner: reasons of dead letters, revoked secrets, states of single posts. */
import { type Kysely, sql } from 'kysely';
import { equal } from '../../database/equal.js';
import type { Schema } from '../../database/schema.js';
import type { Owner } from '../../ownership.js';
import { findOwner } from '../../scans/owners.js';
import { receivedIds } from '../../scans/received/removal.js';
import { type RelaySecret, toSecret } from '../record/records.js';

export interface DeadLetterReason {
  /** The error code of the last failure; undefined if none was recorded. */
  readonly code: string | undefined;
  readonly posts: number;
  /** When the last of these posts became a dead letter. */
  readonly lastAt: number;
}

export interface RevokedSecret extends RelaySecret {
  readonly revokedAt: number;
}

export function createRelayStatusStore(db: Kysely<Schema>) {
  return {
    /** The relay's dead letters by reason, the latest first. */
    async deadLetters(owner: Owner, relayId: string): Promise<readonly DeadLetterReason[]> {
      const rows = await db
        .selectFrom('outbox')
        .select((eb) => ['last_code', eb.fn.countAll().as('posts'), eb.fn.max('finished_at').as('last_at')])
        .where(postsOf(owner, relayId))
        // The state is a literal: SQLite uses a partial index only where it sees the condition.
        .where('state', '=', sql.lit('dead' as const))
        .groupBy('last_code')
        .execute();
      return rows
        .map((row) => ({
          code: row.last_code ?? undefined,
          posts: Number(row.posts),
          lastAt: Number(row.last_at ?? 0),
        }))
        .sort((a, b) => b.lastAt - a.lastAt);
    },

    /** The last failure of the first waiting post; undefined if it was not tried. */
    async lastFailure(owner: Owner, relayId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('outbox')
        .select('last_code')
        .where(postsOf(owner, relayId))
        .where('finished_at', 'is', null)
        .orderBy('seq')
        .limit(1)
        .executeTakeFirst();
      return row?.last_code ?? undefined;
    },

    /** The owner's relays, removed ones included; `settings`: JSON as stored. */
    async named({ installation, team }: Owner, ids: readonly string[]) {
      if (ids.length === 0) {
        return [];
      }
      return await db
        .selectFrom('relays')
        .select(['id', 'service_name as serviceName', 'settings'])
        .where(equal({ installation, team }))
        .where('id', 'in', ids)
        .execute();
    },

    /** The relay's revoked secrets, the latest first. */
    async revokedSecrets(owner: Owner, relayId: string, maxSecrets: number): Promise<readonly RevokedSecret[]> {
      const rows = await db
        .selectFrom('relay_secrets')
        .innerJoin('relays', 'relays.id', 'relay_secrets.relay_id')
        .selectAll('relay_secrets')
        .where(equal({ relay_id: relayId, 'relays.installation': owner.installation, 'relays.team': owner.team }))
        .where('ended_at', 'is not', null)
        .orderBy('ended_at', 'desc')
        .limit(maxSecrets)
        .execute();
      return rows.map((row) => ({ ...toSecret(row), revokedAt: row.ended_at ?? 0 }));
    },

    /** The latest posts of the relay's scans of this value, the latest post first. */
    async posts(owner: Owner, relayId: string, value: string) {
      const rows = await db
        .selectFrom('outbox')
        .select(['outbox.state', 'outbox.last_code'])
        .where('outbox.scan_id', 'in', receivedIds(db, (await findOwner(db, owner)) ?? 0, value))
        .where(equal({ 'outbox.source': 'relay', 'outbox.source_id': relayId }))
        .orderBy('outbox.seq', 'desc')
        .limit(10)
        .execute();
      return rows.map((row) => ({ state: row.state, code: row.last_code ?? undefined }));
    },
  };
}

function postsOf({ installation, team }: Owner, relayId: string) {
  return equal<'outbox'>({ installation, team, source: 'relay', source_id: relayId });
}
