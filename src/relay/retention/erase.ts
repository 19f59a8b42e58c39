/**
 * The erasure of received scans with their posts: those of one barcode, or all of a workspace. It works in slices, each
 * in one transaction, so that an interrupted erasure can just be repeated.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Clock } from '../../clock.js';
import { fold } from '../../codereadr/barcode-equality.js';
import { countedKeys, ruleSubject } from '../../counters/counters.js';
import { eraseCounts, eraseCountsOfKeys } from '../../counters/erase-counts.js';
import { keepValuesKnown } from '../../counters/keep-values-known.js';
import { createPace, type Pace } from '../../database/pace.js';
import type { Schema } from '../../database/schema.js';
import { liveAlerts, redrawWithoutScans } from '../../incidents/incident-rows.js';
import type { Owner } from '../../ownership.js';
import { erasePostsOf, eraseScanlessPosts, undelivered } from '../../posts/retention/erase-posts.js';
import { findOwner } from '../../scans/owners.js';
import {
  countReceivedOf,
  countReceivedUpTo,
  deleteReceived,
  type LeavingScan,
  receivedIds,
  receivedOfBarcode,
  receivedOfOwner,
} from '../../scans/received/removal.js';
import type { Store } from '../../workspaces/types.js';
import { eraseEmptyDigests } from '../posts/resting-posts.js';
import { lockRelays } from '../record/lock.js';
import { rulesIn } from '../record/relay.js';
import { removedRulesOf } from '../rules/removed-rules.js';
import { restartSilences } from '../rules/timers/timer-rows.js';

export interface ScanCounts {
  readonly scans: number;
  /** How many posts were not delivered, and never will be. */
  readonly posts: number;
}

/** The most rows of one barcode that are read at once. */
const readAtOnce = 1_000;

