/**
 * Time zones by any spelling, as the account names them. It takes the names of its own list and no others: a zone that is
 * not there under any spelling keeps IANA's name here, and `scan-zone.ts` asks for it in UTC.
 */
import { otherSpellings, timeZones } from './time-zones.js';

/** UTC by a name that the account has: the same time, and never summer time. */
export const utcZone = 'Africa/Abidjan';

const byAnySpelling: ReadonlyMap<string, string> = new Map([
  ...Object.entries(otherSpellings).flatMap(([zone, others]) =>
    others.split(' ').map((other): [string, string] => [other.toLowerCase(), zone]),
  ),
  ...timeZones.map((zone): [string, string] => [zone.toLowerCase(), zone]),
]);

/** The account's name of a zone; undefined for a zone that it does not have, and for what is no zone. */
export function listedZone(zone: string): string | undefined {
  return byAnySpelling.get(zone.toLowerCase());
}

/** The account's name of a zone, else IANA's; undefined for what is no zone. */
export function zoneNamed(zone: string): string | undefined {
  return listedZone(zone) ?? unlistedZone(zone);
}

function unlistedZone(zone: string): string | undefined {
  // An offset (`+05:30`) is none: nobody's clock is known by it.
  if (!zone.includes('/')) {
    return undefined;
  }
  try {
    const known = new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone;
    return listedZone(known) ?? known;
  } catch {
    return undefined;
  }
}
