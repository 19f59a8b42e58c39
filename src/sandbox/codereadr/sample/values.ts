/**
 * The sample barcodes: 2,000 festival tickets, stock items and tools, with edge cases among them: leading zeros,
 * spaces, a GS1 separator, upper and lower case, markup, one value in two databases.
 */
import { createSeeded, type Seeded } from './seeded.js';

export interface SampleValue {
  readonly value: string;
  readonly response: string;
  readonly valid: boolean;
}

export interface SampleDatabase {
  readonly name: string;
  readonly caseSensitive: boolean;
  readonly values: readonly SampleValue[];
}

/** A ticket that was never scanned. */
export const unusedValue = 'HLF-000003';

/** A barcode that is valid in the stock room and not valid in the tool crib. */
export const sharedValue = '0012345678905';

/** The barcode of the README's example, with its leading zeros. */
export const exampleValue: SampleValue = { value: '0012345', response: 'Bin C-12: Wristbands, blue', valid: true };

/** The separator between two fields of a GS1 barcode. */
export const gs = '\x1d';

const ticketKinds = [
  'Adult, three days',
  'Adult, Saturday',
  'Child, three days',
  'Child, Saturday',
  'Student, Sunday',
  'VIP lounge and main stage',
  'Crew, all areas',
  'Artist, backstage',
] as const;

const withdrawnResponses = [
  'Refunded',
  'Reported stolen: call the gate manager',
  'Cancelled by the buyer',
  'Sold twice: keep it',
];

function tickets(chance: Seeded): SampleValue[] {
  const sampleValue = (value: string): SampleValue =>
    chance.chance(4)
      ? { value, response: chance.pick(withdrawnResponses), valid: false }
      : { value, response: chance.pick(ticketKinds), valid: true };
  const values: SampleValue[] = [
    { value: 'HLF-000001', response: 'Adult, three days', valid: true },
    { value: 'HLF-000002', response: 'Refunded', valid: false },
  ];
  for (let n = 3; n <= 900; n += 1) values.push(sampleValue(`HLF-${String(n).padStart(6, '0')}`));
  values[2] = { value: unusedValue, response: 'Student, Sunday', valid: true };
  for (let n = 1; n <= 200; n += 1) values.push(sampleValue(`000470${String(n * 37).padStart(6, '0')}`));
  for (let n = 1; n <= 100; n += 1) values.push(sampleValue(`crew-${letters(chance, 4)}${String(n).padStart(3, '0')}`));
  return values;
}

const goods = [
  'Gaffer tape 50 mm, black',
  'XLR cable 10 m',
  'Batteries AA, box of 24',
  'Rain ponchos, adult',
  'Cable ties 300 mm',
  'Hi-vis vest, size L',
  'Paper cups, 1,000',
  'Wristbands, blue',
  'LED par can',
  'First-aid kit',
  'Extension lead 25 m',
  'Barrier clips',
] as const;

/** Values and responses that must stay unchanged end to end. */
const awkwardValues: readonly SampleValue[] = [
  { value: '1e5', response: 'Bin A-01: looks like a number, is none', valid: true },
  { value: '0x1F', response: 'Bin A-02: hexadecimal at first sight', valid: true },
  { value: 'true', response: 'Bin A-03: just a word', valid: true },
  { value: ' PALLET 7 ', response: 'Dock 2: the label has a space at both ends', valid: true },
  { value: 'A&B <1>', response: 'Bin A-04: ampersands & <angles>', valid: true },
  { value: '*BOLT* _M8_ ~x~', response: 'Bin A-05: *not* bold', valid: true },
  { value: '`tick`', response: 'Bin A-06', valid: true },
  { value: ':100:', response: 'Bin A-07: no emoji', valid: true },
  { value: '<!channel>', response: 'Bin A-08: calls nobody', valid: true },
  { value: 'Grün/ÄÖ Ω 部品', response: 'Bin A-09: Überseekiste', valid: true },
  { value: 'O\'Brien "B"', response: "Bin A-10: Brien's box", valid: true },
  { value: `0104012345678901${'10'}LOT42${gs}17261231`, response: 'Bin B-01: GS1, lot 42', valid: true },
  { value: `0100614141000012${'21'}7A9${gs}10B7`, response: 'Recalled: take it off the shelf', valid: false },
];

function stock(chance: Seeded): SampleValue[] {
  const values: SampleValue[] = [
    { value: sharedValue, response: 'Bin C-11: 18 V battery pack, new', valid: true },
    ...awkwardValues,
  ];
  const takenValues = new Set(values.map((value) => value.value));
  while (values.length < 599) {
    const digits = `${chance.pick(['00', '40', '50', '76'])}${chance.whole(10 ** 9, 10 ** 10 - 1)}`;
    const value = digits + checkDigit(digits);
    if (takenValues.has(value)) continue;
    takenValues.add(value);
    const bin = `${chance.pick(['B', 'C', 'D', 'E'])}-${String(chance.whole(1, 40)).padStart(2, '0')}`;
    values.push(
      chance.chance(3)
        ? { value, response: `Bin ${bin}: discontinued`, valid: false }
        : { value, response: `Bin ${bin}: ${chance.pick(goods)}`, valid: true },
    );
  }
  return [...values, exampleValue];
}

const toolKinds = [
  'Makita DHP484',
  'Bosch GBH 2-26',
  'Hilti TE 3',
  'Fluke 117',
  'Knipex 87 01 250',
  'Stanley ladder 3 m',
];

function tools(chance: Seeded): SampleValue[] {
  const values: SampleValue[] = [
    { value: sharedValue, response: '18 V battery pack: out for repair', valid: false },
    { value: 'TC-a1', response: 'Angle grinder, small', valid: true },
    { value: 'TC-A1', response: 'Angle grinder, large', valid: true },
  ];
  for (let n = 1; values.length < 200; n += 1) {
    const kind = chance.pick(toolKinds);
    const value = n % 3 === 0 ? `${kind} #${String(n).padStart(2, '0')}` : `TC-${String(n).padStart(4, '0')}`;
    values.push(
      chance.chance(8)
        ? { value, response: `${kind}: out for repair`, valid: false }
        : { value, response: `${kind}, shelf ${chance.whole(1, 9)}`, valid: true },
    );
  }
  return values;
}

/** The check digit of an EAN, its 13th: weights 1 and 3 from the left. */
function checkDigit(twelve: string): string {
  const sum = [...twelve].reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 1 : 3), 0);
  return String((10 - (sum % 10)) % 10);
}

function letters(chance: Seeded, count: number): string {
  const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz';
  return Array.from({ length: count }, () => alphabet[chance.whole(0, alphabet.length - 1)]).join('');
}

export function sampleDatabases(): readonly [SampleDatabase, SampleDatabase, SampleDatabase] {
  return [
    { name: 'Harbour Lights Festival tickets', caseSensitive: false, values: tickets(createSeeded(11)) },
    { name: 'Stock room', caseSensitive: false, values: stock(createSeeded(12)) },
    { name: 'Tool crib', caseSensitive: true, values: tools(createSeeded(13)) },
  ];
}
