/** Lookups as versions before facts stored them, behind the buttons of cards that are shown now. */
import { describe, expect, it } from 'vitest';
import { agesOf, headlineOf, lookupShape } from '../../src/lookup/index.js';

const noon = Date.UTC(2026, 2, 1, 12);
const minuteMs = 60_000;
const why = { code: 'account.unreachable' };
const database = { id: '1', name: 'Tickets' };
const known = (valid: boolean) => ({ kind: 'known', database, value: 'A', valid, response: '' });
const scan = (status: string) => ({
  ...{ id: '1', source: 'account', value: 'A', status, result: '', at: noon - minuteMs, atText: '', answers: [] },
  ...{ service: { id: '7', name: 'Gate' }, device: { id: '', name: '' }, user: { id: '', name: '' } },
});
const gate = { relay: false, id: '7', name: 'Gate', databaseIds: ['1'], serviceIds: ['7'] };
const summary = { read: 0, total: 0, exact: true, valid: 0, invalid: 0 };
const read = (...scans: object[]) => ({ kind: 'read', scans, summary, more: false });
const copied = { values: noon, scans: noon, scanDays: 90, greenMs: 15 * minuteMs };

const stored = (more: object) => ({
  ...{
    value: 'A',
    spellings: [],
    askedAt: noon,
    findings: [known(true)],
    notAsked: [],
    history: read(),
    gates: [gate],
  },
  ...{ callsLeft: { minute: { resetsAt: noon }, day: { resetsAt: noon } }, cost: 2 },
  ...more,
});

const rows: readonly (readonly [what: string, stored: object, title: string, tone: string])[] = [
  ['of the account alone', stored({}), 'Valid, no admission on record', 'good'],
  ['of a copy of 90 days', stored({ asOf: copied }), 'Valid, no admission in 90 days', 'unsure'],
  ['scanned', stored({ history: read(scan('valid')), asOf: copied }), 'Valid, scanned before', 'good'],
  [
    'used',
    stored({ history: read(scan('valid')), gates: [{ ...gate, once: {} }], asOf: { ...copied, scans: noon - 1e8 } }),
    'Already used',
    'bad',
  ],
  [
    'not valid, 9 hours ago',
    stored({ findings: [known(false)], asOf: { ...copied, values: noon - 3e7 } }),
    'Not valid',
    'bad',
  ],
  [
    'valid, 20 minutes ago',
    stored({ asOf: { ...copied, values: noon - 20 * minuteMs, unchecked: true, why } }),
    'Valid, not confirmed',
    'unsure',
  ],
  ['perhaps deleted since', stored({ asOf: { ...copied, doubtful: true } }), 'Valid, not confirmed', 'unsure'],
  [
    'of a database that gave no answer, whose copy lacks the barcode',
    stored({ findings: [{ kind: 'failed', database, why, copiedAt: noon - minuteMs }], asOf: copied }),
    'Not checked: Tickets could not be searched',
    'unsure',
  ],
  [
    'unknown by a copy',
    stored({ findings: [{ kind: 'unknown', database, similar: [], copiedAt: noon - minuteMs }], asOf: copied }),
    'Unknown: not in Tickets',
    'unknown',
  ],
  [
    'of databases that could not be listed',
    stored({ findings: [], notAsked: undefined, listFailed: why }),
    'Not checked: the account’s databases could not be listed',
    'unsure',
  ],
  [
    'valid, though the other databases could not be listed',
    stored({ notAsked: undefined, listFailed: why }),
    'Valid, no admission on record',
    'good',
  ],
  [
    'scanned at a service that could not be loaded',
    stored({ history: read(scan('valid')), gates: [], gatesFailed: why }),
    'Valid, scanned once, not confirmed',
    'unsure',
  ],
];

describe('a stored lookup of a version before facts', () => {
  it.each(rows)('a stored lookup %s is drawn as it was, also once it is stored again', (_, it_, title, tone) => {
    const lookup = lookupShape.parse(it_);
    expect(headlineOf(lookup)).toMatchObject({ title, tone });
    expect(lookupShape.parse(JSON.parse(JSON.stringify(lookup)))).toEqual(JSON.parse(JSON.stringify(lookup)));
  });

  it('a stored lookup shows the ages that it was stored with, and none where nothing was copied', () => {
    const aged = { ...copied, values: noon - 5_000, scans: noon - 9_000, fullAt: noon - 20_000 };
    expect(agesOf(lookupShape.parse(stored({ asOf: aged })))).toEqual({
      ...{ values: noon - 5_000, scans: noon - 9_000, fullAt: noon - 20_000, absent: undefined },
    });
    expect(agesOf(lookupShape.parse(stored({})))).toBeUndefined();
  });
});
