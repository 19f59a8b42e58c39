/**
 * Dates and times in the reader's time zone: Slack's date tokens, message times, and conversion of local input back to
 * a moment.
 */

interface Wall {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clock(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${JSON.stringify(options)}`;
  const known = clocks.get(key);
  if (known) return known;
  const newClock = new Intl.DateTimeFormat('en-US', { ...options, timeZone: zone });
  clocks.set(key, newClock);
  return newClock;
}

function format(zone: string, ms: number, options: Intl.DateTimeFormatOptions): string {
  return clock(zone, options).format(ms);
}

export function wall(zone: string, ms: number): Wall {
  const parts = new Map(
    clock(zone, {
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
      .formatToParts(ms)
      .map((part) => [part.type, Number(part.value)]),
  );
  const numberOf = (type: string): number => parts.get(type as Intl.DateTimeFormatPartTypes) ?? 0;
  return {
    year: numberOf('year'),
    month: numberOf('month'),
    day: numberOf('day'),
    hour: numberOf('hour'),
    minute: numberOf('minute'),
    second: numberOf('second'),
  };
}

const two = (n: number): string => String(n).padStart(2, '0');

function dayNumber(at: Wall): number {
  return Date.UTC(at.year, at.month - 1, at.day) / 86_400_000;
}

/** The local time as `YYYY-MM-DDTHH:mm`, as a datetime-local input has it. */
export function toLocalInput(zone: string, ms: number): string {
  const at = wall(zone, ms);
  return `${String(at.year).padStart(4, '0')}-${two(at.month)}-${two(at.day)}T${two(at.hour)}:${two(at.minute)}`;
}

/** The moment in milliseconds of a local time in the zone; undefined if the text is not a date and time. */
export function fromLocalInput(zone: string, text: string): number | undefined {
  const guess = Date.parse(`${text}Z`);
  if (Number.isNaN(guess)) return undefined;
  const offset = (ms: number): number => {
    const at = wall(zone, ms);
    return Date.UTC(at.year, at.month - 1, at.day, at.hour, at.minute, at.second) - Math.floor(ms / 1000) * 1000;
  };
  // The offset is applied twice, since the one at the guess can be on the other side of a daylight saving change.
  const first = guess - offset(guess);
  return guess - offset(first);
}

function ordinal(day: number): string {
  const tens = day % 100;
  if (tens >= 11 && tens <= 13) return `${day}th`;
  return `${day}${['th', 'st', 'nd', 'rd'][day % 10] ?? 'th'}`;
}

function relativeDay(zone: string, ms: number, now: number): string | undefined {
  const days = dayNumber(wall(zone, ms)) - dayNumber(wall(zone, now));
  return days === 0 ? 'today' : days === -1 ? 'yesterday' : days === 1 ? 'tomorrow' : undefined;
}

export function ago(ms: number, now: number): string {
  const seconds = Math.round(Math.abs(now - ms) / 1000);
  const steps: readonly [number, string][] = [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
  ];
  for (const [size, unit] of steps) {
    const n = Math.floor(seconds / size);
    if (n >= 1) return `${ms > now ? 'in ' : ''}${n} ${unit}${n === 1 ? '' : 's'}${ms > now ? '' : ' ago'}`;
  }
  return 'just now';
}

/** The 24-hour clock, which the app's own texts use: charts, schedules, reports. */
const hours = { hourCycle: 'h23' } as const;

export function timeOfDay(zone: string, ms: number): string {
  return format(zone, ms, { ...hours, hour: '2-digit', minute: '2-digit' });
}

/** Day and time in full, for a tooltip. */
export function fullTime(zone: string, ms: number): string {
  return format(zone, ms, { ...hours, dateStyle: 'full', timeStyle: 'long' });
}

export function dayName(zone: string, ms: number, now: number): string {
  const day = relativeDay(zone, ms, now) ?? format(zone, ms, { weekday: 'long', month: 'long', day: 'numeric' });
  return day[0]?.toUpperCase() + day.slice(1);
}

/**
 * Renders Slack's date template (`Scanned {date_short_pretty} at {time}`) for a moment in seconds. Undefined for an
 * invalid moment or an unknown token: the fallback text is then shown.
 */
export function formatDate(seconds: number, template: string, zone: string, now: number): string | undefined {
  if (!Number.isFinite(seconds) || Math.abs(seconds) > 8.64e12) return undefined;
  const ms = seconds * 1000;
  const at = wall(zone, ms);
  const month = format(zone, ms, { month: 'long' });
  const weekday = format(zone, ms, { weekday: 'long' });
  const longDate = `${weekday}, ${month} ${ordinal(at.day)}, ${at.year}`;
  const plainDate = `${month} ${ordinal(at.day)}`;
  const shortDate = format(zone, ms, { month: 'short', day: 'numeric', year: 'numeric' });
  const pretty = relativeDay(zone, ms, now);
  const thisYear = at.year === wall(zone, now).year;
  const tokens: Readonly<Record<string, string>> = {
    date_num: `${at.year}-${two(at.month)}-${two(at.day)}`,
    date_slash: `${two(at.month)}/${two(at.day)}/${at.year}`,
    date: plainDate,
    date_long: longDate,
    date_long_full: format(zone, ms, { month: 'long', day: 'numeric', year: 'numeric' }),
    date_short: shortDate,
    date_pretty: pretty ?? plainDate,
    date_long_pretty: pretty ?? longDate,
    date_short_pretty: pretty ?? shortDate,
    day_divider_pretty: pretty ?? (thisYear ? `${weekday}, ${month} ${ordinal(at.day)}` : longDate),
    time: timeOfDay(zone, ms),
    time_secs: format(zone, ms, { ...hours, hour: '2-digit', minute: '2-digit', second: '2-digit' }),
    ago: ago(ms, now),
  };
  let known = true;
  const dateText = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(tokens, name) ? tokens[name] : undefined;
    if (value === undefined) known = false;
    return value ?? '';
  });
  if (!known || dateText === '') return undefined;
  // Slack capitalizes a pretty date at the beginning of the template.
  return /^\{/.test(template) ? dateText.charAt(0).toUpperCase() + dateText.slice(1) : dateText;
}
