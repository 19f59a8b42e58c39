/**
 * The alerts of a list: crossed thresholds, and barcodes that came in twice. A crossed threshold is an incident until a
 * fold finds the figure well below it, or the threshold or the day ends.
 */
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../database/schema.js';
import { readJson } from '../database/stored-json.js';
import { redrawIncidents } from '../incidents/incident-rows.js';
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

/** The stored facts of a threshold's post, as known when it was crossed. */
export const thresholdDetail = z.object({
  name: z.string(),
  percent: z.number(),
  capacity: z.number(),
  inside: z.number(),
  /** The moment up to which moves were counted: later changes of that figure come from late scans. */
  until: z.number(),
});

/** An incident ends once the figure is further below its threshold than this percentage of the capacity, and than 1. */
const marginPercent = 5;

export function thresholdLevel(capacity: number, percent: number): number {
  return Math.ceil((capacity * percent) / 100);
}

function isWellBelow(inside: number, capacity: number, percent: number): boolean {
  return inside < thresholdLevel(capacity, percent) - Math.max(1, (capacity * marginPercent) / 100);
}

/**
 * Plans the thresholds' incidents by the figures as known now.
 * @returns the writes, for the transaction in which the list's folding ends, if there are any; they resolve to whether
 * there are new posts
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
  const openPercents = thresholds.filter(({ ended }) => !ended).map(({ percent }) => percent);
  const removedPercents = openPercents.filter((percent) => !percents.includes(percent));
  const calmPercents = openPercents.filter(
    (percent) => percents.includes(percent) && isWellBelow(inside, capacity ?? 0, percent),
  );
  const crossings = percents
    .filter((percent) => !openPercents.includes(percent) && inside >= thresholdLevel(capacity ?? 0, percent))
    .sort((one, other) => other - one);
  const recounts: [CrossedThreshold, number][] = [];
  for (const threshold of thresholds.filter(({ run }) => run === list.run)) {
    const insideThen = await insideAt(db, list.run, threshold.openedAt);
    if (insideThen !== threshold.inside) recounts.push([threshold, insideThen]);
  }
  return recounts.length + calmPercents.length + removedPercents.length + crossings.length === 0
    ? undefined
    : async (trx) => {
        for (const [{ postKey }, insideThen] of recounts) await recountThreshold(trx, postKey, insideThen);
        const changed = [
          ...recounts.map(([{ postKey }]) => postKey),
          ...(await endThresholds(trx, list.id, { at: now, why: 'calm' }, calmPercents)),
          ...(await endThresholds(trx, list.id, { at: now, why: 'rule' }, removedPercents)),
        ];
        const newAlerts = crossings.map((percent) => ({
          postKey: makeKey(),
          percent,
          run: list.run,
          openedAt: now,
          inside: until,
        }));
        for (const crossed of newAlerts) await openThreshold(trx, { owner: list.owner, listId: list.id }, crossed);
        // Of several thresholds that are crossed at once, only the highest is posted.
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

/** Posts double admissions, each once, in the transaction that folds their barcodes. */
export async function postDoubles(
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
 * Corrects the messages of double admissions that late scans show to be none, or to be one after all.
 * @param doubles the double admissions of the folded barcodes, by their `moves` as known now
 * @param before the moves of the same barcodes as they were stored
 * @returns whether a message was corrected
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
    const undoneIn = (listMoves: readonly PlaceMove[]) => undoneBy(listMoves.filter(isOfValue), detail);
    const undone = currentKeys.has(key) ? undefined : undoneIn(moves);
    // A double admission whose scans this run never had is of an earlier day, or its scans were deleted for their age.
    const isKnown = undone !== 'gone' || undoneIn(before) !== 'gone';
    if (isKnown && nameOf(undone) !== nameOf(detail.undone)) {
      // A post that was not sent expires: people need not read of a double admission that was none.
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
    key,
    queue: { ...owner, channel: settings.alerts?.channel ?? '' },
    source: { kind: 'list' as const, id },
    at: now,
    kind,
    detail: JSON.stringify(detail),
  };
}
