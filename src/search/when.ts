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

type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';

export const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const months = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
];

/** The most words of a span: "since 3 march 2026 14:00" has five, "3 march 2026 14:00 to 5 march 2026 15:00" nine. */
export const mostWords = 9;
export const longestWhen = 80;

/** The parts of a day, in hours; a night ends on the next day. */
const partsOfDay: Readonly<Record<string, readonly [from: number, to: number]>> = {
  morning: [4, 12],
  afternoon: [12, 18],
  evening: [18, 24],
  night: [20, 28],
};

/** Parses a span. @returns undefined: the text is not a span of time, or ends before it begins */
export function parseWhen(text: string, now: number, zone: string): Span | undefined {
  const words = normalized(text);
  const today = DateTime.fromMillis(now, { zone });
  if (words === '' || words.length > longestWhen || !today.isValid) {
    return undefined;
  }
  const open = /^(?:(.+) )?(since|from|after|before|until|till) (.+)$/.exec(words);
  const between = /^(?:from |between )?(.+?) ?(?: to | until | till | and | - |–|\.\.) ?(.+)$/.exec(words);
  const span = open && !between ? openSpan(open[2] ?? '', open[1], open[3] ?? '', today) : undefined;
  const joined = between ? joinSpans(between[1] ?? '', between[2] ?? '', today) : undefined;
  const whole = span ?? joined ?? momentSpan(words, today);
  return whole && (whole.from ?? Number.NEGATIVE_INFINITY) < (whole.to ?? Number.POSITIVE_INFINITY) ? whole : undefined;
}

