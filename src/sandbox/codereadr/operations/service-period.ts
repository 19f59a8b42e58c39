/**
 * A service's active period: the dates and times in which it accepts scans, in the account's zone. A date alone is the
 * whole day; a time needs its date.
 */
import { DateTime } from 'luxon';
import { Refusal, type RefusalCode } from '../answer/refusal.js';
import type { Variables } from '../request/variables.js';

type Settings = Readonly<Record<string, string>>;

/** The period in milliseconds since the epoch, both ends included. */
export function periodOf(settings: Settings, zone: string): { start: number | undefined; end: number | undefined } {
  const at = (date: string | undefined, time: string) =>
    date ? DateTime.fromSQL(`${date} ${time}`, { zone }).toMillis() : undefined;
  const end = at(settings.period_end_date, settings.period_end_time || '23:59:59');
  return {
    start: at(settings.period_start_date, settings.period_start_time || '00:00:00'),
    end: end === undefined ? undefined : end + 999,
  };
}

/** The period's settings of this call, as `YYYY-MM-DD` and `HH:mm:ss`; an empty date removes itself and its time. */
export function readPeriod(variables: Variables): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const half of ['start', 'end'] as const) {
    const code = half === 'start' ? '217' : '218';
    const date = variables.text(`period_${half}_date`);
    const time = variables.text(`period_${half}_time`);
    if (date !== undefined) settings[`period_${half}_date`] = date && readDate(date, code);
    if (date === '') settings[`period_${half}_time`] = '';
    if (time !== undefined) settings[`period_${half}_time`] = time && readTime(time);
  }
  return settings;
}

/** @param changed the settings of this call: an old end that has passed is no error of a call that does not set it */
export function checkPeriod(settings: Settings, changed: Settings, zone: string, now: number): void {
  if (settings.period_start_time && !settings.period_start_date) throw new Refusal('217');
  if (settings.period_end_time && !settings.period_end_date) throw new Refusal('218');
  const { start, end } = periodOf(settings, zone);
  if (start !== undefined && end !== undefined && end <= start) throw new Refusal('213');
  const givenEnd = changed.period_end_date ?? changed.period_end_time;
  if (givenEnd && end !== undefined && end < now) throw new Refusal('214');
}

function readDate(text: string, code: RefusalCode): string {
  for (const format of ['yyyy-MM-dd', 'MM/dd/yyyy']) {
    const date = DateTime.fromFormat(text, format, { zone: 'utc', locale: 'en-US' });
    if (date.isValid) return date.toFormat('yyyy-MM-dd');
  }
  throw new Refusal(code, 'Dates are written as 2030-12-31 or 12/31/2030.');
}

function readTime(text: string): string {
  for (const format of ['HH:mm:ss', 'h:mma', 'hh:mma']) {
    const time = DateTime.fromFormat(text, format, { zone: 'utc', locale: 'en-US' });
    if (time.isValid) return time.toFormat('HH:mm:ss');
  }
  throw new Refusal('50', 'Times are written as 18:30:00 or 6:30pm.');
}
