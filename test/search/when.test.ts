import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { parseWhen } from '../../src/search/when.js';

const zone = 'America/New_York';
/** A Monday. */
const now = DateTime.fromISO('2026-03-09T15:30:00', { zone }).toMillis();
const shown = (at: number | undefined) =>
  at === undefined ? '' : DateTime.fromMillis(at, { zone }).toFormat('yyyy-MM-dd HH:mm');

describe('a span of time in words', () => {
  it.each([
    ['today', '2026-03-09 00:00', '2026-03-10 00:00'],
    ['Yesterday', '2026-03-08 00:00', '2026-03-09 00:00'],
    ['monday', '2026-03-09 00:00', '2026-03-10 00:00'],
    ['last monday', '2026-03-02 00:00', '2026-03-03 00:00'],
    ['fri', '2026-03-06 00:00', '2026-03-07 00:00'],
    ['last 7 days', '2026-03-03 00:00', ''],
    ['last 2 hours', '2026-03-09 13:30', ''],
    ['last hour', '2026-03-09 14:30', ''],
    ['past 30 minutes', '2026-03-09 15:00', ''],
    ['this week', '2026-03-09 00:00', '2026-03-16 00:00'],
    ['last week', '2026-03-02 00:00', '2026-03-09 00:00'],
    ['last month', '2026-02-01 00:00', '2026-03-01 00:00'],
    ['last 2 months', '2026-01-09 00:00', ''],
    ['3 March', '2026-03-03 00:00', '2026-03-04 00:00'],
    ['March 3rd', '2026-03-03 00:00', '2026-03-04 00:00'],
    ['10 March', '2025-03-10 00:00', '2025-03-11 00:00'],
    ['Feb 29 2024', '2024-02-29 00:00', '2024-03-01 00:00'],
    ['2026-03-03', '2026-03-03 00:00', '2026-03-04 00:00'],
    ['3 March to 5 March', '2026-03-03 00:00', '2026-03-06 00:00'],
    ['2026-03-03..2026-03-05', '2026-03-03 00:00', '2026-03-06 00:00'],
    ['between 3 March and 5 March', '2026-03-03 00:00', '2026-03-06 00:00'],
    ['since 3 March', '2026-03-03 00:00', ''],
    ['since yesterday 18:00', '2026-03-08 18:00', ''],
    ['before 3 March', '', '2026-03-03 00:00'],
    ['until 3 March', '', '2026-03-04 00:00'],
    ['after 3 March', '2026-03-04 00:00', ''],
    ['14:00', '2026-03-09 14:00', '2026-03-09 14:01'],
    ['14:00-15:30', '2026-03-09 14:00', '2026-03-09 15:30'],
    ['2pm-3:30pm', '2026-03-09 14:00', '2026-03-09 15:30'],
    ['yesterday 22:00-02:00', '2026-03-08 22:00', '2026-03-09 02:00'],
    ['yesterday at 14:00-15:00', '2026-03-08 14:00', '2026-03-08 15:00'],
    ['yesterday 14:00 to 15:00', '2026-03-08 14:00', '2026-03-08 15:00'],
    ['yesterday 14:00 to today 15:00', '2026-03-08 14:00', '2026-03-09 15:00'],
    // The clocks went forward on 8 March: the day had 23 hours.
    ['8 March', '2026-03-08 00:00', '2026-03-09 00:00'],
  ])('the words “%s” are read as the time span from “%s” to “%s”', (words, from, to) => {
    const span = parseWhen(words, now, zone);
    expect([shown(span?.from), shown(span?.to)]).toEqual([from, to]);
  });

  it.each([
    ...['', 'valid', '0123', 'soon', '30 February', 'Feb 29 2025', '25:00', '14:60', '13pm', 'last 0 days', 'mo'],
    ...['5 March to 3 March', 'since', 'last', 'since last 7 days', 'today and tomorrow', '2026-13-01', 'to 5 march'],
  ])('the text “%s” is not read as a time span', (words) => {
    expect(parseWhen(words, now, zone)).toBeUndefined();
  });
});
