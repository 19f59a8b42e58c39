/** Times as the account writes them, in UTC. No date library parses them: an answer may have tens of thousands. */

export const accountTimeFormat = 'yyyy-MM-dd HH:mm:ss';

const timePattern = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/;

/** A time such as `2026-03-01 09:30:00` in milliseconds since the epoch; undefined for any other text. */
export function accountTime(text: string): number | undefined {
  const [, year, month, day, hour, minute, second] = timePattern.exec(text) ?? [];
  if (year === undefined) {
    return undefined;
  }
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  // A text like 31 February or 25 o'clock is parsed as another time, so it is compared with the result.
  const isSameTime = !Number.isNaN(at) && new Date(at).toISOString().startsWith(text.replace(' ', 'T'));
  return isSameTime ? at : undefined;
}
