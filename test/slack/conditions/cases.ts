/** For every kind of condition: conditions of it, what a rule with one says, and which scans it posts. */
import type { Subject } from '../../../src/counters/counters.js';
import type { Condition, ConditionOf } from '../../../src/relay/index.js';

export type ScanForm = Readonly<Record<string, string>>;

export interface ConditionCase<K extends Condition['kind'] = Condition['kind']> {
  readonly condition: ConditionOf<K>;
  /** The words for a rule with this condition alone. */
  readonly clause: string;
  /** Scans in the order of their arrival, each with whether the rule posts it. */
  readonly scans: readonly (readonly [posted: boolean, form: ScanForm])[];
  /** The subjects whose scans the relay counts for it; none if unset. */
  readonly counts?: readonly Subject[];
  /** For a silence: after so many milliseconds without a scan, the rule posts an alert. */
  readonly waitsMs?: number;
}

type Cases = { readonly [K in Condition['kind']]: readonly [ConditionCase<K>, ...ConditionCase<K>[]] };

/** The account's names of ids. */
export const names: Readonly<Record<string, string>> = {
  'service 101': 'Gate A',
  'user 7': 'ann',
  'device D1': 'Gate A phone',
  'device D2': 'Stockroom',
  'question 12': 'How many?',
};
/** A barcode that somebody watches. */
export const watchedValue = 'W-1';

/** The scans arrive on a Friday at noon, UTC. A scan that was made at six is late. */
const atSix = { scanned_at_utc: '2026-05-01 06:00:00' };
const hours = { zone: 'Europe/London', days: [5], from: '08:00', to: '18:00' };
const inLondon = 'Fri, 08:00–18:00 (London)';
const invalid = { status: '0' };
const batch = (lot: string) => ({ tid: `(01)09501101530003(10)${lot}` });
const usableUntil = (date: string) => ({ tid: `(01)09501101530003(17)${date}` });
const responded = (text: string) => ({ status: '1', text });
const answered = (text: string, question = '12') => ({ [`answers[${question}]`]: text });

