/** Time texts for pages without scripts: how long ago, and the clock time in the page's zone. Pure. */
import { DateTime } from 'luxon';
import { placeOf } from '../codereadr/operations/zones.js';
import { countOf } from '../english.js';
import { type Html, html } from './html.js';

const units = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;

/** A time in words: `2 hours ago`; a clock slightly ahead gives `just now`. */
export function ago(at: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - at) / 1_000));
  for (const [length, name] of units) {
    const count = Math.floor(seconds / length);
    if (count > 0) {
      return `${countOf(count, name)} ago`;
    }
  }
  return 'just now';
}

/** A clock time: `21 Nov, 14:03:22`, with the year if it is another one, and UTC if the zone is unknown. */
export function clockTime(at: number, now: number, zone = 'utc'): string {
  const year = (moment: number) => new Date(moment).getUTCFullYear();
  const day = year(at) === year(now) ? 'd MMM' : 'd MMM yyyy';
  const text = DateTime.fromMillis(at, { zone, locale: 'en' }).toFormat(`${day}, HH:mm:ss`);
  return zone === 'utc' ? `${text} UTC` : text;
}

/** The line that names the zone of a page's times; none where each time says UTC. */
export function zoneLine(zone: string | undefined): Html {
  return zone === undefined ? html`` : html`<p class="soft">Times: ${placeOf(zone)}</p>`;
}
