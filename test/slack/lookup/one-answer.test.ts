import { describe, expect, it } from 'vitest';
import { headlineOf, type Lookup } from '../../../src/lookup/index.js';
import { lookupCard } from '../../../src/slack/lookup/card/card.js';
import { severalAnswer } from '../../../src/slack/lookup/several/lines.js';
import { severalCard } from '../../../src/slack/lookup/several/several-card.js';
import { read } from '../block-kit/reading.js';
import { absent, known, lookup, noon, scan } from './lookup-samples.js';

const minuteMs = 60_000;
const gate = (id: string, name: string, once?: object) => ({
  ...{ relay: false, id, name, databaseIds: ['Tickets 2026'], serviceIds: [id] },
  ...(once ? { once } : {}),
});
const again = [gate('1', 'Main gate')];
const old = { values: noon - 5 * minuteMs, scans: noon - 5 * minuteMs };

/** Statements that contradict each other: a card makes exactly one of the two. */
const pairs: readonly (readonly [title: string, one: RegExp, other: RegExp, lookup: Lookup])[] = [
  [
    'a barcode was scanned at least once, and that it was scanned exactly once',
    /at least/,
    /Scanned once/,
    lookup({ scans: [scan()], gates: again, asOf: { values: noon, scans: noon, scanDays: 90 } }),
  ],
  [
    'a barcode was scanned once, and that it was scanned twice',
    /scanned once/,
    /Scanned 2 times|1 other scan/,
    lookup({ scans: [scan(), scan({ id: '2', status: 'other' })], gates: again }),
  ],
  [
    'a ticket is used at every gate, and that it is not used yet at one gate',
    /Already used(?! at)/,
    /Gate B/,
    lookup({ scans: [scan()], gates: [gate('1', 'Main gate', {}), gate('2', 'Gate B', {})] }),
  ],
  [
    'a barcode is valid or not, and that it was not checked',
    /[Vv]alid/,
    /Not checked/,
    lookup({ asOf: { ...old, unchecked: true } }),
  ],
  [
    'a barcode is valid as of now, and that it is as of five minutes ago',
    /no admission on record(?!, <)/,
    /no admission on record, <!date/,
    lookup({ asOf: old }),
  ],
  [
    'a barcode is in neither of two databases, and that it is not in one of the two',
    /Not in A or B/,
    /Not in A[,.]/,
    lookup({ findings: [absent('A'), absent('B')] }),
  ],
];

describe('a card', () => {
  it.each(pairs)('a card never says both that %s', (_title, one, other, of) => {
    const text = read(lookupCard(of, { data: { value: of.value } }).blocks);
    expect([one.test(text), other.test(text)]).not.toEqual([true, true]);
    expect(one.test(text) || other.test(text)).toBe(true);
  });

  it('a card says that a ticket is used at one service, and not yet at another', () => {
    const of = lookup({ scans: [scan()], gates: [gate('1', 'Main gate', {}), gate('2', 'Gate B', {})] });
    expect(headlineOf(of)).toMatchObject({
      title: 'Already used at Main gate',
      notes: ['Not used yet at Gate B.'],
    });
  });

  it('a card gives a ticket typed in lower case the same result as in upper case', () => {
    const once = [gate('1', 'Main gate', {})];
    const of = (value: string) =>
      lookup({
        value,
        findings: [known('Tickets 2026', true, '', 'HLF-1')],
        scans: [scan({ value: 'HLF-1' })],
        gates: once,
      });
    expect(headlineOf(of('hlf-1'))).toEqual(headlineOf(of('HLF-1')));
  });
});

describe('the card of several barcodes', () => {
  it('the card of several barcodes counts a barcode with a tick as valid, also where the account did not confirm it', () => {
    const doubtful = lookup({
      scans: [scan()],
      gates: again,
      asOf: { values: noon, scans: noon, unchecked: true },
    });
    const results = [{ kind: 'answered', value: doubtful.value, lookup: doubtful }] as const;
    const { text } = severalCard(severalAnswer({ leftOut: [], parted: false, results }, noon, undefined));
    expect(text).toMatch(/^1 barcode: 1 valid/);
  });
});
