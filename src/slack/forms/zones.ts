/** Owns time zones as pickers offer them: as the account spells them, by what was typed of the name. Pure. */
import { accountZone } from '../../account/catalogue/zones.js';
import { type Option, option } from '../blocks/kit.js';

const known: readonly string[] = [
  ...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'].map(accountZone).filter((zone) => zone !== undefined)),
].sort();

const most = 100;

const special: Readonly<Record<string, string>> = {
  account: 'The account’s own zone',
  'Africa/Abidjan': 'UTC (Africa/Abidjan)',
};

export function zoneOption(zone: string): Option {
  return option(special[zone] ?? zone.replaceAll('_', ' '), zone);
}

/** `account`: whether the account's own zone can be named, too. */
export function zoneOptions(typed: string, account: boolean): readonly Option[] {
  const wanted = typed.trim().toLowerCase().replaceAll(' ', '_');
  const exact = typed.trim() === '' ? undefined : accountZone(typed.trim());
  const found = known.filter((zone) => zone.toLowerCase().includes(wanted));
  const zones = exact === undefined ? found : [exact, ...found.filter((zone) => zone !== exact)];
  return [...(account && 'account'.includes(wanted) ? ['account'] : []), ...zones].slice(0, most).map(zoneOption);
}