export const cases: Cases = {
  every: [{ condition: { kind: 'every' }, clause: 'for every scan', scans: [[true, {}]] }],
  result: [
    {
      condition: { kind: 'result', is: 'invalid' },
      clause: 'when a scan is not valid',
      scans: [
        [false, { status: '1' }],
        [true, invalid],
      ],
    },
    {
      condition: { kind: 'result', is: 'valid' },
      clause: 'when a scan is valid',
      scans: [
        [false, invalid],
        [true, { status: '1' }],
      ],
    },
    {
      condition: { kind: 'result', is: 'duplicate' },
      clause: 'when a scan is a duplicate',
      counts: ['value'],
      scans: [
        [false, { tid: 'A' }],
        [false, { tid: 'B' }],
        [true, { tid: 'A' }],
      ],
    },
    {
      condition: { kind: 'result', is: 'late' },
      clause: 'when a scan is late',
      scans: [
        [false, {}],
        [true, atSix],
      ],
    },
    {
      condition: { kind: 'result', is: 'not_validated' },
      clause: 'when a scan couldn’t be checked',
      scans: [
        [false, { status: '1' }],
        [true, { status: '-1' }],
      ],
    },
  ],
  value: [
    {
      condition: { kind: 'value', is: ['0012', 'a\u001db'], exact: true },
      clause: 'when a scan has the barcode 0012 or a␝b',
      scans: [
        [false, { tid: '12' }],
        [true, { tid: '0012' }],
        [false, { tid: 'A\u001db' }],
        [true, { tid: 'a\u001db' }],
      ],
    },
    {
      condition: { kind: 'value', is: ['Straße'], exact: false },
      clause: 'when a scan has the barcode Straße',
      scans: [
        [false, { tid: 'STRASE' }],
        [true, { tid: 'STRASSE' }],
      ],
    },
  ],
  value_pattern: [
    {
      condition: { kind: 'value_pattern', pattern: '^VIP-' },
      clause: 'when a scan has a barcode that matches ^VIP-',
      scans: [
        [false, { tid: 'xVIP-1' }],
        [true, { tid: 'VIP-1' }],
      ],
    },
  ],
  check_digit: [
    {
      condition: { kind: 'check_digit' },
      clause: 'when a scan has a wrong check digit',
      scans: [
        [false, { tid: '4006381333931' }],
        [true, { tid: '4006381333932' }],
      ],
    },
  ],
  watched: [
    {
      condition: { kind: 'watched' },
      clause: 'when a scan has a watched barcode',
      scans: [
        [false, { tid: 'W-2' }],
        [true, { tid: watchedValue }],
      ],
    },
  ],
  first_seen: [
    {
      condition: { kind: 'first_seen' },
      clause: 'when a scan has a barcode scanned for the first time',
      counts: ['value'],
      scans: [
        [true, { tid: 'A' }],
        [false, { tid: 'A' }],
        [true, { tid: 'B' }],
      ],
    },
  ],
  expires: [
    {
      condition: { kind: 'expires', days: 7, zone: 'Europe/London' },
      clause: 'when a scan expires within 7 days or has expired',
      scans: [
        [false, { tid: '0012' }],
        [false, usableUntil('260509')],
        [true, usableUntil('260508')],
        [true, usableUntil('250101')],
      ],
    },
  ],
  batch: [
    {
      condition: { kind: 'batch', is: ['L1', 'L2'], exact: true },
      clause: 'when a scan is of batch L1 or L2',
      scans: [
        [false, { tid: 'L1' }],
        [false, batch('l1')],
        [true, batch('L2')],
      ],
    },
  ],
  from: [
    {
      condition: { kind: 'from', what: 'service', ids: ['101', '102'] },
      clause: 'when a scan comes from Gate A or unnamed service 102',
      scans: [
        [false, { sid: '10' }],
        [true, { sid: '102' }],
      ],
    },
    {
      condition: { kind: 'from', what: 'user', ids: ['7'] },
      clause: 'when a scan is scanned by ann',
      scans: [
        [false, { userid: '8' }],
        [true, { userid: '7' }],
      ],
    },
    {
      condition: { kind: 'from', what: 'device', ids: ['D1'] },
      clause: 'when a scan is made with Gate A phone',
      scans: [
        [false, { udid: 'd1' }],
        [true, { udid: 'D1' }],
      ],
    },
  ],
  device_name: [
    {
      condition: { kind: 'device_name', contains: 'gate a' },
      clause: 'when a scan is made with a device whose name contains gate a',
      scans: [
        [true, { udid: 'D1' }],
        // The device has no known name, and the text in its id does not count, nor in an exception.
        [false, { udid: 'gate a' }],
        [false, { udid: 'D2' }],
      ],
    },
  ],
  answer: [
    {
      condition: { kind: 'answer', questionId: '12', how: 'equals', to: 'yes', exact: false },
      clause: 'when a scan has the answer yes to “How many?”',
      scans: [
        [false, answered('yes', '13')],
        [true, answered('YES')],
        [true, answered('no|^|yes')],
      ],
    },
    {
      condition: { kind: 'answer', questionId: '12', how: 'above', to: '-2.5', exact: false },
      clause: 'when a scan has an answer to “How many?” that is above -2.5',
      scans: [
        ...['-2.50', '-3', '2,5', 'ten', '1e3', ''].map((text) => [false, answered(text)] as const),
        ...['-2.4', '0', '007', '12345678901234567890.5'].map((text) => [true, answered(text)] as const),
      ],
    },
    {
      condition: { kind: 'answer', how: 'contains', to: 'Gate', exact: true },
      clause: 'when a scan has an answer that contains Gate',
      scans: [
        [false, answered('gate', '13')],
        [true, answered('the Gate', '13')],
      ],
    },
  ],
  response: [
    {
      condition: { kind: 'response', how: 'contains', to: 'vip', exact: false },
      clause: 'when a scan has a response that contains vip',
      scans: [
        [false, responded('Guest')],
        [true, responded('VIP lounge')],
        [true, { status: '0', text: 'Used by a vip' }],
      ],
    },
    {
      condition: { kind: 'response', how: 'equals', to: 'VIP', exact: true },
      clause: 'when a scan has a response that is VIP',
      scans: [
        [false, responded('vip')],
        [false, responded('VIP ')],
        [true, responded('VIP')],
      ],
    },
    {
      condition: { kind: 'response', how: 'matches', to: '^allergy: .*nuts?$', exact: false },
      clause: 'when a scan has a response that matches ^allergy: .*nuts?$',
      scans: [
        [false, responded('no allergy: nuts')],
        [true, responded('Allergy: peanuts')],
      ],
    },
    {
      condition: { kind: 'response', how: 'below', to: '5', exact: false },
      clause: 'when a scan has a response that is below 5',
      scans: [
        [false, responded('5')],
        [true, responded('4.5')],
      ],
    },
  ],
  property: [
    {
      condition: { kind: 'property', name: 'zone', how: 'present', to: '', exact: false },
      clause: 'when a scan has a property zone',
      scans: [
        [false, { Zone: 'x' }],
        [true, { zone: 'x' }],
      ],
    },
    {
      condition: { kind: 'property', name: 'weight', how: 'below', to: '0.5', exact: false },
      clause: 'when a scan has a property weight that is below 0.5',
      scans: [
        [false, { weight: '.5' }],
        [false, { weight: '0,4' }],
        [true, { weight: '.49' }],
      ],
    },
  ],
  within_hours: [
    {
      condition: { kind: 'within_hours', hours },
      clause: `when a scan happens within ${inLondon}`,
      scans: [
        [false, atSix],
        [true, {}],
      ],
    },
  ],
  outside_hours: [
    {
      condition: { kind: 'outside_hours', hours },
      clause: `when a scan happens outside ${inLondon}`,
      scans: [
        [false, {}],
        [true, atSix],
      ],
    },
  ],
  nth: [
    {
      condition: { kind: 'nth', n: 2, of: 'device', again: true },
      clause: 'for every 2nd scan of the same device',
      counts: ['device'],
      scans: [
        [false, { udid: 'D1' }],
        [false, { udid: 'D2' }],
        [true, { udid: 'D1' }],
        [false, { udid: 'D1' }],
        [true, { udid: 'D1' }],
      ],
    },
    {
      condition: { kind: 'nth', n: 2, of: 'relay', again: false },
      clause: 'for only the 2nd scan of this relay',
      counts: ['relay'],
      scans: [
        [false, {}],
        [true, {}],
        [false, {}],
        [false, {}],
      ],
    },
  ],
  burst: [
    {
      condition: { kind: 'burst', n: 2, minutes: 5 },
      clause: 'when 2 scans are not valid within 5 minutes',
      scans: [
        [false, invalid],
        [false, {}],
        [true, invalid],
        [false, invalid],
      ],
    },
  ],
  silence: [
    {
      condition: { kind: 'silence', of: 'device', ids: ['D1'], minutes: 90, hours },
      clause: `when no scan arrives from Gate A phone for 90 minutes, ${inLondon}`,
      counts: ['device'],
      scans: [[false, { udid: 'D1' }]],
      waitsMs: 91 * 60_000,
    },
  ],
};
