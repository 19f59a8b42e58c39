/** GS1's dates, YYMMDD. The century is the one nearest to today (GS1 General Specifications, 7.12). Pure. */

export interface Gs1Date {
  /** The last two digits of the year. */
  readonly year: number;
  /** The month, from 1. */
  readonly month: number;
  /** The day; 0: the whole month, to its last day. */
  readonly day: number;
}

/** Parses a date; undefined for an invalid one. @param wholeMonth whether day 00 is allowed */
export function readDate(digits: string, wholeMonth: boolean): Gs1Date | undefined {
  const [year, month, day] = [0, 2, 4].map((at) => Number(digits.slice(at, at + 2))) as [number, number, number];
  const isMonth = month >= 1 && month <= 12;
  return isMonth && day >= (wholeMonth ? 0 : 1) && day <= lastDay(2000 + year, month)
    ? { year, month, day }
    : undefined;
}

/** The instant at which the date ends in UTC, in milliseconds. @param now in milliseconds: it decides the century */
export function endOf({ year, month, day }: Gs1Date, now: number): number {
  const full = fullYear(year, new Date(now).getUTCFullYear());
  return Date.UTC(full, month - 1, (day || lastDay(full, month)) + 1);
}

function fullYear(year: number, thisYear: number): number {
  const century = thisYear - (thisYear % 100);
  const difference = year - (thisYear % 100);
  return century + year + (difference >= 51 ? -100 : difference <= -50 ? 100 : 0);
}

function lastDay(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
