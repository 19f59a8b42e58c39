/** Time zones as pickers offer them: found by any spelling, valued by the account's name, labeled by today's. Pure. */
import { otherSpellings, timeZones } from '../../../codereadr/operations/time-zones.js';
import { zoneNamed } from '../../../codereadr/operations/zones.js';
import { type Option, option } from '../../block-kit/elements.js';

/** What can be typed to find each zone: all its spellings, in lower case. */
const spellings: ReadonlyMap<string, string> = new Map(
  [...new Set([...timeZones, ...Intl.supportedValuesOf('timeZone').flatMap((zone) => zoneNamed(zone) ?? [])])]
    .sort()
    .map((zone) => [zone, `${zone} ${otherSpellings[zone] ?? ''}`.toLowerCase()]),
);

const most = 100;

/** Zones that the account calls by a name that is no longer in use, or that people know by another. */
const todaysNames: Readonly<Record<string, string>> = {
  'Africa/Abidjan': 'UTC',
  'America/Godthab': 'America/Nuuk',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
};

/** `Europe/Kyiv (Europe/Kiev)`. */
export function zoneLabel(zone: string): string {
  if (zone === 'account') {
    return 'The account’s own zone';
  }
  const today = todaysNames[zone];
  return (today === undefined ? zone : `${today} (${zone})`).replaceAll('_', ' ');
}

/** The place that a zone is named after: `Kyiv`, `New York`. */
export function placeOf(zone: string): string {
  const name = todaysNames[zone] ?? zone;
  return name.split('/').at(-1)?.replaceAll('_', ' ') ?? name;
}

export function zoneOption(zone: string): Option {
  return option(zoneLabel(zone), zone);
}

/** `account`: whether the account's own zone can be named, too. */
export function zoneOptions(typed: string, account: boolean): readonly Option[] {
  const wanted = typed.trim().toLowerCase().replaceAll(' ', '_');
  const exact = zoneNamed(typed.trim());
  const found = [...spellings].flatMap(([zone, text]) => (zone !== exact && text.includes(wanted) ? zone : []));
  const zones = exact === undefined ? found : [exact, ...found];
  return [...(account && 'account'.includes(wanted) ? ['account'] : []), ...zones].slice(0, most).map(zoneOption);
}
