/**
 * Owns relays and the hashes of their secrets. Refuses to show one owner's relay to another: whoever acts for a person
 * asks by owner (who knows a relay by its id alone is in relay-work.ts). Lanes are changed before posts, as everywhere, so
 * that no two transactions wait for each other.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Owner } from '../ownership.js';
import { type LaneKey, wakeLanes } from './lanes.js';
import { openStates, type RelayOverview, type RelayRecord, readOverviews } from './relay-records.js';
import type { OutboxState, Schema } from './schema.js';
import type { EraseHook } from './types.js';

export type RelayChange = Partial<Pick<RelayRecord, 'serviceIds' | 'serviceName' | 'channel' | 'notable'>>;

export interface RelayStore {
  add(relay: RelayRecord, secret: { id: string; hash: string }): Promise<void>;
  list(owner: Owner): Promise<readonly RelayOverview[]>;
  get(owner: Owner, id: string): Promise<RelayOverview | undefined>;
  /** All of these return false when the owner has no such relay. A new channel takes the posts along that wait. */
  change(owner: Owner, id: string, fields: RelayChange, now: number): Promise<boolean>;
  pause(owner: Owner, id: string, now: number): Promise<boolean>;
  /** What failed while it was paused starts anew: attempts are counted from here. */
  resume(owner: Owner, id: string, now: number): Promise<boolean>;
  addSecret(owner: Owner, id: string, secret: { id: string; hash: string }, now: number): Promise<boolean>;
  endSecret(owner: Owner, id: string, secretId: string, now: number): Promise<boolean>;
  /** Ends its secrets and sets aside what waits; scans stay. */
  remove(owner: Owner, id: string, now: number): Promise<boolean>;
  /** Posts set aside wait again, in their old order; how many. */
  replay(owner: Owner, id: string, now: number): Promise<number>;
}

