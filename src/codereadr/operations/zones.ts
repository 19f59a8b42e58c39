/**
 * Time zones by any IANA name, as the account names them. A zone that the account's list lacks under every name keeps
 * IANA's, and `scan-zone.ts` requests it in UTC.
 */
import { otherSpellings, timeZones } from './time-zones.js';

/** UTC under a name that the account has: the same time, without daylight saving. */
export const utcZone = 'Africa/Abidjan';

const byAnySpelling: ReadonlyMap<string, string> = new Map([
  ...Object.entries(otherSpellings).flatMap(([zone, others]) =>
    others.split(' ').map((other): [string, string] => [other.toLowerCase(), zone]),
  ),
  ...timeZones.map((zone): [string, string] => [zone.toLowerCase(), zone]),
]);

/** The account's name of a zone; undefined where its list lacks the zone, or it is no zone. */
export function listedZone(zone: string): string | undefined {
  return byAnySpelling.get(zone.toLowerCase());
}

/** The account's name of a zone, else IANA's; undefined where it is no zone. */
export function zoneNamed(zone: string): string | undefined {
  return listedZone(zone) ?? unlistedZone(zone);
}

function unlistedZone(zone: string): string | undefined {
  // A name without a slash may be an offset (`+05:30`), which is not a zone: no place's clock follows one.
  if (!zone.includes('/')) {
    return undefined;
  }
  try {
    const canonicalName = new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone;
    return listedZone(canonicalName) ?? canonicalName;
  } catch {
    return undefined;
  }
}

/** Today's names of zones whose name at the account is outdated or little known. */
export const todaysNames: Readonly<Record<string, string>> = {
  'Africa/Abidjan': 'UTC',
  'America/Godthab': 'America/Nuuk',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
};

/** The city a zone is named after: `Kyiv`, `New York`. */
export function placeOf(zone: string): string {
  const name = todaysNames[zone] ?? zone;
  return name.split('/').at(-1)?.replaceAll('_', ' ') ?? name;
}
