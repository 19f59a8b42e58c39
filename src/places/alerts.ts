/**
 * The alerts of a list: its thresholds, each an incident from the fold at which so many are inside to the one at which it
 * is well below, and barcodes that came in twice.
 */
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../database/schema.js';
import { redrawIncidents } from '../incidents/table.js';
import {
  type CrossedThreshold,
  endThresholds,
  openThreshold,
  recountThreshold,
  thresholdsOf,
} from '../incidents/thresholds.js';
import { enqueue, enqueueOnce } from '../posts/outbox/enqueue.js';
import { type DoubleAdmission, doubleKey, toDetail } from './doubles.js';
import { insideAt } from './figures.js';
import type { PlaceList } from './list.js';

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
  const known = await thresholdsOf(db, list.id, list.run);
  const percents = capacity === undefined ? [] : (alerts?.percents ?? []);
  if (known.length + percents.length === 0 || list.fillTo !== undefined) {
    return undefined;
  }
  const [inside, until] = await Promise.all([insideAt(db, list.run), insideAt(db, list.run, now)]);
  const open = known.filter(({ ended }) => !ended).map(({ percent }) => percent);
  const dropped = open.filter((percent) => !percents.includes(percent));
  const over = open.filter((percent) => percents.includes(percent) && isWellBelow(inside, capacity ?? 0, percent));
  const crossed = percents
    .filter((percent) => !open.includes(percent) && inside >= thresholdLevel(capacity ?? 0, percent))
    .sort((one, other) => other - one);
  const late: [CrossedThreshold, number][] = [];
  for (const one of known.filter(({ run }) => run === list.run)) {
    const then = await insideAt(db, list.run, one.openedAt);
    if (then !== one.inside) late.push([one, then]);
  }
  return late.length + over.length + dropped.length + crossed.length === 0
    ? undefined
    : async (trx) => {
        for (const [{ postKey }, then] of late) {
          await recountThreshold(trx, postKey, then);
        }
        const changed = [
          ...late.map(([{ postKey }]) => postKey),
          ...(over.length > 0 ? await endThresholds(trx, list.id, { at: now, why: 'calm' }, over) : []),
          ...(dropped.length > 0 ? await endThresholds(trx, list.id, { at: now, why: 'rule' }, dropped) : []),
        ];
        const opened = crossed.map((percent) => ({
          postKey: makeKey(),
          percent,
          run: list.run,
          openedAt: now,
          inside: until,
        }));
        for (const one of opened) {
          await openThreshold(trx, { owner: list.owner, listId: list.id }, one);
        }
        // Of several that are crossed at once, the highest says it all.
        const [highest] = opened;
        if (highest && alerts && capacity !== undefined) {
          const { postKey, percent } = highest;
          const detail: z.output<typeof thresholdDetail> = { name: list.name, percent, capacity, inside, until };
          await enqueue(trx, { posts: [postOf(list, { kind: 'threshold', key: postKey, detail, now })] });
        }
        await redrawIncidents(trx, [...new Set(changed)], now);
        return crossed.length > 0;
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
