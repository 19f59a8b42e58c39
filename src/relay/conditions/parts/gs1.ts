/** The batch and the expiry of an item, from its GS1 barcode. Undefined where the barcode has none. Pure. */
import { DateTime } from 'luxon';
import { endOf, readDate } from '../../../gs1/date.js';
import { type Gs1Part, parseGs1 } from '../../../gs1/parse.js';
import { canonicalZone } from '../../../schedules/zones.js';

export type Gs1Reader = (value: string) => readonly Gs1Part[];

/** The identifiers of best before, sell by, use by, and use by with a time. */
const expiryIdentifiers: ReadonlySet<string> = new Set(['15', '16', '17', '7003']);
const batchIdentifier = '10';
const dayMs = 24 * 60 * 60_000;

/** Reads GS1 barcodes. The rules of a relay read the same value one after the other: it is parsed once. */
export function createGs1Reader(): Gs1Reader {
  let last: { readonly value: string; readonly parts: readonly Gs1Part[] } | undefined;
  return (value) => {
    if (last?.value !== value) {
      last = { value, parts: parseGs1(value) ?? [] };
    }
    return last.parts;
  };
}

export function batchIn(parts: readonly Gs1Part[]): string | undefined {
  return parts.find(({ ai }) => ai === batchIdentifier)?.value;
}

/** Days from the day of the scan, in the zone, to the earliest expiry date of the barcode; negative once it is past. */
export function daysToExpiry(gs1Parts: readonly Gs1Part[], scannedAt: number, zone: string): number | undefined {
  const dates = gs1Parts
    .filter(({ ai }) => expiryIdentifiers.has(ai))
    .map(({ value }) => readDate(value.slice(0, 6), true))
    .filter((date) => date !== undefined);
  if (dates.length === 0) {
    return undefined;
  }
  const lastDay = Math.min(...dates.map((date) => endOf(date, scannedAt))) / dayMs - 1;
  const { offset } = DateTime.fromMillis(scannedAt, { zone: canonicalZone(zone) ?? 'utc' });
  return lastDay - Math.floor((scannedAt + offset * 60_000) / dayMs);
}