/** The hour in "before 9" and "9 to 17", where no name of a month follows. */
const bareHour =
  /(^|\b(?:since|from|after|before|until|till|at|to|and|between) )(\d{1,2})(?=$| (?:to|until|till|and|on|today|yesterday|last|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b)/g;

/** The text in one case, with its hours as `9:00`, and without words that change nothing. */
function normalized(text: string): string {
  const words = text
    .trim()
    .toLowerCase()
    .replaceAll(/[,\s]+/g, ' ')
    .replace(/^(?:on |during |in the )(?:the )?/, '')
    .replace(/\bnoon\b/g, '12:00')
    .replace(/\b(?:tonight|this night)\b/g, 'today night')
    .replace(/\blast (?=(?:morning|afternoon|evening|night)\b)/g, 'yesterday ')
    .replace(/\bthis (?=(?:morning|afternoon|evening)\b)/g, 'today ');
  // A number alone is a barcode.
  return /^\d+$/.test(words) ? words : words.replace(bareHour, '$1$2:00').replace(/(^| )(?:at|on) /g, '$1');
}

/** The span of "since 9:00", "before 3 march", "yesterday before 9:00". */
function openSpan(word: string, day: string | undefined, endText: string, today: DateTime): Span | undefined {
  const isTime = parseTime(endText.split(' ')[0] ?? '') !== undefined;
  const [ofDay] = day === undefined ? [] : [momentSpan(day, today)];
  const end = momentSpan(day === undefined ? endText : `${day} ${endText}`, today);
  if (end?.from === undefined || end.to === undefined || (day !== undefined && !(ofDay && isTime))) {
    return undefined;
  }
  const dayStart = isTime ? DateTime.fromMillis(end.from, { zone: today.zone }).startOf('day') : undefined;
  const isAhead = parseTime(endText) !== undefined && day === undefined && end.from > today.toMillis();
  const back = (at: number) =>
    isAhead ? DateTime.fromMillis(at, { zone: today.zone }).minus({ days: 1 }).toMillis() : at;
  switch (word) {
    case 'since':
    case 'from':
      return { from: back(end.from), to: ofDay?.to };
    case 'after':
      return { from: back(end.to), to: ofDay?.to };
    case 'before':
      return { from: dayStart?.toMillis(), to: end.from };
    default:
      return { from: dayStart?.toMillis(), to: dayStart ? end.from : end.to };
  }
}

function joinSpans(start: string, end: string, today: DateTime): Span | undefined {
  if (!isPlain(start) || !isPlain(end)) {
    return undefined;
  }
  // In "22:00 to 06:00 yesterday", the day is that of the beginning; in "today 14:00 to 15:00", that of the end, too.
  const [endTime = '', endDay] = /^(\S+) (.+)$/.exec(end)?.slice(1) ?? [end];
  const [, startDay = endDay, startTime = ''] = /^(?:(.+) )?(\S+)$/.exec(start) ?? [];
  if (parseTime(startTime) && parseTime(endTime)) {
    return momentSpan(`${startDay === undefined ? '' : `${startDay} `}${startTime}-${endTime}`, today);
  }
  const from = momentSpan(start, today);
  const to = momentSpan(parseTime(end) ? `${start} ${end}` : end, today);
  if (from?.from === undefined || to?.from === undefined || to.to === undefined) {
    return undefined;
  }
  // The minute named last ends a span of hours; the day named last belongs to it.
  const until = parseTime(end.split(' ').at(-1) ?? '') ? to.from : to.to;
  return ofWeek(start, end, { from: from.from, to: until }, today);
}

/** A span of weekdays: its end follows its beginning, and "last monday to friday" is over. */
function ofWeek(start: string, end: string, span: { from: number; to: number }, today: DateTime): Span {
  const isWeekday = (words: string) => days.some((day) => isShortFor(words.replace(/^last /, ''), day));
  if (!isWeekday(start) || !isWeekday(end)) {
    return span;
  }
  const moved = (at: number, weeks: number) => DateTime.fromMillis(at, { zone: today.zone }).plus({ weeks }).toMillis();
  const to = span.to <= span.from ? moved(span.to, 1) : span.to;
  const isOver = !start.startsWith('last ') || to <= today.endOf('day').toMillis() + 1;
  return isOver ? { from: span.from, to } : { from: moved(span.from, -1), to: moved(to, -1) };
}

/** Whether the words are a day or a moment, not a length of time. */
function isPlain(words: string): boolean {
  return !/\b(?:past|this|last (?:\d|minute|hour|day|week|month|year))/.test(words);
}

/** The span of a day or moment: "today", "3 march", "monday 14:00", "14:00-15:30", "last 7 days", "this week", "march". */
function momentSpan(words: string, today: DateTime): Span | undefined {
  const length = /^(?:the )?(?:last|past) (?:(\d{1,4}) )?(minute|hour|day|week|month|year)s?$/.exec(words);
  if (length) {
    return lengthSpan(length[1], length[2] as Unit, today);
  }
  const current = /^this (hour|week|month|year)$/.exec(words);
  if (current) {
    return spanOf(today.startOf(current[1] as Unit), current[1] as Unit);
  }
  // The time follows its day, or comes first.
  const [, before = '', last = ''] = /^(?:(.+) )?(\S+)$/.exec(words) ?? [];
  const [, first = '', after = ''] = /^(\S+)(?: (?:of )?(.+))?$/.exec(words) ?? [];
  for (const [time, day] of [
    [last, before],
    [first, after],
  ] as const) {
    const hours = hoursOf(time);
    const span = hours && hoursSpan(hours, day, today);
    if (span) {
      return span;
    }
  }
  const day = dayNamed(words, today);
  return day ? spanOf(day, 'day') : monthNamed(words, today);
}

function spanOf(from: DateTime, unit: Unit): Span {
  return { from: from.toMillis(), to: from.plus({ [`${unit}s`]: 1 }).toMillis() };
}

/** Hours of a named day, or of today; hours of no day that pass midnight are the latest that have begun. */
function hoursSpan({ from, to, more, isPart }: Hours, named: string, today: DateTime): Span | undefined {
  const start = today.startOf('day');
  const isAhead = more.days !== undefined && start.set(from) > today;
  const ofToday = isPart ? undefined : start.minus({ days: isAhead ? 1 : 0 });
  const day = named === '' ? ofToday : dayNamed(named, today);
  return (
    day && {
      from: day.set(from).toMillis(),
      to: day
        .plus({ days: more.days ?? 0 })
        .set(to)
        .plus({ minutes: more.minutes ?? 0 })
        .toMillis(),
    }
  );
}

/** The span of a length of time: "last week" is the calendar's; "last 7 days" begin with a whole day, and stay open. */
function lengthSpan(count: string | undefined, unit: Unit, today: DateTime): Span | undefined {
  if (count === undefined && (unit === 'week' || unit === 'month' || unit === 'year')) {
    const to = today.startOf(unit);
    return { from: to.minus({ [`${unit}s`]: 1 }).toMillis(), to: to.toMillis() };
  }
  const unitCount = Number(count ?? 1);
  if (unit === 'minute' || unit === 'hour') {
    return { from: today.minus({ [`${unit}s`]: unitCount }).toMillis() };
  }
  const stepBack =
    unit === 'day'
      ? { days: unitCount - 1 }
      : unit === 'week'
        ? { days: unitCount * 7 - 1 }
        : { [`${unit}s`]: unitCount };
  return unitCount === 0 ? undefined : { from: today.startOf('day').minus(stepBack).toMillis() };
}

interface Hours {
  readonly from: { readonly hour: number; readonly minute: number };
  readonly to: { readonly hour: number; readonly minute: number };
  /** The time to add to `to`: a minute for a single time of day, a day where the span passes midnight. */
  readonly more: { readonly minutes?: number; readonly days?: number };
  /** Whether it is a part of a day, such as its evening, which needs a day. */
  readonly isPart?: boolean;
}

function hoursOf(word: string): Hours | undefined {
  const part = Object.hasOwn(partsOfDay, word) ? partsOfDay[word] : undefined;
  if (part) {
    const [from, to] = part;
    const hour = (one: number) => ({ hour: one % 24, minute: 0 });
    return { from: hour(from), to: hour(to), more: to >= 24 ? { days: 1 } : {}, isPart: true };
  }
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

/** The span of a month: "in march", the latest that has begun, or "march 2025". */
function monthNamed(words: string, today: DateTime): Span | undefined {
  const [, ofYears, named, year] = /^(?:in ([a-z]+)|(?:in )?([a-z]+) (\d{4}))$/.exec(words) ?? [];
  const month = months.findIndex((each) => isShortFor(ofYears ?? named ?? '', each));
  if (month < 0) {
    return undefined;
  }
  const start = today.startOf('year').set({ year: Number(year ?? today.year), month: month + 1 });
  return spanOf(ofYears !== undefined && start > today ? start.minus({ years: 1 }) : start, 'month');
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