export function createRelayStore(db: Kysely<Schema>): RelayStore {
  const overview = (owner: Owner, id?: string) => readOverviews(db, owner, id);

  /** Runs `work` when the owner has the relay, in one transaction with the look at it. */
  const owned = (owner: Owner, id: string, work: (trx: Transaction<Schema>) => Promise<boolean>): Promise<boolean> =>
    db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom('relays')
        .select('id')
        .where('id', '=', id)
        .where('installation', '=', owner.installation)
        .where('team', '=', owner.team)
        .where('removed_at', 'is', null)
        .executeTakeFirst();
      return row === undefined ? false : await work(trx);
    });

  return {
    add: (relay, secret) =>
      db.transaction().execute(async (trx) => {
        await trx
          .insertInto('relays')
          .values({
            id: relay.id,
            ...relay.owner,
            service_ids: JSON.stringify(relay.serviceIds),
            service_name: relay.serviceName,
            channel: relay.channel,
            notable: JSON.stringify(relay.notable),
            settings: '{}',
            created_by: relay.createdBy,
            created_at: relay.createdAt,
            scans: 0,
          })
          .execute();
        await insertSecret(trx, relay.id, secret, relay.createdAt);
      }),

    list: (owner) => overview(owner),

    async get(owner, id) {
      const [found] = await overview(owner, id);
      return found;
    },

    change: (owner, id, fields, now) =>
      owned(owner, id, async (trx) => {
        const set = {
          ...(fields.serviceIds === undefined ? {} : { service_ids: JSON.stringify(fields.serviceIds) }),
          ...(fields.serviceName === undefined ? {} : { service_name: fields.serviceName }),
          ...(fields.channel === undefined ? {} : { channel: fields.channel }),
          ...(fields.notable === undefined ? {} : { notable: JSON.stringify(fields.notable) }),
        };
        if (Object.keys(set).length > 0) {
          await trx.updateTable('relays').set(set).where('id', '=', id).execute();
        }
        if (fields.channel !== undefined) {
          await wakeLanes(trx, [{ ...owner, channel: fields.channel }], now);
          // A post in doubt may be in the old channel, and is looked for there.
          await trx
            .updateTable('outbox')
            .set({ channel: fields.channel })
            .where('relay_id', '=', id)
            .where('state', '=', 'waiting')
            .execute();
        }
        return true;
      }),

    pause: (owner, id, now) =>
      owned(owner, id, async (trx) => {
        await trx
          .updateTable('relays')
          .set({ paused_at: now, paused_why: 'person' })
          .where('id', '=', id)
          .where('paused_at', 'is', null)
          .execute();
        return true;
      }),

    resume: (owner, id, now) =>
      owned(owner, id, async (trx) => {
        await trx
          .updateTable('relays')
          .set({ paused_at: null, paused_why: null, told_at: null })
          .where('id', '=', id)
          .execute();
        await wakeLanes(trx, await lanesOf(trx, id, openStates), now);
        await trx
          .updateTable('outbox')
          .set({ next_at: now, attempts: 0, first_attempt_at: null })
          .where('relay_id', '=', id)
          .where('state', 'in', ['waiting', 'doubt'])
          .execute();
        return true;
      }),

    addSecret: (owner, id, secret, now) =>
      owned(owner, id, async (trx) => {
        await insertSecret(trx, id, secret, now);
        return true;
      }),

    endSecret: (owner, id, secretId, now) =>
      owned(owner, id, async (trx) => {
        const ended = await trx
          .updateTable('relay_secrets')
          .set({ ended_at: now })
          .where('relay_id', '=', id)
          .where('id', '=', secretId)
          .where('ended_at', 'is', null)
          .executeTakeFirst();
        return ended.numUpdatedRows > 0n;
      }),

    remove: (owner, id, now) =>
      owned(owner, id, async (trx) => {
        await trx.updateTable('relays').set({ removed_at: now }).where('id', '=', id).execute();
        await trx
          .updateTable('relay_secrets')
          .set({ ended_at: now })
          .where('relay_id', '=', id)
          .where('ended_at', 'is', null)
          .execute();
        await trx
          .updateTable('outbox')
          .set({ ...setAside(now), last_code: 'relay.removed' })
          .where('relay_id', '=', id)
          .where('state', 'in', openStates)
          .execute();
        return true;
      }),

    async replay(owner, id, now) {
      let replayed = 0;
      await owned(owner, id, async (trx) => {
        const again = { next_at: now, attempts: 0, first_attempt_at: null, finished_at: null };
        const { channel } = await trx
          .selectFrom('relays')
          .select('channel')
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        await wakeLanes(trx, [...(await lanesOf(trx, id, ['aside'])), { ...owner, channel }], now);
        const fresh = await trx
          .updateTable('outbox')
          .set({ ...again, state: 'waiting', channel })
          .where('relay_id', '=', id)
          .where('state', '=', 'aside')
          .where('doubt_at', 'is', null)
          .executeTakeFirst();
        // What may have gone out is looked for where it was sent to before anything is sent again.
        const doubtful = await trx
          .updateTable('outbox')
          .set({ ...again, state: 'doubt' })
          .where('relay_id', '=', id)
          .where('state', '=', 'aside')
          .where('doubt_at', 'is not', null)
          .executeTakeFirst();
        replayed = Number(fresh.numUpdatedRows + doubtful.numUpdatedRows);
        return true;
      });
      return replayed;
    },
  };
}

/** Pauses what an uninstalled app left behind, and sets aside what waits: there is nobody to post as. */
export function eraseRelays(now: () => number): EraseHook {
  return async (installation, trx) => {
    const at = now();
    await trx
      .updateTable('relays')
      .set({ paused_at: at, paused_why: 'uninstalled' })
      .where('installation', '=', installation)
      .execute();
    await trx
      .updateTable('outbox')
      .set({ ...setAside(at), last_code: 'relay.uninstalled' })
      .where('installation', '=', installation)
      .where('finished_at', 'is', null)
      .execute();
  };
}

/** What was being sent at that moment may have gone out: who replays it looks for it first. */
function setAside(now: number) {
  return {
    state: 'aside' as const,
    finished_at: now,
    doubt_at: sql<number | null>`case when state = 'sending' then coalesce(doubt_at, attempt_at) else doubt_at end`,
  };
}

async function insertSecret(
  trx: Transaction<Schema>,
  relayId: string,
  secret: { id: string; hash: string },
  now: number,
): Promise<void> {
  await trx
    .insertInto('relay_secrets')
    .values({ id: secret.id, relay_id: relayId, hash: secret.hash, created_at: now })
    .execute();
}

/** The channels in which this relay has posts in these states. */
async function lanesOf(trx: Transaction<Schema>, relayId: string, states: readonly OutboxState[]): Promise<LaneKey[]> {
  return await trx
    .selectFrom('outbox')
    .select(['installation', 'team', 'channel'])
    .distinct()
    .where('relay_id', '=', relayId)
    .where('state', 'in', states)
    .execute();
}
