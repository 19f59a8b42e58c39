import { expect, test } from 'vitest';
import { symbologies } from '../../../src/codereadr/operations/symbologies.js';
import { otherSpellings, timeZones } from '../../../src/codereadr/operations/time-zones.js';
import { listedZone, zoneNamed } from '../../../src/codereadr/operations/zones.js';

const offset = (zone: string, at: Date) =>
  new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    .formatToParts(at)
    .find((part) => part.type === 'timeZoneName')?.value;

test('the list of the account’s time zones has 423 names, old spellings among them, and lacks UTC', () => {
  expect(new Set(timeZones).size).toBe(423);
  expect(timeZones).toHaveLength(423);
  for (const listed of ['Europe/Kiev', 'Europe/Uzhgorod', 'America/Godthab', 'Pacific/Enderbury', 'Asia/Kolkata']) {
    expect(timeZones).toContain(listed);
  }
  for (const missing of ['Europe/Kyiv', 'America/Nuuk', 'Pacific/Kanton', 'America/Ciudad_Juarez', 'UTC']) {
    expect(timeZones).not.toContain(missing);
  }
});

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Europe/Kiev', 'Europe/Kiev'],
  ['Europe/Kyiv', 'Europe/Kiev'],
  ['europe/kyiv', 'Europe/Kiev'],
  ['Europe/Uzhgorod', 'Europe/Uzhgorod'],
  ['America/Nuuk', 'America/Godthab'],
  ['America/Godthab', 'America/Godthab'],
  ['Pacific/Kanton', 'Pacific/Enderbury'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['US/Eastern', 'America/New_York'],
  ['EST5EDT', 'America/New_York'],
  ['UTC', 'Africa/Abidjan'],
  ['Etc/UTC', 'Africa/Abidjan'],
  ['GMT', 'Africa/Abidjan'],
  ['Zulu', 'Africa/Abidjan'],
])('the time zone %s is on the account’s list as %s', (zone, name) => {
  expect(listedZone(zone)).toBe(name);
  expect(zoneNamed(zone)).toBe(name);
});

test.each(['America/Ciudad_Juarez', 'America/Punta_Arenas', 'Asia/Qostanay', 'Etc/GMT+5'])(
  'the time zone %s has no name at the account and is kept as it is',
  (zone) => {
    expect(listedZone(zone)).toBeUndefined();
    expect(zoneNamed(zone)).toBe(zone);
    expect(zoneNamed(zone.toLowerCase())).toBe(zone);
  },
);

test.each(['', 'Mars/Olympus', 'Europe', 'account', '+05:30', 'Europe/Berlin '])('%j is not a time zone', (zone) => {
  expect(zoneNamed(zone)).toBeUndefined();
});

test('every spelling of a time zone has the same clock time as the name on the account’s list', () => {
  for (const [zone, others] of Object.entries(otherSpellings)) {
    expect(timeZones).toContain(zone);
    for (const other of others.split(' ')) {
      expect(timeZones).not.toContain(other);
      for (const at of [new Date('2024-01-15T12:00:00Z'), new Date('2024-07-15T12:00:00Z')]) {
        expect(offset(zone, at), `${other} -> ${zone}`).toBe(offset(other, at));
      }
    }
  }
});

test('every time zone of this machine and of the account’s list is found and keeps its clock time', () => {
  const at = new Date('2024-07-15T12:00:00Z');
  for (const zone of new Set([...Intl.supportedValuesOf('timeZone'), ...timeZones])) {
    const name = zoneNamed(zone);
    expect(name, zone).toBeDefined();
    expect(offset(name ?? '', at), `${zone} -> ${name}`).toBe(offset(zone, at));
    expect(zoneNamed(name ?? '')).toBe(name);
  }
});

test('symbologies are numbered as the account numbers them', () => {
  expect(symbologies).toHaveLength(49);
  expect(symbologies[0]).toEqual(['1', 'Aztec']);
  expect(symbologies[5]).toEqual(['6', 'Code 128']);
  expect(symbologies[20]).toEqual(['21', 'GS1 128']);
  expect(symbologies[33]).toEqual(['34', 'QR Code']);
  expect(symbologies[40]).toEqual(['41', 'UPC A']);
  expect(symbologies[48]).toEqual(['49', 'UPC E Expand']);
});
