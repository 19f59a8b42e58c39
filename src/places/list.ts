/** A list of places: which scans of a workspace take a barcode in or out, when a day begins, and the rules of loans. */
import { DateTime } from 'luxon';
import { z } from 'zod';
import type { Owner } from '../ownership.js';
import { type Condition, conditionSchema, kindOf } from '../relay/conditions/index.js';

/** The sources of the facts that a scan stores: what a relay counted or looked up at its arrival is not among them. */
const storedSources: readonly string[] = ['scan', 'answers', 'properties'];
const isOfScan = (condition: Condition) =>
  kindOf(condition).about === 'one_scan' && storedSources.includes(kindOf(condition).facts);
export const mostPlaceConditions = 5;
const conditions = z
  .array(conditionSchema)
  .max(mostPlaceConditions)
  .refine((all) => all.every(isOfScan), 'a list cannot have this condition');

export const mostCapacity = 1_000_000;
export const mostThresholds = 10;
export const mostPercent = 200;
export const mostDoubleMinutes = 24 * 60;

const alerts = z.object({
  channel: z.string(),
  /** Percents of the capacity: an alert is posted when so many are inside. */
  percents: z.array(z.number().int().min(1).max(mostPercent)).max(mostThresholds),
  /** Posts each barcode that comes in at two devices within `minutes`; without `minutes`, however long it takes. */
  doubles: z
    .object({
      minutes: z.number().int().min(1).max(mostDoubleMinutes).optional(),
      /** The time before which arrived scans cause no alert. */
      since: z.number().default(0),
    })
    .optional(),
});

/** The place where a scan says who has the lent thing, or who the person inside is. */
const nameSource = z.discriminatedUnion('by', [
  z.object({ by: z.literal('answer'), question: z.string() }),
  z.object({ by: z.literal('property'), name: z.string().min(1) }),
  z.object({ by: z.literal('response') }),
]);

export const mostLentMinutes = 366 * 24 * 60;
const minutes = z.number().int().min(1).max(mostLentMinutes);

/** The rules of loans, for a list of lent things: *out* lends a thing, *in* brings it back. */
const custody = z.object({
  /** When a thing is due; undefined: never. */
  due: z
    .discriminatedUnion('by', [
      /** A time after *out*; for some services, by their ids, another one. */
      z.object({ by: z.literal('time'), minutes, services: z.record(z.string(), minutes).default({}) }),
      /** The answer to a question: a date in the list's zone. */
      z.object({ by: z.literal('answer'), question: z.string() }),
    ])
    .optional(),
  /** The reminder of a holder `minutes` before a thing is due. `since`: no moment before it is reminded of. */
  before: z.object({ minutes, since: z.number().default(0) }).optional(),
  /** Whether the holder of an overdue thing is reminded once a day. */
  daily: z.boolean().optional(),
  /** The channel in which overdue things are posted. */
  channel: z.string(),
  /** The hours of the list's zone in which nobody is reminded. */
  quiet: z.object({ from: z.string(), to: z.string() }).optional(),
  /** Who may see the things that others have. */
  others: z.enum(['managers', 'everyone']).default('managers'),
});

export const placeSettings = z.object({
  /** The conditions of *in*, all of which a scan must meet. A scan that meets those of `out` too counts as *in*. */
  in: conditions.min(1),
  /** The conditions of *out*; empty: no scan takes a barcode out. */
  out: conditions,
  /** Whether scans that were not valid count too. */
  refused: z.boolean().default(false),
  /** The hour at which a new day begins; undefined: only people reset the list. */
  hour: z.number().int().min(0).max(23).optional(),
  /** The IANA name of the list's time zone. */
  zone: z.string(),
  /** The account's ids of devices, by the udids that relays know. */
  devices: z.record(z.string(), z.string()).default({}),
  capacity: z.number().int().min(1).max(mostCapacity).optional(),
  alerts: alerts.optional(),
  /** The source of names; undefined: a lent thing's holder is the scan's user, and people inside have no names. */
  name: nameSource.optional(),
  /** The rules of loans; undefined: the list counts who is inside. */
  custody: custody.optional(),
  /** The people who may see who is inside, besides admins. */
  rollCall: z.array(z.string()).optional(),
});
export type PlaceSettings = z.output<typeof placeSettings>;

export interface PlaceList {
  readonly id: string;
  readonly owner: Owner;
  readonly name: string;
  readonly settings: PlaceSettings;
  readonly run: string;
  /** The beginning from which the run counts; `beginningOf` says from when the list does. */
  readonly resetAt: number;
  readonly nextResetAt?: number;
  /** When a person last reset the list. */
  readonly clearedAt?: number;
  /** The moment up to which what became due is not posted; undefined: the list does not count anew. */
  readonly quietTo?: number;
  /** Set while scans are being counted: the moment before which stored scans have no mark yet; 0: all have. */
  readonly fillTo?: number;
  readonly version: number;
  readonly createdBy: string;
}

export const longestPlaceName = 60;
export const mostPlaceLists = 20;

/** When a list's day began and the next one begins; undefined: it has no days, as a list of lent things. */
export function dayAround({ hour, zone, custody: lent }: PlaceSettings, now: number) {
  if (lent || hour === undefined) {
    return undefined;
  }
  const today = DateTime.fromMillis(now, { zone }).startOf('day');
  const beginning = (days: number) => today.plus({ days }).startOf('day').set({ hour }).toMillis();
  return beginning(0) <= now ? { from: beginning(0), to: beginning(1) } : { from: beginning(-1), to: beginning(0) };
}

/** The moment from which a list counts scans, by its present settings. */
export function beginningOf(list: Pick<PlaceList, 'settings' | 'resetAt' | 'clearedAt'>, now: number): number {
  const day = dayAround(list.settings, now);
  return day ? Math.max(day.from, list.clearedAt ?? 0) : list.resetAt;
}

/** Whether a list's figures are not sure yet: scans are being counted, or a day began that no run counts. */
export function isCounting(list: PlaceList, now: number): boolean {
  return list.fillTo !== undefined || beginningOf(list, now) !== list.resetAt;
}

/**
 * The moments of a list with these settings from now on. `list`: the list as it was before. Without days, a list goes on
 * from where it began; a new one counts from now on, and one of lent things all that is stored.
 */
export function beginningWith(settings: PlaceSettings, now: number, list?: PlaceList) {
  const isOfKind = list !== undefined && Boolean(list.settings.custody) === Boolean(settings.custody);
  const cleared = isOfKind ? list.clearedAt : undefined;
  const day = dayAround(settings, now);
  const without = settings.custody ? 0 : now;
  const from = day ? Math.max(day.from, cleared ?? 0) : isOfKind ? beginningOf(list, now) : without;
  return { reset_at: from, next_reset_at: day?.to ?? null, cleared_at: cleared ?? null };
}

/** Whether two settings count the same scans in the same way. */
export function countsAlike(one: PlaceSettings, other: PlaceSettings): boolean {
  const counted = ({ in: entering, out, refused, devices, name, custody: lent, zone }: PlaceSettings) =>
    JSON.stringify([entering, out, refused, devices, name, lent && [lent.due, zone]]);
  return counted(one) === counted(other);
}
