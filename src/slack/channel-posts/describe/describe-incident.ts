/** An incident in words: its state, how long it took, why it ended. Pure. */
import { countOf } from '../../../english.js';
import type { IncidentFacts } from '../../../relay/index.js';
import { scansNotValid } from '../../../scans/result-words.js';

/** The incident’s state, as one clause: for a digest or a thread parent that lists it. */
export function incidentClause(incident: IncidentFacts | undefined): string {
  if (!incident) {
    return '';
  }
  if (incident.ended) {
    const span = describeSpan(lastingMs(incident));
    return incident.kind === 'burst'
      ? ` · over, ${countOf(incident.scans, 'scan')} within ${span}`
      : ` · over after ${span}`;
  }
  return incident.restsUntil === undefined ? ' · still going on' : ' · resting outside its hours';
}

/**
 * The end in words: `Over after 14 min`, or `Over · 37 scans not valid within 14 min`, which says of what the time is; with
 * the reason, if neither calm nor a scan ended it.
 */
export function overText(incident: IncidentFacts): string {
  const { ended, kind, scans } = incident;
  const span = describeSpan(lastingMs(incident));
  const over = kind === 'burst' ? `Over · ${scansNotValid(scans)} within ${span}` : `Over after ${span}`;
  const why = ended ? { calm: '', scan: '', ...otherEnds }[ended.why] : '';
  return why === '' ? over : `${over} · ${why}`;
}

const otherEnds = {
  hours: 'the active hours ended',
  rule: 'the rule was turned off',
  relay: 'the relay was deleted',
} as const;

/** How long an incident took: a burst lasts from its first scan to its last, a silence as long as there is no scan. */
function lastingMs({ kind, beganAt, lastAt, ended }: IncidentFacts): number {
  return Math.max(0, (kind === 'burst' ? lastAt : (ended?.at ?? lastAt)) - beganAt);
}

/** A span of time: `45 s`, `14 min`, `1 h 5 min`, `2 d 3 h`. */
export function describeSpan(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) {
    return `${Math.max(1, Math.round(ms / 1_000))} s`;
  }
  const [days, hours, minutesLeft] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24, minutes % 60];
  const parts = days > 0 ? [`${days} d`, `${hours} h`] : [`${hours} h`, `${minutesLeft} min`];
  return parts.filter((part) => !part.startsWith('0 ')).join(' ');
}
