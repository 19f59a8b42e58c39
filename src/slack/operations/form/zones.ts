/** Time zones for pickers: found by any spelling, valued by the account's name, labeled by today's. Pure. */
import { otherSpellings, timeZones } from '../../../codereadr/operations/time-zones.js';
import { todaysNames, zoneNamed } from '../../../codereadr/operations/zones.js';
import { type Option, option } from '../../block-kit/elements.js';

/** The texts by which a zone is found: all its spellings, in lower case. */
const spellings: ReadonlyMap<string, string> = new Map(
  [...new Set([...timeZones, ...Intl.supportedValuesOf('timeZone').flatMap((zone) => zoneNamed(zone) ?? [])])]
    .sort()
    .map((zone) => [zone, `${zone} ${otherSpellings[zone] ?? ''}`.toLowerCase()]),
);

const mostZones = 100;

/** A zone's label: `Europe/Kyiv (Europe/Kiev)`. */
export function zoneLabel(zone: string): string {
  if (zone === 'account') {
    return 'The account’s time zone';
  }
  const today = todaysNames[zone];
  return (today === undefined ? zone : `${today} (${zone})`).replaceAll('_', ' ');
}

export function zoneOption(zone: string): Option {
  return option(zoneLabel(zone), zone);
}

/** The options that match a typed text. `account`: whether to offer the account's own zone. */
export function zoneOptions(typedText: string, account: boolean): readonly Option[] {
  const wanted = typedText.trim().toLowerCase().replaceAll(' ', '_');
  const exact = zoneNamed(typedText.trim());
  const found = [...spellings].flatMap(([zone, text]) => (zone !== exact && text.includes(wanted) ? zone : []));
  const zones = exact === undefined ? found : [exact, ...found];
  return [...(account && 'account'.includes(wanted) ? ['account'] : []), ...zones].slice(0, mostZones).map(zoneOption);
}
