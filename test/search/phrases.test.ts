/** What people type after /scans, a row each: the dates are relative to a clock, in a zone. */
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { parseQuery, parseWhen, type ScanQuery } from '../../src/search/index.js';

const zone = 'Europe/Berlin';
/** A Wednesday. */
const now = DateTime.fromISO('2026-03-11T15:30:00', { zone }).toMillis();
const knownNames = [
  { kind: 'services', name: 'Gate A' },
  { kind: 'services', name: 'Gate B' },
  { kind: 'services', name: 'Stock room' },
  { kind: 'services', name: 'Scans of tickets' },
  { kind: 'users', name: 'mara' },
  { kind: 'users', name: 'Jonas' },
  { kind: 'devices', name: 'By the door' },
] as const;

const shown = (at: number | undefined) =>
  at === undefined ? '' : DateTime.fromMillis(at, { zone }).toFormat('MM-dd HH:mm');
const barcode = (text: string, match: 'contains' | 'starts' = 'contains') => ({ barcode: { match, text } });
const at = (part: string) => ({ services: [{ part }] });
const by = (part: string) => ({ users: [{ part }] });

/** A phrase, its span of time from and to, and the other parts of the search. */
const phrases: readonly (readonly [phrase: string, from: string, to: string, query: ScanQuery])[] = [
  ['today', '03-11 00:00', '03-12 00:00', {}],
  ['yesterday', '03-10 00:00', '03-11 00:00', {}],
  ['this week', '03-09 00:00', '03-16 00:00', {}],
  ['last 3 days', '03-09 00:00', '', {}],
  ['yesterday evening', '03-10 18:00', '03-11 00:00', {}],
  ['before 9', '03-11 00:00', '03-11 09:00', {}],
  ['since monday', '03-09 00:00', '', {}],
  ['22:00 to 06:00', '03-10 22:00', '03-11 06:00', {}],
  ['latest', '', '', {}],
  ['not valid today', '03-11 00:00', '03-12 00:00', { results: ['invalid'] }],
  ['refused tickets this morning', '03-11 04:00', '03-11 12:00', { results: ['invalid'] }],
  ['already used', '', '', { results: ['used'] }],
  ['duplicates', '', '', { results: ['used'] }],
  ['valid at Gate A yesterday', '03-10 00:00', '03-11 00:00', { results: ['valid'], ...at('Gate A') }],
  ['scans by mara', '', '', by('mara')],
  ['by mara yesterday', '03-10 00:00', '03-11 00:00', by('mara')],
  ['who scanned HLF-000001', '', '', barcode('HLF-000001')],
  ['everything from jonas on saturday', '03-07 00:00', '03-08 00:00', by('jonas')],
  ['Gate A 0123*', '', '', { ...at('Gate A'), ...barcode('0123', 'starts') }],
  ['stock room today', '03-11 00:00', '03-12 00:00', at('stock room')],
  ['tickets refused at Gate B', '', '', { results: ['invalid'], ...at('Gate B') }],
  ['0012399 last month', '02-01 00:00', '03-01 00:00', barcode('0012399')],
  ['how many today', '03-11 00:00', '03-12 00:00', {}],
  ['yesterday 23:00 to 01:00', '03-10 23:00', '03-11 01:00', {}],
  ['last monday to friday', '03-02 00:00', '03-07 00:00', {}],
  ['last 10 scans', '', '', {}],
  ['latest scans at Gate A', '', '', at('Gate A')],
  ['PASS-7A', '', '', barcode('PASS-7A')],
  ['show me all tickets refused by Jonas at Gate B', '', '', { results: ['invalid'], ...by('Jonas'), ...at('Gate B') }],
  ['scans at 14:00', '03-11 14:00', '03-11 14:01', {}],
  ['valid and not valid in the last hour', '03-11 14:30', '', { results: ['valid', 'invalid'] }],
  ['from monday', '03-09 00:00', '', {}],
  ['scans with by the door', '', '', { devices: [{ part: 'by the door' }] }],
];

describe('a phrase after /scans', () => {
  it.each(phrases)('“%s” is understood as scans from “%s” to “%s” with %j', (phrase, from, to, query) => {
    const { query: read, ...others } = parseQuery(phrase, now, zone, knownNames);
    const { when, ...rest } = read;
    const span = when === undefined ? {} : parseWhen(when, now, zone);
    expect(others).toEqual({});
    expect([shown(span?.from), shown(span?.to), rest]).toEqual([from, to, query]);
  });

  it.each([
    ['by mara yesterday', { when: 'yesterday', ...by('mara') }],
    ['everything from jonas weber on saturday', { when: 'on saturday', ...by('jonas weber') }],
    ['tickets refused at Gate B', { results: ['invalid'], ...at('Gate B') }],
  ] as const)('“%s” is understood without knowing any name, as %j', (phrase, query) => {
    expect(parseQuery(phrase, now, zone)).toEqual({ query, guessed: true });
  });

  it.each([
    ['unknown today', 'unknown_result', 'unknown', { when: 'today' }],
    ['morning not valid', 'common_word', 'morning', { results: ['invalid'] }],
    ['by', 'common_word', 'by', {}],
    ['at Gate A without mara', 'common_word', 'without', { ...at('Gate A'), ...by('mara') }],
    ['not', 'common_word', 'not', {}],
    ['soon 0123', 'common_word', 'soon', barcode('0123')],
    ['lunch room today', 'two_barcodes', 'lunch room', { when: 'today' }],
    ['yesterday tomorrow', 'future', 'tomorrow', { when: 'yesterday' }],
    ['day after tomorrow', 'future', 'tomorrow', {}],
    ['today servce:gate not valid', 'unknown_key', 'servce:gate', { when: 'today', results: ['invalid'] }],
  ] as const)('“%s” has the problem %s at “%s”, and what was understood is kept: %j', (phrase, kind, typed, query) => {
    expect(parseQuery(phrase, now, zone, knownNames)).toMatchObject({ problem: { kind, typed } });
    expect(parseQuery(phrase, now, zone, knownNames).query).toEqual(query);
  });

  it.each(['by', 'at', 'the', 'who', 'tickets', 'scans', 'latest', 'morning', 'unknown', 'show', 'how', 'last'])(
    'the common word “%s” is never part of a barcode, unless it is in quotes or has the key',
    (word) => {
      expect(parseQuery(word, now, zone).query.barcode).toBeUndefined();
      expect(parseQuery(`${word} 0123`, now, zone).query.barcode?.text ?? '0123').toBe('0123');
      expect(parseQuery(`"${word}"`, now, zone)).toEqual({ query: { barcode: { match: 'is', text: word } } });
      expect(parseQuery(`barcode:${word}`, now, zone).query.barcode?.text).toBe(word);
    },
  );
});
