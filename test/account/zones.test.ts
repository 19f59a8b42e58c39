import { expect, test } from 'vitest';
import { symbologies } from '../../src/account/catalogue/symbologies.js';
import { accountZone } from '../../src/account/catalogue/zones.js';

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Europe/Kyiv', 'Europe/Kyiv'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['US/Eastern', 'America/New_York'],
  ['EST5EDT', 'America/New_York'],
  ['UTC', 'Africa/Abidjan'],
  ['Etc/UTC', 'Africa/Abidjan'],
  ['GMT', 'Africa/Abidjan'],
  ['Zulu', 'Africa/Abidjan'],
])('%s is asked for as %s', (zone, spelt) => {
  expect(accountZone(zone)).toBe(spelt);
});

test.each(['', 'Mars/Olympus', 'Europe', 'account', 'Etc/GMT+5', '+05:30', 'Europe/Berlin '])(
  '%j is no zone of the account',
  (zone) => {
    expect(accountZone(zone)).toBeUndefined();
  },
);

test('every zone this machine knows has a spelling that means the same time, and keeps it', () => {
  const offset = (zone: string, at: Date) =>
    new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
      .formatToParts(at)
      .find((part) => part.type === 'timeZoneName')?.value;
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const spelt = accountZone(zone);
    if (spelt === undefined) {
      continue;
    }
    for (const at of [new Date('2024-01-15T12:00:00Z'), new Date('2024-07-15T12:00:00Z')]) {
      expect(offset(spelt, at), `${zone} -> ${spelt}`).toBe(offset(zone, at));
    }
    expect(accountZone(spelt)).toBe(spelt);
  }
});

test('kinds of barcode are numbered as the account numbers them', () => {
  expect(symbologies).toHaveLength(49);
  expect(symbologies[0]).toEqual(['1', 'Aztec']);
  expect(symbologies[5]).toEqual(['6', 'Code 128']);
  expect(symbologies[20]).toEqual(['21', 'GS1 128']);
  expect(symbologies[33]).toEqual(['34', 'QR Code']);
  expect(symbologies[40]).toEqual(['41', 'UPC A']);
  expect(symbologies[48]).toEqual(['49', 'UPC E Expand']);
});
