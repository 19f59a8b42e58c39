/**
 * Dates and times of the account, written and parsed in a time zone. Invalid dates, and zones that are not on the
 * account's list, are refused.
 */
import { DateTime } from 'luxon';
import { timeZones } from '../../../codereadr/operations/time-zones.js';
import { Refusal } from '../answer/refusal.js';

/** A time as `YYYY-MM-DD HH:mm:ss` in an IANA zone or a luxon offset zone. */
export function stamp(at: number, zone: string): string {
  return DateTime.fromMillis(at, { zone }).toFormat('yyyy-MM-dd HH:mm:ss');
}

/** A date (`YYYY-MM-DD`) and a time (`HH:mm:ss`) in a zone, as milliseconds since the epoch. @throws Refusal 50 */
export function momentOf(date: string, time: string, zone: string, name: string): number {
  const at = DateTime.fromFormat(`${date} ${time}`, 'yyyy-MM-dd HH:mm:ss', { zone });
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(`${date} ${time}`) || !at.isValid) {
    throw new Refusal('50', `${name} must be a date as YYYY-MM-DD and a time as HH:mm:ss.`);
  }
  return at.toMillis();
}

const zones: ReadonlySet<string> = new Set(timeZones);

/** The zone with this exact name on the account's own list. @throws Refusal 50 */
export function zoneOf(name: string): string {
  if (!zones.has(name)) {
    throw new Refusal('50', 'timezone must be one of the available time zones or the word account.');
  }
  return name;
}
