/**
 * The parser of a span of time in words: "today", "last 7 days", "3 March to 5 March", "yesterday 14:00-15:30". Pure.
 * Days are those of the given zone. Searches store the words, so that "today" stays today.
 */
import { DateTime } from 'luxon';

/** A span in milliseconds; `to` is not part of it. An absent end is open. */
export interface Span {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month';

export const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const months = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
];

/** The most words of a span: "since 3 march 2026 14:00" has five, "3 march 2026 14:00 to 5 march 2026 15:00" nine. */
export const mostWords = 9;
export const longestWhen = 80;

/** Parses a span. @returns undefined: the text is not a span of time, or ends before it begins */
export function parseWhen(text: string, now: number, zone: string): Span | undefined {
  const words = text
    .trim()
    .toLowerCase()
    .replaceAll(/[,\s]+/g, ' ');
  const today = DateTime.fromMillis(now, { zone });
  if (words === '' || words.length > longestWhen || !today.isValid) {
    return undefined;
  }
  const open = /^(since|from|after|before|until|till) (.+)$/.exec(words);
  const between = /^(?:from |between )?(.+?) ?(?: to | until | till | and | - |–|\.\.) ?(.+)$/.exec(words);
  const span = open ? openSpan(open[1] ?? '', open[2] ?? '', today) : undefined;
  const whole =
    span ?? (between ? joinSpans(between[1] ?? '', between[2] ?? '', today) : undefined) ?? momentSpan(words, today);
  return whole && (whole.from ?? Number.NEGATIVE_INFINITY) < (whole.to ?? Number.POSITIVE_INFINITY) ? whole : undefined;
}

function openSpan(word: string, endText: string, today: DateTime): Span | undefined {
  const endSpan = momentSpan(endText, today);
  if (endSpan?.from === undefined || endSpan.to === undefined) {
    return undefined;
  }
  switch (word) {
    case 'since':
    case 'from':
      return { from: endSpan.from };
    case 'after':
      return { from: endSpan.to };
    case 'before':
      return { to: endSpan.from };
    default:
      return { to: endSpan.to };
  }
}

function joinSpans(start: string, end: string, today: DateTime): Span | undefined {
  const from = momentSpan(start, today);
  // In "today 14:00 to 15:00", the end has the day of the beginning.
  const day = /^(.+) \S+$/.exec(start)?.[1];
  const sameDay = parseTime(end) && day !== undefined && parseTime(start.slice(day.length + 1)) ? `${day} ${end}` : end;
  const to = momentSpan(sameDay, today);
  if (from?.from === undefined || to?.to === undefined || !isPlain(start) || !isPlain(end)) {
    return undefined;
  }
  // The minute named last ends a span of hours; the day named last belongs to it.
  return { from: from.from, to: parseTime(end.split(' ').at(-1) ?? '') ? to.from! : to.to };
}

/** Whether the words are a day or a moment, not a length of time. */
function isPlain(words: string): boolean {
  return !/\b(last|past|this)\b/.test(words);
}

/** The span of a day or moment: "today", "3 march", "monday 14:00", "14:00-15:30", "last 7 days", "this week". */
function momentSpan(words: string, today: DateTime): Span | undefined {
  const length = /^(?:the )?(?:last|past) (?:(\d{1,4}) )?(minute|hour|day|week|month)s?$/.exec(words);
  if (length) {
    return lengthSpan(length[1], length[2] as Unit, today);
  }
  const current = /^this (hour|week|month)$/.exec(words);
  if (current) {
    const from = today.startOf(current[1] as Unit);
    return { from: from.toMillis(), to: from.plus({ [`${current[1]}s`]: 1 }).toMillis() };
  }
  const [, dayText = '', lastWord = ''] = /^(?:(.+) )?(\S+)$/.exec(words) ?? [];
  const hours = hoursOf(lastWord);
  if (hours) {
    const day = dayText === '' ? today.startOf('day') : dayNamed(dayText.replace(/ at$/, ''), today);
    return (
      day && {
        from: day.set(hours.from).toMillis(),
        to: day
          .plus({ days: hours.more.days ?? 0 })
          .set(hours.to)
          .plus({ minutes: hours.more.minutes ?? 0 })
          .toMillis(),
      }
    );
  }
  const day = dayNamed(words, today);
  return day && { from: day.toMillis(), to: day.plus({ days: 1 }).toMillis() };
}

