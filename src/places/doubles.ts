/** Double admissions: a barcode that comes in at one device and again at another one, with no *out* between. Pure. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { PlaceSettings } from './list.js';
import { type PlaceMove, placeBarcode } from './moves.js';

const admission = z.object({
  at: z.number(),
  gate: z.string(),
  user: z.string(),
  /** When the scan arrived; undefined: it was deleted for its age. */
  arrivedAt: z.number().optional(),
  /** The time by the device's clock, where it was not believed. */
  said: z.number().optional(),
});
export type DoubleScan = z.output<typeof admission>;

/** The stored facts of a double admission's post. */
export const doubleDetail = z.object({
  name: z.string(),
  value: z.string(),
  earlier: admission,
  later: admission,
  /** Why it turned out to be none: an *out* between the two scans, or one of them is gone. */
  undone: z.union([admission, z.literal('gone')]).optional(),
});
export type DoubleDetail = z.output<typeof doubleDetail>;

export interface DoubleAdmission {
  readonly earlier: PlaceMove;
  readonly later: PlaceMove;
}

const scanOf = ({ at, gate, user, arrivedAt, said }: PlaceMove): DoubleScan => ({ at, gate, user, arrivedAt, said });

export function toDetail(name: string, { earlier, later }: DoubleAdmission): DoubleDetail {
  return { name, value: later.value, earlier: scanOf(earlier), later: scanOf(later) };
}

/** Why a double admission is none; undefined: by its barcode's moves, which are in order, it may be one. */
export function undoneBy(
  moves: readonly PlaceMove[],
  { earlier, later }: Pick<DoubleDetail, 'earlier' | 'later'>,
): DoubleDetail['undone'] {
  const first = moves.findIndex(({ entering, at }) => entering && at === earlier.at);
  const last = moves.findLastIndex(({ entering, at }) => entering && at === later.at);
  const between = moves.slice(first, last).find(({ entering }) => !entering);
  return first < 0 || last <= first ? 'gone' : between && scanOf(between);
}

/** The beginning of the keys of all posts about a barcode's double admissions, which does not show the barcode. */
export function doublePrefix(listId: string, value: string): string {
  return `${listId}.double.${createHash('sha256').update(placeBarcode(value)).digest('hex').slice(0, 32)}`;
}

/** The key of a double admission's post, by the scans' moments: their ids change once the account has recorded them. */
export function doubleKey(listId: string, { earlier, later }: DoubleAdmission): string {
  return `${doublePrefix(listId, later.value)}.${earlier.at}.${later.at}`;
}

/**
 * The double admissions: each *in* within `minutes` of one at another device. A second press at one device is none, nor
 * is a scan that names no device.
 * @param moves the moves of one barcode, in their order
 * @param deviceOf one name for each device, whichever id a scan has of it
 */
export function doublesIn(
  moves: readonly PlaceMove[],
  { minutes }: NonNullable<NonNullable<PlaceSettings['alerts']>['doubles']>,
  deviceOf: (gate: string) => string = (gate) => gate,
): readonly DoubleAdmission[] {
  const longestMs = (minutes ?? Number.POSITIVE_INFINITY) * 60_000;
  const found: DoubleAdmission[] = [];
  let earlier: PlaceMove | undefined;
  for (const later of moves.filter(({ entering, gate }) => !entering || gate !== '')) {
    const isOther = earlier && later.entering && deviceOf(earlier.gate) !== deviceOf(later.gate);
    if (earlier && isOther && later.at - earlier.at <= longestMs) found.push({ earlier, later });
    earlier = later.entering ? later : undefined;
  }
  return found;
}
