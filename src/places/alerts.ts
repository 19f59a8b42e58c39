/**
 * The alerts of a list: its thresholds, each an incident from the fold at which so many are inside to the one at which it
 * is well below, and barcodes that came in twice.
 */
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../database/schema.js';
import { readJson } from '../database/stored-json.js';
import { redrawIncidents } from '../incidents/table.js';
import {
  type CrossedThreshold,
  endThresholds,
  openThreshold,
  recountThreshold,
  thresholdsOf,
} from '../incidents/thresholds.js';
import { enqueue, enqueueOnce } from '../posts/outbox/enqueue.js';
import { changePost, keepDetail, postsUnder } from '../posts/outbox/single-posts.js';
import {
  type DoubleAdmission,
  type DoubleDetail,
  doubleDetail,
  doubleKey,
  doublePrefix,
  toDetail,
  undoneBy,
} from './doubles.js';
import { insideAt } from './figures.js';
import type { PlaceList } from './list.js';
import { type PlaceMove, placeBarcode } from './moves.js';

type Trx = Transaction<Schema>;

/** What the post of a threshold keeps: what was known when it was crossed. */
export const thresholdDetail = z.object({
  name: z.string(),
  percent: z.number(),
  capacity: z.number(),
  inside: z.number(),
  /** Inside at that moment by moves until then: what changes it came late. */
  until: z.number(),
});

/** Below a threshold by so many percent of the capacity, it is over. */
const marginPercent = 5;

export function thresholdLevel(capacity: number, percent: number): number {
  return Math.ceil((capacity * percent) / 100);
}

function isWellBelow(inside: number, capacity: number, percent: number): boolean {
  return inside < thresholdLevel(capacity, percent) - Math.max(1, (capacity * marginPercent) / 100);
}

/**
 * What becomes of the thresholds, by the figures as known now.
 * @returns the writes, for the transaction in which the list's folding ends, if there are any; they resolve to whether
 * something is to be posted
 */
export async function planThresholds(
  db: Kysely<Schema>,
  list: PlaceList,
  { makeKey, now }: { readonly makeKey: () => string; readonly now: number },
): Promise<((trx: Trx) => Promise<boolean>) | undefined> {
  const { capacity, alerts } = list.settings;
  const thresholds = await thresholdsOf(db, list.id, list.run);
  const percents = capacity === undefined ? [] : (alerts?.percents ?? []);
  if (thresholds.length + percents.length === 0 || list.fillTo !== undefined) {
    return undefined;
  }
  const [inside, until] = await Promise.all([insideAt(db, list.run), insideAt(db, list.run, now)]);
  const open = thresholds.filter(({ ended }) => !ended).map(({ percent }) => percent);
  const removed = open.filter((percent) => !percents.includes(percent));
  const over = open.filter((percent) => percents.includes(percent) && isWellBelow(inside, capacity ?? 0, percent));
  const crossings = percents
    .filter((percent) => !open.includes(percent) && inside >= thresholdLevel(capacity ?? 0, percent))
    .sort((one, other) => other - one);
  const recounts: [CrossedThreshold, number][] = [];
  for (const one of thresholds.filter(({ run }) => run === list.run)) {
    const then = await insideAt(db, list.run, one.openedAt);
    if (then !== one.inside) recounts.push([one, then]);
  }
  return recounts.length + over.length + removed.length + crossings.length === 0
    ? undefined
    : async (trx) => {
        for (const [{ postKey }, then] of recounts) {
          await recountThreshold(trx, postKey, then);
        }
        const changed = [
          ...recounts.map(([{ postKey }]) => postKey),
          ...(over.length > 0 ? await endThresholds(trx, list.id, { at: now, why: 'calm' }, over) : []),
          ...(removed.length > 0 ? await endThresholds(trx, list.id, { at: now, why: 'rule' }, removed) : []),
        ];
        const newAlerts = crossings.map((percent) => ({
          postKey: makeKey(),
          percent,
          run: list.run,
          openedAt: now,
          inside: until,
        }));
        for (const one of newAlerts) {
          await openThreshold(trx, { owner: list.owner, listId: list.id }, one);
        }
        // Of several that are crossed at once, the highest says it all.
        const [highest] = newAlerts;
        if (highest && alerts && capacity !== undefined) {
          const { postKey, percent } = highest;
          const detail: z.output<typeof thresholdDetail> = { name: list.name, percent, capacity, inside, until };
          await enqueue(trx, { posts: [postOf(list, { kind: 'threshold', key: postKey, detail, now })] });
        }
        await redrawIncidents(trx, [...new Set(changed)], now);
        return crossings.length > 0;
      };
}

