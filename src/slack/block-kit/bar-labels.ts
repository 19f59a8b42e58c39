/** The labels of a chart's bars, in a time zone. No two bars share one, also where clocks repeat an hour. Pure. */
import { DateTime } from 'luxon';

/** From the hours of one day, and from the hours of several. Slack takes labels of 20 characters. */
export const hourFormats = ['HH:mm', 'HH:mm ZZ'] as const;
export const longHourFormats = ['ccc HH:mm', 'LLL d HH:mm', 'LLL d HH:mm ZZ', 'LLL d, y HH:mm'] as const;
export const dayFormats = ['LLL d', 'LLL d, y'] as const;

/** @param formats the shortest first; the first with which all labels differ is taken */
export function barLabels(starts: readonly number[], zone: string, formats: readonly string[]): readonly string[] {
  const times = starts.map((start) => DateTime.fromMillis(start, { zone, locale: 'en-US' }));
  const drawn = formats.map((format) => times.map((time) => time.toFormat(format)));
  return drawn.find((labels) => new Set(labels).size === labels.length) ?? drawn.at(-1) ?? [];
}
