/**
 * Store of rule timers: due digests and silences. Each timer is processed in one transaction under the relay's lock, so
 * that only one instance does, and no scan comes in between.
 */
import { createHash } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { lastScanAt, setLastScansBack } from '../../../counters/last-scans.js';
import { inEachTransaction, isDue, workOnDue } from '../../../database/claims/due-rows.js';
import { equal } from '../../../database/equal.js';
import type { Schema, SilencesTable } from '../../../database/schema.js';
import { type IncidentSubject, isOfRelay } from '../../../incidents/incident.js';
import { recheckIncidents } from '../../../incidents/incident-rows.js';
import { emptyTally } from '../../../incidents/tally.js';
import { openIncident } from '../../../incidents/writes.js';
import { enqueue } from '../../../posts/outbox/enqueue.js';
import type { Store } from '../../../workspaces/types.js';
import { collectsText, digestPost, type OpenDigest, toDigest } from '../../commit/rules.js';
import { lockRelay } from '../../record/lock.js';
import { type RelayRecord, toRelay } from '../../record/records.js';
import { rulesIn } from '../../record/relay.js';
import type { Rule } from '../../record/settings.js';
import { readDetail, writeDetail } from '../detail.js';
import { collectedUntil } from '../ready.js';

type Trx = Transaction<Schema>;

/** A silence at the time of the poll. */
export interface DueSilence extends IncidentSubject {
  readonly relay: RelayRecord;
  /** When the last scan came, or when the rule began to wait, if later. */
  readonly since: number;
  /** Whether the silence is an open incident already. */
  readonly isOpen: boolean;
}

/** The decision on a silence: when to check again, and whether it is an incident now. */
export interface SilenceDecision {
  readonly dueAt: number;
  readonly opens?: true;
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
          await enqueue(trx, { posts: [digestPost(digest, now, readDetail(digest.detail).under[0])] });
        }
        return relay !== undefined;
      }),

    /**
     * Called when the clock was set back. Silences that were ended by scans with later times begin now; digests and
     * incidents wait from now on at most.
     */
    async clockSetBack(now: number): Promise<void> {
      const relaysOf = (table: 'silences' | 'digests' | 'incidents') =>
        db.selectFrom(table).select('relay_id as id').where('due_at', '>', now);
      const ahead = await relaysOf('silences')
        .union(relaysOf('digests'))
        .union(relaysOf('incidents').where(isOfRelay))
        .execute();
      await inEachTransaction(db, ahead, async (trx, { id }) => {
        const relay = await lockRelay(trx, id);
        await setDigests(trx, id, relay ? rulesIn(relay.settings) : [], now, { from: now });
        await recheckIncidents(trx, id, now);
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

    /** Checks due silences; returns how many are incidents now. */
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
        const { relay_id: relayId, rule_id: ruleId, subject, subject_id: subjectId } = waitingRow;
        const isOpen = await hasOpenIncident(trx, waitingRow);
        const { dueAt, opens = false } = decide({
          relayId,
          ruleId,
          subject,
          subjectId,
          relay,
          since: silentSince,
          isOpen,
        });
        await trx.updateTable('silences').set({ due_at: dueAt }).where(equal(name)).execute();
        if (opens) {
          // The key is as long for any subject: buttons carry it. The next step of the poll posts the alert.
          const key = createHash('sha256').update(JSON.stringify([relayId, ruleId, subject, subjectId, now]));
          const times = { beganAt: silentSince, openedAt: now, lastAt: now, dueAt: now };
          await openIncident(trx, {
            postKey: `silence.${key.digest('base64url')}`,
            owner: relay.owner,
            relayId,
            ruleId,
            kind: 'silence',
            subject,
            subjectId,
            ...times,
            scans: 0,
            tally: emptyTally,
            shows: [],
          });
        }
        return opens;
      }),
  };
}

async function readDigest(trx: Trx, key: string): Promise<OpenDigest | undefined> {
  const collects = sql.raw<unknown>(collectsText).as('collects');
  const row = await trx.selectFrom('digests').selectAll().select(collects).where('key', '=', key).executeTakeFirst();
  return row && toDigest(row);
}

/**
 * Makes a relay's open digests due by its rules as they are now; those of a rule that makes none any more, at once.
 * `from`: only digests that began later.
 */
export async function setDigests(
  trx: Trx,
  relayId: string,
  rules: readonly Rule[],
  now: number,
  { from = Number.NEGATIVE_INFINITY }: { readonly from?: number } = {},
): Promise<void> {
  for (const row of await trx.selectFrom('digests').selectAll().where('relay_id', '=', relayId).execute()) {
    const stored = readDetail(row.detail);
    const began = stored.digest?.from ?? 0;
    if (began <= from) {
      continue;
    }
    // A beginning in the future comes from a wrong clock: with it, each edit would begin the digest anew.
    const at = Math.min(now, began);
    const detail = writeDetail({ ...stored, ...(stored.digest ? { digest: { ...stored.digest, from: at } } : {}) });
    const rule = rules.find(({ id, on, action }) => on && action === 'post' && id === row.rule_id);
    const due_at = rule ? collectedUntil(rule, at) : now;
    await trx.updateTable('digests').set({ due_at, detail }).where('key', '=', row.key).execute();
  }
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
        relay_id: relayId,
        rule_id: ruleId,
        subject,
        subject_id: subjectId,
        due_at: now,
        since: old?.since ?? now,
      })
      .onConflict((conflict) => conflict.columns(['relay_id', 'rule_id', 'subject_id']).doNothing())
      .execute();
  }
}

/** Makes a relay's silences wait from now on, as for a new relay: its scans were erased. */
export async function restartSilences(db: Kysely<Schema>, relayId: string, now: number): Promise<void> {
  await db.updateTable('silences').set({ since: now, due_at: now }).where('relay_id', '=', relayId).execute();
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
