/**
 * Store of rule timers: due digests and silences. Each timer is processed in one transaction under the relay's lock, so
 * that only one instance does, and no scan comes in between.
 */
import { hash } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { lastScanAt, setLastScansBack } from '../../../counters/last-scans.js';
import { inEachTransaction, isDue, workOnDue } from '../../../database/claims/due-rows.js';
import { equal } from '../../../database/equal.js';
import type { Schema, SilencesTable } from '../../../database/schema.js';
import type { IncidentSubject } from '../../../incidents/incident.js';
import { enqueue } from '../../../posts/outbox/enqueue.js';
import type { MutedPosts, MuteFact } from '../../../watches/facts.js';
import { countMuted, mutesOf } from '../../../watches/mute-rows.js';
import type { Store } from '../../../workspaces/types.js';
import { type DecidedPost, digestPost } from '../../commit/rules.js';
import { lockRelay } from '../../record/lock.js';
import { type RelayRecord, toRelay } from '../../record/records.js';
import { enqueueAlert, readDigest } from './enqueue.js';

type Trx = Transaction<Schema>;

/** A silence at the time of the poll. */
export interface DueSilence extends IncidentSubject {
  readonly relay: RelayRecord;
  /** When the last scan came, or when the rule began to wait, if later. */
  readonly since: number;
  /** Whether the alarm was posted, or left out by a mute, already. */
  readonly alreadyPosted: boolean;
  /** Mutes of the relay and its rules. */
  readonly mutes: readonly MuteFact[];
}

/** The decision on a silence: when to check again, and the post to make now. */
export interface SilenceDecision {
  readonly dueAt: number;
  readonly post?: DecidedPost;
  /** Mutes for a number of posts that left out the alarm, which then counts as posted. */
  readonly muted?: readonly MutedPosts[];
}

const dueDigests = { table: 'digests', at: 'due_at', key: ['key', 'relay_id'] } as const;
const dueSilences = { table: 'silences', at: 'due_at', key: ['relay_id', 'rule_id', 'subject_id'] } as const;

export function createRuleTimers({ db }: Pick<Store, 'db'>) {
  return {
    /** Makes posts of due digests; returns how many. */
    closeDigests: (now: number): Promise<number> =>
      workOnDue(db, dueDigests, now, async (trx, { key, relay_id: relayId }) => {
        const relay = await lockRelay(trx, relayId);
        const digest = await readDigest(trx, key);
        if (!digest) {
          return false;
        }
        await trx.deleteFrom('digests').where('key', '=', key).execute();
        if (relay) {
          await enqueue(trx, { posts: [digestPost(digest, now)] });
        }
        return relay !== undefined;
      }),

    /** Called when the clock was set back: silences that were ended by scans with later times begin now. */
    async clockSetBack(now: number): Promise<void> {
      const ahead = await db
        .selectFrom('silences')
        .select('relay_id as id')
        .distinct()
        .where('due_at', '>', now)
        .execute();
      await inEachTransaction(db, ahead, async (trx, { id }) => {
        await lockRelay(trx, id);
        await trx
          .updateTable('relays')
          .set({ last_scan_at: now })
          .where('id', '=', id)
          .where('last_scan_at', '>', now)
          .execute();
        await setLastScansBack(trx, id, now);
        await trx
          .updateTable('silences')
          .set((eb) => ({
            due_at: now,
            since: eb.case().when('since', '>', now).then(now).else(eb.ref('since')).end(),
          }))
          .where('relay_id', '=', id)
          .execute();
        return true;
      });
    },

    /** Checks due silences; returns how many alarms were posted. */
    checkSilences: (now: number, decide: (silence: DueSilence) => SilenceDecision): Promise<number> =>
      workOnDue(db, dueSilences, now, async (trx, name) => {
        const row = await lockRelay(trx, name.relay_id);
        if (!row) {
          // An older version left silences of deleted relays: such a silence would be due for ever, before all others.
          await trx.deleteFrom('silences').where(equal(name)).execute();
          return false;
        }
        const waitingRow = await readSilence(trx, name, now);
        if (!waitingRow) {
          return false;
        }
        const relay = toRelay(row);
        const lastAt = waitingRow.subject === 'relay' ? row.last_scan_at : await lastScanAt(trx, waitingRow);
        const silentSince = Math.max(lastAt ?? 0, waitingRow.since);
        const alreadyPosted = waitingRow.told_for === silentSince || (await hasOpenIncident(trx, waitingRow));
        const {
          dueAt,
          post,
          muted = [],
        } = decide({
          ...{ relayId: waitingRow.relay_id, ruleId: waitingRow.rule_id, subject: waitingRow.subject },
          ...{ subjectId: waitingRow.subject_id, relay, since: silentSince, alreadyPosted },
          mutes: await mutesOf(trx, relay, now),
        });
        await trx
          .updateTable('silences')
          .set({ due_at: dueAt, ...(post || muted.length > 0 ? { told_for: silentSince } : {}) })
          .where(equal(name))
          .execute();
        await countMuted(trx, muted);
        if (post) {
          // The key is in buttons: a device's id may be longer than a button's value.
          const subjectHash = hash('sha256', waitingRow.subject_id).slice(0, 16);
          const key = `silence.${relay.id}.${now}.${subjectHash}.${waitingRow.rule_id}`;
          await enqueueAlert(trx, relay, key, post, now);
        }
        return post !== undefined;
      }),
  };
}

