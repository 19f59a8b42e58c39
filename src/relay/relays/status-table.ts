/** Status queries for a relay, by owner: reasons of dead letters, revoked secrets, states of single posts, counts. */
import { type Kysely, sql } from 'kysely';
import type { CountedScan, RuleCounter, Subject } from '../../counters/counters.js';
import { type PrunedAdmissions, readPrunedAdmissions } from '../../counters/pruned-admissions.js';
import { countedBy, countedByRules } from '../../counters/read-counters.js';
import { equal } from '../../database/equal.js';
import type { PostState, Schema } from '../../database/schema.js';
import type { Owner } from '../../ownership.js';
import { findOwner } from '../../scans/owners.js';
import { receivedIds } from '../../scans/received/removal.js';
import type { RelaySecret } from '../record/records.js';

export interface DeadLetterReason {
  /** The last failure's code; undefined if none was recorded. */
  readonly code: string | undefined;
  readonly posts: number;
  /** When the last of these posts became a dead letter. */
  readonly lastAt: number;
}

export interface RevokedSecret extends RelaySecret {
  readonly revokedAt: number;
}

export interface RelayStatusStore {
  /** Latest first. */
  deadLetters(owner: Owner, relayId: string): Promise<readonly DeadLetterReason[]>;
  /** The last failure of the first waiting post; undefined if it was not tried. */
  lastFailure(owner: Owner, relayId: string): Promise<string | undefined>;
  /** The owner's relays, removed ones included; `settings`: JSON as stored. */
  named(
    owner: Owner,
    ids: readonly string[],
  ): Promise<readonly { readonly id: string; readonly serviceName: string; readonly settings: string }[]>;
  /** Latest first. */
  revokedSecrets(owner: Owner, relayId: string, limit: number): Promise<readonly RevokedSecret[]>;
  /** The posts of the relay's scans of this value, those of the latest scan first. */
  posts(
    owner: Owner,
    relayId: string,
    value: string,
  ): Promise<readonly { readonly state: PostState; readonly code?: string }[]>;
  /** The relay's admissions of these barcodes by pruned scans; undefined: none. */
  prunedAdmissions(owner: Owner, relayId: string, scans: readonly CountedScan[]): Promise<PrunedAdmissions | undefined>;
  /**
   * The count of each scan's subject, as a commit would read it: values without a counter are counted among the stored
   * scans. Undefined if the relay does not count the subject. In the order of the scans.
   */
  currentCounts(
    owner: Owner,
    relayId: string,
    subject: Subject,
    scans: readonly CountedScan[],
  ): Promise<readonly (number | undefined)[]>;
  /** The counts of rules, by the counter's name; without those that counted nothing. */
  ruleCounts(owner: Owner, relayId: string, counters: readonly RuleCounter[]): Promise<ReadonlyMap<string, number>>;
}

export function createRelayStatusStore(db: Kysely<Schema>): RelayStatusStore {
  return {
    async deadLetters(owner, relayId) {
      const rows = await db
        .selectFrom('outbox')
        .select((eb) => ['last_code', eb.fn.countAll().as('posts'), eb.fn.max('finished_at').as('last_at')])
        .where(equal({ source: 'relay', source_id: relayId }))
        // A literal: SQLite uses a partial index only where it sees the condition.
        .where('state', '=', sql.lit('dead' as const))
        .where('installation', '=', owner.installation)
        .where('team', '=', owner.team)
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

    async lastFailure(owner, relayId) {
      const row = await db
        .selectFrom('outbox')
        .select('last_code')
        .where('installation', '=', owner.installation)
        .where('team', '=', owner.team)
        .where(equal({ source: 'relay', source_id: relayId }))
        .where('finished_at', 'is', null)
        .orderBy('seq')
        .limit(1)
        .executeTakeFirst();
      return row?.last_code ?? undefined;
    },

    async named(owner, ids) {
      if (ids.length === 0) {
        return [];
      }
      return await db
        .selectFrom('relays')
        .select(['id', 'service_name as serviceName', 'settings'])
        .where('installation', '=', owner.installation)
        .where('team', '=', owner.team)
        .where('id', 'in', ids)
        .execute();
    },

    async revokedSecrets(owner, relayId, limit) {
      const rows = await db
        .selectFrom('relay_secrets')
        .innerJoin('relays', 'relays.id', 'relay_secrets.relay_id')
        .select([
          'relay_secrets.id',
          'relay_secrets.created_at',
          'relay_secrets.last_used_at',
          'relay_secrets.ended_at',
        ])
        .where('relay_secrets.relay_id', '=', relayId)
        .where('relays.installation', '=', owner.installation)
        .where('relays.team', '=', owner.team)
        .where('relay_secrets.ended_at', 'is not', null)
        .orderBy('relay_secrets.ended_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        id: row.id,
        createdAt: row.created_at,
        ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
        revokedAt: row.ended_at ?? 0,
      }));
    },

    async posts(owner, relayId, value) {
      const rows = await db
        .selectFrom('outbox')
        .select(['outbox.state', 'outbox.last_code'])
        .where('outbox.scan_id', 'in', receivedIds(db, (await findOwner(db, owner)) ?? 0, value))
        .where(equal({ 'outbox.source': 'relay', 'outbox.source_id': relayId }))
        .orderBy('outbox.seq', 'desc')
        .limit(10)
        .execute();
      return rows.map((row) => ({ state: row.state, ...(row.last_code === null ? {} : { code: row.last_code }) }));
    },

    prunedAdmissions: (owner, relayId, scans) => readPrunedAdmissions(db, owner, relayId, scans),
    ruleCounts: (owner, relayId, counters) => countedByRules(db, { owner, relayId }, counters),
    currentCounts: (owner, relayId, subject, scans) => countedBy(db, { owner, relayId, subject }, scans),
  };
}
