/** Store of relays and their hashed secrets, by owner. Reads by id alone are in `by-id.ts`. */
import type { Kysely, Transaction } from 'kysely';
import { addCounting, type Counting, countingShape } from '../../counters/counters.js';
import { kindOf } from '../../database/bulk.js';
import { equal } from '../../database/equal.js';
import { StoreError } from '../../database/errors.js';
import type { Schema } from '../../database/schema.js';
import { readJson } from '../../database/stored-json.js';
import type { IncidentSubject } from '../../incidents/incident.js';
import { recheckIncidents } from '../../incidents/incident-rows.js';
import type { Owner } from '../../ownership.js';
import { wakeQueues, wakeQueuesOf } from '../../posts/outbox/channel-queues.js';
import { holdSources, releaseSources } from '../../posts/outbox/held-sources.js';
import type { PostsOf } from '../../posts/outbox/post.js';
import {
  movePosts,
  type RuleChannel,
  replayPosts,
  restartPosts,
  withdrawPosts,
} from '../../posts/outbox/source-posts.js';
import { ensureOwner } from '../../scans/owners.js';
import { type RelayOverview, type RelayRecord, readOverviews, toRelay } from '../record/records.js';
import { rulesIn } from '../record/relay.js';
import { removeRules, withGenerations } from '../rules/removed-rules.js';
import { setDigests, setSilences } from '../rules/timers/timer-rows.js';

/** The fields that the store needs with new settings. */
export interface SettingsNeeds {
  /** The relay's counters. Changing a limit keeps earlier counts. */
  readonly counting: RelayRecord['counting'];
  /** The silences that the relay's rules watch for. */
  readonly silences: readonly Omit<IncidentSubject, 'relayId'>[];
  /** The channel of each rule, to which the rule's waiting posts move. */
  readonly ruleChannels: readonly RuleChannel[];
}

/** The part of a relay that people change, as it was read. */
export type RelaySnapshot = Pick<RelayRecord, 'serviceIds' | 'serviceName' | 'channel' | 'notable' | 'settings'>;

/** A change of a relay. New settings come with the fields that the store needs. */
export type RelayChange = Partial<RelaySnapshot & SettingsNeeds>;

