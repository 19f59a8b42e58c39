/**
 * Owns time zones as the account spells them. What `Intl.DateTimeFormat` accepts is accepted; the account's list holds
 * today's IANA names, while Intl answers some old ones, and it holds neither UTC nor the fixed offsets.
 */

/** Intl's answer -> the account's spelling. UTC is asked for as Abidjan's time: the same, and never summer time. */
const spellings: Readonly<Record<string, string>> = {
  UTC: 'Africa/Abidjan',
  GMT: 'Africa/Abidjan',
  'Etc/UTC': 'Africa/Abidjan',
  'Etc/GMT': 'Africa/Abidjan',
  'Etc/UCT': 'Africa/Abidjan',
  'Etc/GMT0': 'Africa/Abidjan',
  'Etc/GMT+0': 'Africa/Abidjan',
  'Etc/GMT-0': 'Africa/Abidjan',
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Fort_Wayne': 'America/Indiana/Indianapolis',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
  CET: 'Europe/Brussels',
  CST6CDT: 'America/Chicago',
  EET: 'Europe/Athens',
  EST: 'America/Panama',
  EST5EDT: 'America/New_York',
  HST: 'Pacific/Honolulu',
  MET: 'Europe/Brussels',
  MST: 'America/Phoenix',
  MST7MDT: 'America/Denver',
  PST8PDT: 'America/Los_Angeles',
  WET: 'Europe/Lisbon',
};

/** The account's spelling of a zone; `undefined` for what is no zone, or one the account has no name for. */
export function accountZone(zone: string): string | undefined {
  let resolved: string;
  try {
    resolved = new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
  const spelt = spellings[resolved] ?? resolved;
  return spelt.includes('/') && !spelt.startsWith('Etc/') ? spelt : undefined;
}
