/**
 * Time zones by name, each checked once, since a check creates an Intl format (30 KB of native memory). Names that are
 * no zone are not cached, as devices can send any text.
 */
interface ScanProperty {
  readonly name: string;
  readonly value: string;
}

/** The checked zones by their name in lower case: Intl ignores case. */
const checkedZones = new Map<string, string>();

/** A zone as Intl spells it; undefined for an unknown one. */
export function canonicalZone(zoneName: string): string | undefined {
  const key = zoneName.toLowerCase();
  const cachedZone = checkedZones.get(key);
  if (cachedZone !== undefined) {
    return cachedZone;
  }
  try {
    const zone = new Intl.DateTimeFormat('en-US', { timeZone: zoneName }).resolvedOptions().timeZone;
    checkedZones.set(key, zone);
    return zone;
  } catch {
    return undefined;
  }
}

/** The zone that a device sent with its scan; undefined where it sent none, or an unknown one. */
export function deviceZone(properties: readonly ScanProperty[]): string | undefined {
  const zone = properties.find(({ name }) => name === 'time_zone')?.value;
  return zone === undefined ? undefined : canonicalZone(zone);
}