export function createRelayStore(db: Kysely<Schema>) {
  /**
   * Runs `work` if the owner has the relay, which stays locked meanwhile: nobody changes or deletes it. Returns false
   * if the owner has no such relay, or `work` returned false.
   */
  const ifOwned = (owner: Owner, id: string, work: (trx: Transaction<Schema>) => Promise<unknown>): Promise<boolean> =>
    db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom('relays')
        .select('id')
        .where(equal({ id, installation: owner.installation, team: owner.team, removed_at: null }))
        .$if(kindOf(trx) === 'postgres', (query) => query.forNoKeyUpdate())
        .executeTakeFirst();
      return row !== undefined && (await work(trx)) !== false;
    });

  return {
    add: (
      relay: RelayRecord,
      secret: { id: string; hash: string },
      settingsNeeds?: Pick<SettingsNeeds, 'silences'>,
    ): Promise<void> =>
      db.transaction().execute(async (trx) => {
        await trx
          .insertInto('relays')
          .values({
            id: relay.id,
            owner: await ensureOwner(trx, relay.owner),
            ...relay.owner,
            service_ids: JSON.stringify(relay.serviceIds),
            service_name: relay.serviceName,
            channel: relay.channel,
            notable: JSON.stringify(relay.notable),
            settings: relay.settings,
            counting: JSON.stringify(relay.counting),
            created_by: relay.createdBy,
            created_at: relay.createdAt,
            scans: 0,
          })
          .execute();
        await insertSecret(trx, relay.id, secret, relay.createdAt);
        await setSilences(trx, relay.id, settingsNeeds?.silences ?? [], relay.createdAt);
      }),

    list: (owner: Owner): Promise<readonly RelayOverview[]> => readOverviews(db, owner),

    async get(owner: Owner, id: string): Promise<RelayOverview | undefined> {
      const [found] = await readOverviews(db, owner, id);
      return found;
    },

    /**
     * Changes a relay. False, here and below: the owner has no such relay. A new channel takes the waiting posts along.
     * `basis`: the relay that the change is based on.
     * @throws StoreError `store.changed` if the fields differ from `basis`; nothing is changed then.
     */
    change: (owner: Owner, id: string, fields: RelayChange, now: number, basis?: RelaySnapshot): Promise<boolean> =>
      ifOwned(owner, id, async (trx) => {
        const storedRelay = toRelay(
          await trx.selectFrom('relays').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
        );
        if (basis && !isUnchanged(storedRelay, basis)) {
          throw new StoreError('store.changed', 'a relay was changed since it was read');
        }
        const settings = fields.settings && (await withGenerations(trx, id, fields.settings, storedRelay.settings));
        const set = {
          ...(fields.serviceIds === undefined ? {} : { service_ids: JSON.stringify(fields.serviceIds) }),
          ...(fields.serviceName === undefined ? {} : { service_name: fields.serviceName }),
          ...(fields.channel === undefined ? {} : { channel: fields.channel }),
          ...(fields.notable === undefined ? {} : { notable: JSON.stringify(fields.notable) }),
          ...(settings === undefined ? {} : { settings }),
        };
        if (Object.keys(set).length > 0) {
          await trx.updateTable('relays').set(set).where('id', '=', id).execute();
        }
        if (fields.counting !== undefined) {
          await countMore(trx, id, fields.counting, now);
        }
        if (fields.silences !== undefined) {
          await setSilences(trx, id, fields.silences, now);
          await recheckIncidents(trx, id, now);
        }
        if (settings !== undefined) {
          await setDigests(trx, id, rulesIn(settings), now);
          const remainingIds = new Set(rulesIn(settings).map((rule) => rule.id));
          await removeRules(
            trx,
            id,
            rulesIn(storedRelay.settings).filter((rule) => !remainingIds.has(rule.id)),
          );
        }
        const { channel: newChannel, ruleChannels } = fields;
        if (newChannel !== undefined || ruleChannels !== undefined) {
          const channel = newChannel === undefined ? {} : { channel: { from: storedRelay.channel, to: newChannel } };
          await movePosts(trx, postsOf(owner, id), { ...channel, ...(ruleChannels ? { ruleChannels } : {}) }, now);
        }
      }),

    /** The owner's relays, removed ones too, with settings (JSON) that contain this text. */
    async withSettings(
      { installation, team }: Owner,
      texts: readonly string[],
    ): Promise<readonly { relay: RelayRecord; removed: boolean }[]> {
      const rows = await db
        .selectFrom('relays')
        .selectAll()
        .where(equal({ installation, team }))
        .where((eb) => eb.or(texts.map((text) => eb('settings', 'like', `%${text}%`))))
        .execute();
      return rows.map((row) => ({ relay: toRelay(row), removed: row.removed_at !== null }));
    },

    pause: (owner: Owner, id: string, now: number): Promise<boolean> =>
      ifOwned(owner, id, async (trx) => {
        const update = await trx
          .updateTable('relays')
          .set({ paused_at: now, paused_why: 'person' })
          .where(equal({ id, paused_at: null }))
          .executeTakeFirst();
        if (update.numUpdatedRows > 0n) {
          // A person who pauses a relay wants no new posts; messages already sent stay up to date.
          await holdSources(trx, [postsOf(owner, id).source], { updates: false });
          await wakeQueuesOf(trx, postsOf(owner, id), now);
        }
      }),

    /** Resumes a relay. Posts that failed before it was paused start anew: attempts count from here. */
    resume: (owner: Owner, id: string, now: number): Promise<boolean> =>
      ifOwned(owner, id, async (trx) => {
        await trx
          .updateTable('relays')
          .set({ paused_at: null, paused_why: null, owner_notified_at: null })
          .where('id', '=', id)
          .execute();
        await recheckIncidents(trx, id, now);
        await releaseSources(trx, [postsOf(owner, id).source]);
        await restartPosts(trx, postsOf(owner, id), now);
      }),

    /** Checks the relay's alerts at once: what held them may be over. */
    recheck: (owner: Owner, id: string, now: number): Promise<boolean> =>
      ifOwned(owner, id, (trx) => recheckIncidents(trx, id, now)),

    addSecret: (owner: Owner, id: string, secret: { id: string; hash: string }, now: number): Promise<boolean> =>
      ifOwned(owner, id, (trx) => insertSecret(trx, id, secret, now)),

    revokeSecret: (owner: Owner, id: string, secretId: string, now: number): Promise<boolean> =>
      ifOwned(owner, id, async (trx) => {
        const ended = await trx
          .updateTable('relay_secrets')
          .set({ ended_at: now })
          .where(equal({ relay_id: id, id: secretId, ended_at: null }))
          .executeTakeFirst();
        return ended.numUpdatedRows > 0n;
      }),

    /** Removes a relay: revokes its secrets and withdraws its pending posts; scans stay. */
    remove: (owner: Owner, id: string, now: number): Promise<boolean> =>
      ifOwned(owner, id, async (trx) => {
        const { settings } = await trx
          .updateTable('relays')
          .set({ removed_at: now })
          .where('id', '=', id)
          .returning('settings')
          .executeTakeFirstOrThrow();
        await removeRules(trx, id, rulesIn(settings));
        await trx
          .updateTable('relay_secrets')
          .set({ ended_at: now })
          .where(equal({ relay_id: id, ended_at: null }))
          .execute();
        await trx.deleteFrom('digests').where('relay_id', '=', id).execute();
        await trx.deleteFrom('silences').where('relay_id', '=', id).execute();
        await recheckIncidents(trx, id, now);
        await releaseSources(trx, [postsOf(owner, id).source]);
        await withdrawPosts(trx, postsOf(owner, id), 'relay.removed', now);
      }),

    /** Makes the blocked queues of these channels due. */
    retryBlocked: (owner: Owner, channels: readonly string[], now: number): Promise<void> =>
      db.transaction().execute((trx) =>
        wakeQueues(
          trx,
          channels.map((channel) => ({ ...owner, channel })),
          now,
          'blocked',
        ),
      ),

    /** Replays dead letters in their old order and their current channels; returns how many. */
    async replay(owner: Owner, id: string, now: number, ruleChannels: readonly RuleChannel[] = []): Promise<number> {
      let replayed = 0;
      await ifOwned(owner, id, async (trx) => {
        const { channel } = await trx
          .selectFrom('relays')
          .select('channel')
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        replayed = await replayPosts(trx, postsOf(owner, id), { channel, ruleChannels }, now);
      });
      return replayed;
    },
  };
}

function postsOf(owner: Owner, id: string): PostsOf {
  return { owner, source: { kind: 'relay', id } };
}

function isUnchanged(current: RelaySnapshot, basis: RelaySnapshot): boolean {
  const text = ({ serviceIds, serviceName, channel, notable, settings }: RelaySnapshot) =>
    JSON.stringify([serviceIds, serviceName, channel, notable, settings]);
  return text(current) === text(basis);
}

/** Widens what the relay counts. Call it with the relay's row locked: no scan is committed in between. */
async function countMore(trx: Transaction<Schema>, id: string, addend: Counting, now: number): Promise<void> {
  const { counting } = await trx.selectFrom('relays').select('counting').where('id', '=', id).executeTakeFirstOrThrow();
  const widened = addCounting(readJson(countingShape, counting, 'relay'), addend, now);
  await trx
    .updateTable('relays')
    .set({ counting: JSON.stringify(widened) })
    .where('id', '=', id)
    .execute();
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