/** The span of a length of time: "last week" is the calendar's; "last 7 days" begin with a whole day, and stay open. */
function lengthSpan(count: string | undefined, unit: Unit, today: DateTime): Span | undefined {
  if (count === undefined && (unit === 'week' || unit === 'month')) {
    const to = today.startOf(unit);
    return { from: to.minus({ [`${unit}s`]: 1 }).toMillis(), to: to.toMillis() };
  }
  const unitCount = Number(count ?? 1);
  if (unit === 'minute' || unit === 'hour') {
    return { from: today.minus({ [`${unit}s`]: unitCount }).toMillis() };
  }
  const stepBack =
    unit === 'day' ? { days: unitCount - 1 } : unit === 'week' ? { days: unitCount * 7 - 1 } : { months: unitCount };
  return unitCount === 0 ? undefined : { from: today.startOf('day').minus(stepBack).toMillis() };
}

interface Hours {
  readonly from: { readonly hour: number; readonly minute: number };
  readonly to: { readonly hour: number; readonly minute: number };
  /** The time to add to `to`: a minute for a single time of day, a day where the span passes midnight. */
  readonly more: { readonly minutes?: number; readonly days?: number };
}

function hoursOf(word: string): Hours | undefined {
  const [first = '', last, ...more] = word.split(/[-–]/);
  const from = parseTime(first);
  const to = last === undefined ? from : parseTime(last);
  if (!from || !to || more.length > 0) {
    return undefined;
  }
  const passesMidnight = last !== undefined && to.hour * 60 + to.minute <= from.hour * 60 + from.minute;
  return { from, to, more: last === undefined ? { minutes: 1 } : passesMidnight ? { days: 1 } : {} };
}

/** Parses a time of day: `14:00`, `2pm`, `2:30pm`. */
function parseTime(word: string): { hour: number; minute: number } | undefined {
  const found = /^(\d{1,2}):(\d{2})(am|pm)?$/.exec(word) ?? /^(\d{1,2})()(am|pm)$/.exec(word);
  const [, hours = '', minutes = '', half] = found ?? [];
  const hour = Number(hours);
  const minute = Number(minutes || 0);
  if (!found || minute > 59 || (half ? hour < 1 || hour > 12 : hour > 23)) {
    return undefined;
  }
  return { hour: half ? (hour % 12) + (half === 'pm' ? 12 : 0) : hour, minute };
}

/** The beginning of a day; a weekday or a date without a year is the latest one, and may be today except with "last". */
function dayNamed(words: string, today: DateTime): DateTime | undefined {
  const start = today.startOf('day');
  if (words === 'today' || words === 'yesterday') {
    return words === 'today' ? start : start.minus({ days: 1 });
  }
  const weekday = days.findIndex((day) => isShortFor(words.replace(/^last /, ''), day));
  if (weekday >= 0) {
    const back = (start.weekday - (weekday + 1) + 7) % 7;
    return start.minus({ days: words.startsWith('last ') && back === 0 ? 7 : back });
  }
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(words);
  if (iso) {
    return dayOfMonth(start.set({ year: Number(iso[1]), month: 1, day: 1 }), Number(iso[2]), Number(iso[3]));
  }
  const [, dayFirst, monthLast, monthFirst, dayLast, year] =
    /^(?:(\d{1,2})(?:st|nd|rd|th)? (?:of )?([a-z]+)\.?|([a-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?)(?: (\d{4}))?$/.exec(
      words,
    ) ?? [];
  const monthName = monthLast ?? monthFirst;
  const month = monthName === undefined ? -1 : months.findIndex((each) => isShortFor(monthName, each));
  if (month < 0) {
    return undefined;
  }
  const inYear = (one: number) =>
    dayOfMonth(start.set({ year: one, month: 1, day: 1 }), month + 1, Number(dayFirst ?? dayLast));
  if (year !== undefined) {
    return inYear(Number(year));
  }
  const thisYear = inYear(start.year);
  return thisYear && thisYear <= start ? thisYear : inYear(start.year - 1);
}

/** Whether a word is short for a name: "mar" and "sept" are. */
function isShortFor(word: string, name: string): boolean {
  return word.length >= 3 && name.startsWith(word);
}

function dayOfMonth(inYear: DateTime, month: number, day: number): DateTime | undefined {
  if (month < 1 || month > 12 || day < 1) {
    return undefined;
  }
  const first = inYear.set({ month });
  return day <= (first.daysInMonth ?? 0) ? first.set({ day }) : undefined;
}
