/**
 * Store of incidents. Lock order: the relay, its incidents, channel queues, posts, message updates. Code that changes
 * an incident's row calls `redrawIncidents` in the same transaction.
 */
import { type ExpressionBuilder, type Kysely, sql, type Transaction } from 'kysely';
import { bulkStatement } from '../database/bulk.js';
import { chunksOf } from '../database/chunks.js';
import { equal } from '../database/equal.js';
import type { Schema } from '../database/schema.js';
import type { Owner } from '../ownership.js';
import { urgentLane } from '../posts/kinds.js';
import { requestUpdatesSql, revisedAt, reviseSelected } from '../posts/outbox/message-updates.js';
import type { LiveAlerts } from '../posts/retention/live-alerts.js';
import { type Incident, incidentKeyOf, isOfRelay, messageKey, toIncident } from './incident.js';

const mostOpen = 20;

export function createIncidentStore(db: Kysely<Schema>) {
  const ownedBy = ({ installation, team }: Owner) =>
    db.selectFrom('incidents').selectAll().where(equal({ installation, team })).where(isOfRelay);

  return {
    /** The incident that a post announced. Undefined: there is none, as for alerts that an older version posted. */
    async find(owner: Owner, postKey: string): Promise<Incident | undefined> {
      const row = await ownedBy(owner).where('post_key', '=', incidentKeyOf(postKey)).executeTakeFirst();
      return row && toIncident(row);
    },

    /** The incidents that these posts announced, by post. */
    async ofPosts(owner: Owner, postKeys: readonly string[]): Promise<ReadonlyMap<string, Incident>> {
      const keys = [...new Set(postKeys.map(incidentKeyOf))];
      const rows = keys.length === 0 ? [] : await ownedBy(owner).where('post_key', 'in', keys).execute();
      const incidents = new Map(rows.map((row) => [row.post_key, toIncident(row)]));
      return new Map(
        postKeys.flatMap((key) => {
          const incident = incidents.get(incidentKeyOf(key));
          return incident ? [[key, incident] as const] : [];
        }),
      );
    },

    /** The open incidents of a rule, or of a relay where no rule is named. */
    async open(
      owner: Owner,
      { relayId, ruleId }: { readonly relayId: string; readonly ruleId?: string },
    ): Promise<readonly Incident[]> {
      const rows = await ownedBy(owner)
        .where('relay_id', '=', relayId)
        .$if(ruleId !== undefined, (query) => query.where('rule_id', '=', ruleId as string))
        .where('ended_at', 'is', null)
        .orderBy('opened_at')
        .execute();
      return rows.map(toIncident);
    },

    /** Open incidents whose message is in the channel, newest first. */
    async openIn(owner: Owner, channel: string): Promise<readonly Incident[]> {
      const rows = await ownedBy(owner)
        .where('ended_at', 'is', null)
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('outbox')
              .select('seq')
              .where(equal({ 'outbox.key': messageKey, 'outbox.channel': channel })),
          ),
        )
        .orderBy('opened_at', 'desc')
        .limit(mostOpen)
        .execute();
      return rows.map(toIncident);
    },
  };
}

/**
 * Makes updates of an incident's messages due: its posts or their digests, their thread parents, which count it, and
 * its escalations.
 */
const redraw = bulkStatement({ post_key: 'text', at: 'bigint' }, ({ input }) =>
  requestUpdatesSql(`
    select shown.seq, 1, max(input.at) from ${input} cross join outbox cross join outbox as shown
    where outbox.key >= input.post_key and outbox.key < input.post_key || '.agaio'
      and (outbox.key = input.post_key or outbox.key >= input.post_key || '.again')
      and shown.key in (coalesce(outbox.digest_key, outbox.key), coalesce(outbox.parent_key, outbox.key),
        outbox.key || '.escalated')
    group by shown.seq order by shown.seq`),
);

/** Makes updates of incidents' messages due. Call it in the transaction that changed the incidents. */
export async function redrawIncidents(
  trx: Transaction<Schema>,
  postKeys: readonly string[],
  now: number,
): Promise<void> {
  await redraw(
    trx,
    postKeys.map((post_key) => ({ post_key, at: now })),
  );
}

/**
 * Makes the timer check at once whether a relay's incidents go on, and whether alerts and escalations that wait can be
 * posted: after a change of the relay or a mute, and after the clock was set back, which no stored time outlasts.
 */