/** In the transaction that folds them: each once. */
export async function tellDoubles(
  trx: Trx,
  list: PlaceList,
  doubles: readonly DoubleAdmission[],
  now: number,
): Promise<void> {
  for (const double of doubles) {
    const [key, detail] = [doubleKey(list.id, double), toDetail(list.name, double)];
    await enqueueOnce(trx, postOf(list, { kind: 'double', key, detail, now }));
  }
}

/**
 * Scans that came late show that some of what was told was none, or is one after all: the messages say so.
 * @param doubles all that there are now
 * @param before the moves of the same barcodes as they were stored
 * @returns whether there was such a message
 */
export async function correctDoubles(
  trx: Trx,
  list: PlaceList,
  {
    doubles,
    before,
    moves,
  }: { readonly doubles: readonly DoubleAdmission[] } & Readonly<Record<'before' | 'moves', readonly PlaceMove[]>>,
  now: number,
): Promise<boolean> {
  const doubled = new Map([...inTwice(before), ...inTwice(moves)].map(({ barcode, value }) => [barcode, value]));
  const prefixes = [...doubled.values()].map((value) => doublePrefix(list.id, value));
  const currentKeys = new Set(doubles.map((double) => doubleKey(list.id, double)));
  const changedKeys: string[] = [];
  for (const { key, detail: storedDetail } of await postsUnder(trx, 'double', prefixes)) {
    const detail = readJson(doubleDetail, storedDetail ?? '', 'double admission');
    const isOfValue = ({ barcode }: PlaceMove) => barcode === placeBarcode(detail.value);
    const of = (all: readonly PlaceMove[]) => undoneBy(all.filter(isOfValue), detail);
    const undone = currentKeys.has(key) ? undefined : of(moves);
    // What was never seen in this run is of an earlier day, or its scans were deleted for their age.
    const isKnown = undone !== 'gone' || of(before) !== 'gone';
    if (isKnown && nameOf(undone) !== nameOf(detail.undone)) {
      // Who was not told of a double need not hear that it was none.
      const expiresAt = undone === undefined ? null : now;
      await keepDetail(trx, key, JSON.stringify({ ...detail, undone } satisfies DoubleDetail), expiresAt);
      changedKeys.push(key);
    }
  }
  for (const key of changedKeys) await changePost(trx, key, now);
  return changedKeys.length > 0;
}

function inTwice(moves: readonly PlaceMove[]): readonly PlaceMove[] {
  const once = new Set<string>();
  return moves.filter(({ barcode, entering }) => entering && (once.has(barcode) || !once.add(barcode)));
}

const nameOf = (undone: DoubleDetail['undone']) => (typeof undone === 'object' ? undone.at : undone);

function postOf(
  { id, owner, settings }: PlaceList,
  {
    kind,
    key,
    detail,
    now,
  }: { readonly kind: 'threshold' | 'double'; readonly key: string; readonly detail: object; readonly now: number },
) {
  return {
    ...{ key, queue: { ...owner, channel: settings.alerts?.channel ?? '' }, source: { kind: 'list' as const, id } },
    ...{ at: now, kind, detail: JSON.stringify(detail) },
  };
}
