import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { createSchedule, dayIn } from '../../src/schedules/schedule.js';

const berlin = 'Europe/Berlin';
const at = (text: string, zone = berlin) => DateTime.fromISO(text, { zone }).toMillis();
const hours = (from: string, to: string, days = [1, 2, 3, 4, 5], zone = berlin) =>
  createSchedule({ zone, days, from, to });

describe('active hours', () => {
  it('active hours begin and end by the clock time of their zone', () => {
    const office = hours('08:00', '18:00');
    // 1 May 2026 is a Friday.
    expect(office.windowAt(at('2026-05-01T07:59:59.999'))).toBeUndefined();
    expect(office.windowAt(at('2026-05-01T08:00'))).toEqual({
      from: at('2026-05-01T08:00'),
      to: at('2026-05-01T18:00'),
    });
    expect(office.windowAt(at('2026-05-01T18:00'))).toBeUndefined();
    expect(office.nextStart(at('2026-05-01T12:00'))).toBe(at('2026-05-04T08:00'));
    expect(office.nextStart(at('2026-05-01T19:00'))).toBe(at('2026-05-04T08:00'));
    expect(office.nextStart(at('2026-05-04T07:00'))).toBe(at('2026-05-04T08:00'));
  });

  it('active hours past midnight belong to the day on which they begin', () => {
    const night = hours('22:00', '06:00', [5]);
    expect(night.windowAt(at('2026-05-02T05:59'))).toEqual({
      from: at('2026-05-01T22:00'),
      to: at('2026-05-02T06:00'),
    });
    expect(night.windowAt(at('2026-05-01T05:59'))).toBeUndefined();
    expect(night.nextStart(at('2026-05-02T05:59'))).toBe(at('2026-05-08T22:00'));
  });

  it('active hours that follow each other without a gap are one span', () => {
    const daily = hours('00:00', '00:00', [1, 2]);
    expect(daily.windowAt(at('2026-05-05T12:00'))).toEqual({
      from: at('2026-05-04T00:00'),
      to: at('2026-05-06T00:00'),
    });
    const always = hours('00:00', '00:00', [1, 2, 3, 4, 5, 6, 7]).windowAt(at('2026-05-05T12:00'))!;
    expect(always.to - always.from).toBeGreaterThan(14 * 86_400_000);
  });

  it('active hours are an hour shorter or longer when the clocks are changed', () => {
    const night = hours('22:00', '06:00', [6]);
    const spring = night.windowAt(at('2026-03-29T01:00'))!;
    const autumn = night.windowAt(at('2026-10-25T01:00'))!;
    expect((spring.to - spring.from) / 3_600_000).toBe(7);
    expect((autumn.to - autumn.from) / 3_600_000).toBe(9);
  });

  it.each([
    // The clocks skip 02:00 to 03:00.
    ['Europe/Berlin', '02:15', '02:45', '2026-03-28T12:00Z', []],
    ['Europe/Berlin', '01:30', '03:30', '2026-03-28T12:00Z', [['2026-03-29T00:30Z', '2026-03-29T01:30Z']]],
    ['Europe/Berlin', '02:30', '03:30', '2026-03-28T12:00Z', [['2026-03-29T01:00Z', '2026-03-29T01:30Z']]],
    ['America/New_York', '01:30', '02:30', '2026-03-07T17:00Z', [['2026-03-08T06:30Z', '2026-03-08T07:00Z']]],
    // The clocks show 02:00 to 03:00 (in New York 01:00 to 02:00) twice.
    ['Europe/Berlin', '01:30', '03:30', '2026-10-24T12:00Z', [['2026-10-24T23:30Z', '2026-10-25T02:30Z']]],
    [
      'Europe/Berlin',
      '02:15',
      '02:45',
      '2026-10-24T12:00Z',
      [
        ['2026-10-25T00:15Z', '2026-10-25T00:45Z'],
        ['2026-10-25T01:15Z', '2026-10-25T01:45Z'],
      ],
    ],
    [
      'America/New_York',
      '00:30',
      '01:30',
      '2026-10-31T17:00Z',
      [
        ['2026-11-01T04:30Z', '2026-11-01T05:30Z'],
        ['2026-11-01T06:00Z', '2026-11-01T06:30Z'],
      ],
    ],
    // These clocks change by half an hour.
    ['Australia/Lord_Howe', '01:15', '02:15', '2026-10-03T06:00Z', [['2026-10-03T14:45Z', '2026-10-03T15:30Z']]],
  ] as const)(
    'active hours in %s from %s to %s follow the change of clocks on the day after %s',
    (zone, from, to, noon, expected) => {
      const daily = hours(from, to, [1, 2, 3, 4, 5, 6, 7], zone);
      const found: [number, number][] = [];
      const until = Date.parse(noon) + 20 * 3_600_000;
      for (let moment = daily.nextStart(Date.parse(noon)); moment < until; moment = daily.nextStart(moment)) {
        const window = daily.windowAt(moment)!;
        expect(window.from).toBe(moment);
        found.push([window.from, window.to]);
      }
      expect(found).toEqual(expected.map((window) => window.map((text) => Date.parse(text))));
    },
  );

  it('active hours are in UTC where the zone is unknown', () => {
    expect(hours('08:00', '18:00', [5], 'Mars/Olympus').windowAt(at('2026-05-01T08:00', 'utc'))).toBeDefined();
    expect(dayIn('Mars/Olympus', at('2026-05-01T23:30', 'utc'))).toBe('2026-05-01');
    expect(dayIn('Asia/Tokyo', at('2026-05-01T23:30', 'utc'))).toBe('2026-05-02');
  });

  it('active hours agree with local clock time, at any moment, in any order of queries', () => {
    const office = hours('08:30', '17:45');
    fc.assert(
      fc.property(fc.integer({ min: at('2026-01-01'), max: at('2027-01-01') }), (moment) => {
        const wall = DateTime.fromMillis(moment, { zone: berlin });
        const minutes = wall.hour * 60 + wall.minute;
        const open = wall.weekday <= 5 && minutes >= 510 && minutes < 1065;
        const window = office.windowAt(moment);
        return (window !== undefined) === open && (!window || (window.from <= moment && moment < window.to));
      }),
      { numRuns: 300 },
    );
  });
});
