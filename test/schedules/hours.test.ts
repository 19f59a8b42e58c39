import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import type { Hours } from '../../src/relay/record/settings.js';
import { createSchedule } from '../../src/schedules/schedule.js';
import { wideIt } from '../helpers/tier/wide-it.js';

const isWithin = (hours: Hours, moment: number): boolean => createSchedule(hours).isOpen(moment);

const everyDay = [1, 2, 3, 4, 5, 6, 7];
const gate: Hours = { zone: 'Europe/Berlin', days: [1, 2, 3, 4, 5], from: '08:30', to: '17:00' };
const night: Hours = { zone: 'America/New_York', days: [5], from: '22:00', to: '02:00' };

const at = (hours: Hours, wall: string): boolean =>
  isWithin(hours, DateTime.fromISO(wall, { zone: hours.zone }).toMillis());

describe('hours', () => {
  it.each([
    ['outside, just before the hours begin', gate, '2026-03-02T08:29:59.999', false],
    ['within, as the hours begin', gate, '2026-03-02T08:30', true],
    ['within, just before the hours end', gate, '2026-03-02T16:59:59.999', true],
    ['outside, as the hours end', gate, '2026-03-02T17:00', false],
    ['outside, on a day that is not chosen', gate, '2026-03-01T12:00', false],
    ['within, late on the day on which the hours begin', night, '2026-03-06T23:30', true],
    ['within, after midnight on the next day', night, '2026-03-07T01:59', true],
    ['outside, as the hours end on the next day', night, '2026-03-07T02:00', false],
    ['outside, after midnight after a day that is not chosen', night, '2026-03-06T01:00', false],
    ['within, from Sunday into Monday', { ...night, days: [7] }, '2026-03-09T01:00', true],
    [
      'within a whole day, which begins and ends at one time',
      { ...gate, from: '06:00', to: '06:00' },
      '2026-03-06T05:59',
      true,
    ],
    ['within a whole day, on the day after', { ...gate, from: '06:00', to: '06:00' }, '2026-03-07T05:59', true],
    ['outside, at the end of a whole day', { ...gate, from: '06:00', to: '06:00' }, '2026-03-07T06:00', false],
  ] as const)('a moment is within or outside of the hours of a week: %s', (_, hours, wall, within) => {
    expect(at(hours as unknown as Hours, wall)).toBe(within);
  });

  it('hours of a week follow local clock time when clocks change', () => {
    const early: Hours = { zone: 'Europe/Berlin', days: everyDay, from: '02:30', to: '03:30' };
    // 29 March 2026: after 01:59:59 comes 03:00.
    expect(at(early, '2026-03-29T01:59')).toBe(false);
    expect(at(early, '2026-03-29T03:00')).toBe(true);
    expect(at(early, '2026-03-29T03:30')).toBe(false);
    // 25 October 2026: 02:45 comes twice, an hour apart.
    const first = DateTime.fromISO('2026-10-25T02:45+02:00').toMillis();
    expect([isWithin(early, first), isWithin(early, first + 3_600_000)]).toEqual([true, true]);
  });

  wideIt('hours of a week agree with local clock time in any minute around clock changes', () => {
    const zones = [
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'America/Santiago',
      'Africa/Cairo',
      'utc',
    ];
    const time = fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
    const hours = fc.record({
      zone: fc.constantFrom(...zones),
      days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      from: time,
      to: time,
    });
    const day = fc.constantFrom('2026-03-28', '2026-03-07', '2026-04-04', '2026-04-23', '2026-10-24', '2026-10-31');
    fc.assert(
      fc.property(hours, day, fc.integer({ min: 0, max: 3 * 1_440 - 1 }), (given, from, minute) => {
        const moment = DateTime.fromISO(from, { zone: 'utc' }).plus({ minutes: minute });
        const schedule = createSchedule(given);
        const window = schedule.windowAt(moment.toMillis());
        expect(window === undefined || (!schedule.isOpen(window.from - 1) && !schedule.isOpen(window.to))).toBe(
          window === undefined || window.to - window.from < 9 * 86_400_000,
        );
        expect(isWithin(given, moment.toMillis())).toBe(isOpenOnTheWall(given, moment.setZone(given.zone)));
      }),
      { numRuns: 400 },
    );
  });
});

/** Walks from each beginning to its end on a calendar without clock changes, minute by minute. */
function isOpenOnTheWall(hours: Hours, wall: DateTime): boolean {
  const now = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute);
  const today = Date.UTC(wall.year, wall.month - 1, wall.day);
  return [today - 86_400_000, today].some((day) => {
    if (!hours.days.includes(new Date(day).getUTCDay() || 7)) {
      return false;
    }
    let minute = Date.parse(`${new Date(day).toISOString().slice(0, 10)}T${hours.from}Z`);
    do {
      if (minute === now) {
        return true;
      }
      minute += 60_000;
    } while (new Date(minute).toISOString().slice(11, 16) !== hours.to);
    return false;
  });
}