export async function recheckIncidents(trx: Transaction<Schema>, relayId: string, now: number): Promise<void> {
  await trx
    .updateTable('incidents')
    .set((eb) => {
      const upToNow = (column: 'began_at' | 'opened_at' | 'last_at' | 'replied_at' | 'reposted_at' | 'escalate_at') =>
        eb.case().when(column, '>', now).then(now).else(eb.ref(column)).end().$castTo<number>();
      return {
        due_at: now,
        escalate_at: upToNow('escalate_at'),
        began_at: upToNow('began_at'),
        opened_at: upToNow('opened_at'),
        last_at: upToNow('last_at'),
        replied_at: upToNow('replied_at'),
        reposted_at: upToNow('reposted_at'),
      };
    })
    .where('relay_id', '=', relayId)
    .where(isLive)
    .execute();
}

/** Posts whose keys begin with the incident's: its own, and perhaps usual posts of the scan that opened it. */
const isPostOf = sql<boolean>`outbox.key >= incidents.post_key and outbox.key < incidents.post_key || '/'`;

/** The condition that the incident goes on, or its end is still to be announced. */
function isLive(eb: ExpressionBuilder<Schema, 'incidents'>) {
  return eb('incidents.due_at', 'is not', null);
}

/**
 * Keys of posts that live incidents need: their own, and the digests and thread parents that show them. The join is a
 * cross join, which on SQLite begins with the incidents: any other would compare each post with each incident.
 */
async function postsOfLiveIncidents(trx: Transaction<Schema>, owner?: Owner): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('incidents')
    .crossJoin('outbox')
    .where(isPostOf)
    .select(['outbox.key', 'outbox.digest_key', 'outbox.parent_key'])
    .where(isLive)
    .$if(owner !== undefined, (query) =>
      query.where(equal({ 'incidents.installation': owner!.installation, 'incidents.team': owner!.team })),
    )
    .execute();
  return new Set(rows.flatMap((row) => [row.key, row.digest_key, row.parent_key]).filter((key) => key !== null));
}

/** The alerts that go on, for the deletion of posts. */
export const liveAlerts: LiveAlerts = {
  posts: postsOfLiveIncidents,
  keys: (eb) => eb.selectFrom('incidents').select('incidents.post_key').where(isOfRelay).$castTo<string>(),
};

const keysAtOnce = 50;

/** Makes updates due of alerts' messages and threads that may have shown deleted scans of these relays. */
export async function redrawWithoutScans(
  trx: Transaction<Schema>,
  relayIds: readonly string[],
  scanIds: readonly string[],
  now: number,
): Promise<void> {
  const incidents = await trx
    .selectFrom('incidents')
    .select('post_key')
    .where('relay_id', 'in', relayIds)
    .where((eb) => eb.or([isLive(eb), eb('end_scan_id', 'in', scanIds)]))
    .execute();
  const seqs: number[] = [];
  // The keys are parameters: both databases must know them when they plan, or they read every post.
  for (const some of chunksOf(incidents, keysAtOnce)) {
    const posts = trx.selectFrom('outbox').select('seq').where('lane', '=', urgentLane);
    const ownPosts = await posts
      .where((eb) => eb.or(some.map(({ post_key: key }) => eb.and([eb('key', '>=', key), eb('key', '<', `${key}/`)]))))
      .execute();
    seqs.push(...ownPosts.map(({ seq }) => seq));
  }
  for (const some of chunksOf(
    [...new Set(seqs)].sort((one, other) => one - other),
    keysAtOnce,
  )) {
    const posts = trx.selectFrom('outbox').select(revisedAt(now)).where('seq', 'in', some);
    await reviseSelected(trx, posts.orderBy('seq'));
  }
}

/** Deletes all incidents of an owner. */
export async function eraseIncidents(trx: Transaction<Schema>, { installation, team }: Owner): Promise<void> {
  await trx.deleteFrom('incidents').where(equal({ installation, team })).execute();
}

/** Deletes incidents that ended before `before` and whose post is gone. */
export async function pruneIncidents(db: Kysely<Schema>, before: number): Promise<void> {
  await db
    .deleteFrom('incidents')
    .where('ended_at', '<', before)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('outbox').select('seq').whereRef('outbox.key', '=', 'incidents.post_key'))),
    )
    .execute();
}
