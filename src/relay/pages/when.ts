/** Owns how a page without scripts tells a moment: how long ago, and the time of day in the zone the device is in. Pure. */

/** What a device may tell with a scan: an IANA name. */
export const zoneProperty = 'time_zone';

export function zoneOf(properties: readonly { readonly name: string; readonly value: string }[]): string | undefined {
  const zone = properties.find(({ name }) => name === zoneProperty)?.value;
  return zone !== undefined && isZone(zone) ? zone : undefined;
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

const units = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;

/** `2 hours ago`; a clock that is a little ahead is `just now`. */
export function ago(at: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - at) / 1_000));
  for (const [length, name] of units) {
    const count = Math.floor(seconds / length);
    if (count > 0) {
      return `${count} ${name}${count === 1 ? '' : 's'} ago`;
    }
  }
  return 'just now';
}

/** `21 Nov, 14:03:22`, with the year where it is another one and UTC where no zone is known. */
export function clockTime(at: number, now: number, zone: string | undefined): string {
  const year = (moment: number) => new Date(moment).getUTCFullYear();
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone ?? 'UTC',
    day: 'numeric',
    month: 'short',
    ...(year(at) === year(now) ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  return zone === undefined ? `${format.format(at)} UTC` : format.format(at);
}