/** Replaces the silences of a relay's rules. Existing ones keep when they began; all are checked at once. */
export async function setSilences(
  trx: Trx,
  relayId: string,
  wantedSilences: readonly Omit<IncidentSubject, 'relayId'>[],
  now: number,
): Promise<void> {
  const storedRows = await trx.selectFrom('silences').selectAll().where('relay_id', '=', relayId).execute();
  const nameOf = (ruleId: string, subject: string, subjectId: string) => JSON.stringify([ruleId, subject, subjectId]);
  const rowsByName = new Map(storedRows.map((row) => [nameOf(row.rule_id, row.subject, row.subject_id), row]));
  await trx.deleteFrom('silences').where('relay_id', '=', relayId).execute();
  for (const { ruleId, subject, subjectId } of wantedSilences) {
    const old = rowsByName.get(nameOf(ruleId, subject, subjectId));
    await trx
      .insertInto('silences')
      .values({
        ...{ relay_id: relayId, rule_id: ruleId, subject, subject_id: subjectId, due_at: now },
        ...{ since: old?.since ?? now, told_for: old?.told_for ?? null },
      })
      .onConflict((conflict) => conflict.columns(['relay_id', 'rule_id', 'subject_id']).doNothing())
      .execute();
  }
}

/** Makes a relay's silences wait from now on, as for a new relay: its scans were erased. */
export async function restartSilences(db: Kysely<Schema>, relayId: string, now: number): Promise<void> {
  await db
    .updateTable('silences')
    .set({ since: now, told_for: null, due_at: now })
    .where('relay_id', '=', relayId)
    .execute();
}

/** Whether the silence has an alert already: its rule may have been turned off and on. */
async function hasOpenIncident(trx: Trx, { relay_id, rule_id, subject, subject_id }: SilencesTable): Promise<boolean> {
  const row = await trx
    .selectFrom('incidents')
    .select('post_key')
    .where(equal({ relay_id, rule_id, subject, subject_id, ended_at: null }))
    .executeTakeFirst();
  return row !== undefined;
}

async function readSilence(trx: Trx, name: Pick<SilencesTable, 'relay_id' | 'rule_id' | 'subject_id'>, now: number) {
  return await trx.selectFrom('silences').selectAll().where(equal(name)).where(isDue('due_at', now)).executeTakeFirst();
}
