import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { lastDue, nextDue, reportedDays } from '../../src/reports/days.js';
import type { ReportDay } from '../../src/reports/report.js';
import { wideIt } from '../helpers/tier/wide-it.js';

const utc = (text: string) => Date.parse(`${text}Z`);
const iso = (at: number) => new Date(at).toISOString().slice(0, 16);
const hours = ({ from, to }: { from: number; to: number }) => (to - from) / 3_600_000;
const schedule = (zone: string, hour: number, minute = 0) => ({ zone, hour, minute });

describe('the time of a report', () => {
  it.each([
    // [zone, hour, minute, after (UTC), due (UTC)]
    ['Europe/Berlin', 22, 0, '2026-11-22T20:59', '2026-11-22T21:00'],
    ['Europe/Berlin', 22, 0, '2026-11-22T21:00', '2026-11-23T21:00'],
    // The clocks go forward: 02:30 does not exist on that day.
    ['Europe/Berlin', 2, 30, '2026-03-28T12:00', '2026-03-29T01:30'],
    ['Europe/Berlin', 2, 30, '2026-03-29T01:30', '2026-03-30T00:30'],
    // The clocks go back: 02:30 comes twice, and counts once.
    ['Europe/Berlin', 2, 30, '2026-10-24T12:00', '2026-10-25T00:30'],
    ['Europe/Berlin', 2, 30, '2026-10-25T00:30', '2026-10-26T01:30'],
    // After the first 02:30 and before the second, the next report is due on the next day.
    ['Europe/Berlin', 2, 30, '2026-10-25T01:05', '2026-10-26T01:30'],
    ['America/New_York', 1, 15, '2026-11-01T00:00', '2026-11-01T05:15'],
    ['America/New_York', 1, 15, '2026-11-01T05:59', '2026-11-02T06:15'],
    ['Asia/Kolkata', 8, 0, '2026-05-01T00:00', '2026-05-01T02:30'],
    ['Australia/Lord_Howe', 2, 15, '2026-10-03T00:00', '2026-10-03T15:45'],
    ['Asia/Kathmandu', 0, 0, '2026-05-01T00:00', '2026-05-01T18:15'],
    // Midnight does not exist.
    ['Africa/Cairo', 0, 0, '2026-04-23T12:00', '2026-04-23T22:00'],
  ])(
    'a daily report in %s at hour %i, minute %i, is due after %s (UTC) at %s (UTC)',
    (zone, hour, minute, after, due) => {
      expect(iso(nextDue(schedule(zone, hour, minute), utc(after)))).toBe(due);
    },
  );

  wideIt('a report is due once for each date, whatever the zone’s clocks do', () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'Asia/Kolkata', 'UTC'];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 0, max: 59 }),
        fc.integer({ min: 0, max: 365 * 86_400 }),
        (zone, hour, minute, seconds) => {
          const start = utc('2026-01-01T00:00') + seconds * 1000;
          const first = nextDue({ zone, hour, minute }, start);
          const second = nextDue({ zone, hour, minute }, first);
          const [one, other] = [first, second].map((at) => DateTime.fromMillis(at, { zone }));
          expect(first).toBeGreaterThan(start);
          // A day of a clock change at midnight is an hour shorter.
          expect(Math.round(other!.startOf('day').diff(one!.startOf('day'), 'days').days)).toBe(1);
          // At any moment between two due times, the next one is the later of them.
          expect(nextDue({ zone, hour, minute }, first + ((second - first) * (seconds % 97)) / 97)).toBe(second);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('a report after days without an instance is due at the last missed time, and counts earlier missed times', () => {
    const daily = schedule('UTC', 22);
    expect(lastDue(daily, utc('2026-11-20T22:00'), utc('2026-11-22T23:00'))).toEqual({
      at: utc('2026-11-22T22:00'),
      before: 2,
    });
    expect(lastDue(daily, utc('2026-11-20T22:00'), utc('2026-11-20T22:00'))).toMatchObject({ before: 0 });
  });

  wideIt('a report after days without an instance is due as in a model that steps from report to report', () => {
    const zones = ['Europe/Berlin', 'Australia/Lord_Howe', 'Africa/Cairo', 'Pacific/Apia', 'UTC'];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 23 }),
        fc.constantFrom(0, 15, 30),
        fc.integer({ min: 0, max: 365 * 86_400 }),
        fc.integer({ min: 0, max: 60 * 86_400 }),
        fc.boolean(),
        (zone, hour, minute, seconds, passed, isExact) => {
          const start = utc('2026-01-01T00:00') + seconds * 1000;
          const dueAt = isExact ? nextDue({ zone, hour, minute }, start) : start;
          const now = dueAt + passed * 1000;
          let [at, before] = [dueAt, 0];
          for (let next = nextDue({ zone, hour, minute }, at); next <= now; ) {
            [at, before] = [next, before + 1];
            next = nextDue({ zone, hour, minute }, at);
          }
          expect(lastDue({ zone, hour, minute }, dueAt, now)).toEqual({ at, before });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('a report’s due time is computed at once even after a machine’s clock was wrong by centuries', () => {
    const began = performance.now();
    const { before } = lastDue(schedule('Europe/Berlin', 22), utc('1970-01-01T21:00'), utc('9999-12-31T12:00'));
    expect(before).toBe(2_932_895);
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});

describe('the days of a report', () => {
  const days = (day: ReportDay, zone: string, hour: number, minute: number, due: string) =>
    reportedDays({ day, zone, hour, minute }, utc(due));

  it('a report at 22:00 covers today until then, and the same part of yesterday for comparison', () => {
    const { day, before, isPart } = days('today', 'Europe/Berlin', 22, 0, '2026-11-22T21:00');
    expect([day.date, iso(day.from), iso(day.to)]).toEqual(['2026-11-22', '2026-11-21T23:00', '2026-11-22T21:00']);
    expect([before.date, iso(before.from), iso(before.to)]).toEqual([
      '2026-11-21',
      '2026-11-20T23:00',
      '2026-11-21T21:00',
    ]);
    expect(isPart).toBe(true);
  });

  it('a report at midnight covers the day that is over, and the day before for comparison', () => {
    const { day, before, isPart } = days('today', 'UTC', 0, 0, '2026-11-22T00:00');
    expect([day.date, before.date, isPart, hours(day), hours(before)]).toEqual([
      '2026-11-21',
      '2026-11-20',
      false,
      24,
      24,
    ]);
  });

  it.each([
    // [zone, due (UTC), date, hours, hours of the day before]
    ['Europe/Berlin', '2026-03-30T05:00', '2026-03-29', 23, 24],
    ['Europe/Berlin', '2026-10-26T06:00', '2026-10-25', 25, 24],
    ['Europe/Berlin', '2026-10-27T06:00', '2026-10-26', 24, 25],
    ['America/New_York', '2026-03-09T11:00', '2026-03-08', 23, 24],
    ['Australia/Lord_Howe', '2026-10-04T20:00', '2026-10-04', 23.5, 24],
    ['Asia/Kolkata', '2026-05-02T01:30', '2026-05-01', 24, 24],
    ['Africa/Cairo', '2026-04-25T04:00', '2026-04-24', 23, 24],
  ])(
    'a report in %s due at %s UTC covers %s with %f hours, after a day of %f hours',
    (zone, due, date, length, before) => {
      const read = days('yesterday', zone, 7, 0, due);
      expect([read.day.date, hours(read.day), hours(read.before)]).toEqual([date, length, before]);
      expect(read.before.to).toBe(read.day.from);
    },
  );

  it('a report’s days are cut at the same clock time though the clocks changed between them', () => {
    const { day, before } = days('today', 'Europe/Berlin', 18, 0, '2026-03-29T16:00');
    expect([hours(day), hours(before)]).toEqual([17, 18]);
  });
});