export function createScanErasure(store: Pick<Store, 'db' | 'kind'>, clock: Clock) {
  const { db } = store;

  /** Deletes a slice of scans; returns how many there were, and how many of their posts were not delivered. */
  const erase = (
    pace: Pace,
    readScans: (trx: Kysely<Schema>, limit: number) => Promise<readonly LeavingScan[]>,
    { keepCounts }: { readonly keepCounts: boolean },
  ): Promise<ScanCounts> =>
    pace.slice(async (trx, maxScans) => {
      const scans = await readScans(trx, maxScans);
      if (scans.length === 0) {
        return { scans: 0, posts: 0 };
      }
      const ids = scans.map(({ id }) => id);
      const relayIds = [...new Set(scans.map((scan) => scan.relay_id))];
      const relays = await lockRelays(trx, relayIds);
      if (keepCounts) {
        await keepValuesKnown(trx, scans, relays);
      }
      const posts = await erasePostsOf(trx, ids, clock.now(), liveAlerts);
      await eraseEmptyDigests(trx, relayIds);
      await deleteReceived(trx, ids);
      await redrawWithoutScans(trx, relayIds, ids, clock.now());
      return { scans: scans.length, posts };
    });

  const relayIds = async ({ installation, team }: Owner): Promise<string[]> => {
    const rows = await db
      .selectFrom('relays')
      .select('id')
      .where('installation', '=', installation)
      .where('team', '=', team)
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => id);
  };

  const forgetCounts = async (trx: Transaction<Schema>, relays: readonly string[], keys: readonly string[]) => {
    const settings = await lockRelays(trx, relays);
    const removedRules = await removedRulesOf(trx, relays);
    for (const relayId of relays) {
      const rules = [
        ...rulesIn(settings.get(relayId)?.settings ?? '{}').map(({ id, generation }) => ({ ruleId: id, generation })),
        ...removedRules.flatMap(({ relay_id, rule_id: ruleId, generation }) =>
          relay_id === relayId ? [{ ruleId, generation }] : [],
        ),
      ];
      const subjects = ['value', ...rules.map((rule) => ruleSubject(rule, 'value'))];
      await eraseCountsOfKeys(trx, relayId, { subjects, keys });
    }
    return relays.length;
  };

  return {
    /** What `forget` would delete, as counts. */
    async countOf(owner: Owner, value: string): Promise<ScanCounts> {
      const number = (await findOwner(db, owner)) ?? 0;
      const scans = await countReceivedOf(db, number, value);
      const posts = await db
        .selectFrom('outbox')
        .select((eb) => eb.fn.countAll().as('n'))
        .where('scan_id', 'in', receivedIds(db, number, value))
        .where('key', 'not in', (eb) => eb.selectFrom('incidents').select('post_key').where('due_at', 'is not', null))
        .where('state', 'in', undelivered)
        .executeTakeFirst();
      return { scans, posts: Number(posts?.n ?? 0) };
    },

    /** What `eraseAll` would delete, as counts up to `most`. */
    async count({ installation, team }: Owner, most: number): Promise<ScanCounts> {
      const number = (await findOwner(db, { installation, team })) ?? 0;
      const { rows } = await sql<{ posts: number }>`select
        (select count(*) from (select 1 from outbox where installation = ${installation} and team = ${team}
          and finished_at is null and scan_id is not null limit ${sql.lit(most)}) as part) +
        (select count(*) from (select 1 from outbox where installation = ${installation} and team = ${team}
          and state = 'dead' limit ${sql.lit(most)}) as part) as posts`.execute(db);
      return { scans: await countReceivedUpTo(db, number, most), posts: Math.min(most, Number(rows[0]?.posts ?? 0)) };
    },

    /** Deletes the scans of a barcode in this spelling. `keepCounts`: its counts and admissions stay for validation. */
    async forget(
      owner: Owner,
      value: string,
      { keepCounts }: { readonly keepCounts: boolean },
      stopping: AbortSignal,
    ): Promise<ScanCounts> {
      const pace = createPace(store, clock, stopping);
      const number = (await findOwner(db, owner)) ?? 0;
      let lastId = '';
      const total = { scans: 0, posts: 0 };
      for (let hasMore = true; hasMore && !stopping.aborted; ) {
        const counts = await erase(
          pace,
          async (trx, limit) => {
            const page = { after: lastId, limit: Math.min(limit, readAtOnce) };
            const scans = await receivedOfBarcode(trx, number, value, page);
            lastId = scans.at(-1)?.id ?? lastId;
            return scans;
          },
          { keepCounts },
        );
        total.scans += counts.scans;
        total.posts += counts.posts;
        hasMore = counts.scans > 0;
      }
      if (!keepCounts) {
        const keys = [fold(value), value.toLowerCase()].flatMap((sameAs) =>
          countedKeys('value', { tid: value, sameAs }).map(({ key }) => key),
        );
        const relays = await relayIds(owner);
        for (let at = 0; at < relays.length && !stopping.aborted; ) {
          at += await pace.slice((trx, limit) => forgetCounts(trx, relays.slice(at, at + limit), keys));
        }
      }
      return total;
    },

    /** Deletes the owner's scans from before a moment with their posts, finished posts without scans, all counts. */
    async eraseAll(owner: Owner, erasedBefore: number, stopping: AbortSignal): Promise<void> {
      const pace = createPace(store, clock, stopping);
      const number = (await findOwner(db, owner)) ?? 0;
      for (let hasMore = true; hasMore && !stopping.aborted; ) {
        const read = (trx: Kysely<Schema>, limit: number) => receivedOfOwner(trx, number, erasedBefore, limit);
        hasMore = (await erase(pace, read, { keepCounts: false })).scans > 0;
      }
      for (const relayId of await relayIds(owner)) {
        await eraseCounts(pace, relayId);
        await db.updateTable('relays').set({ scans: 0, last_scan_at: null }).where('id', '=', relayId).execute();
        await restartSilences(db, relayId, clock.now());
      }
      await pace.walk(0, (trx, after, limit) => eraseScanlessPosts(trx, owner, { after, limit, alerts: liveAlerts }));
    },
  };
}
