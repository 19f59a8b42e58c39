/** Scan counts as lines of text: by result, by service, and the alerts among them. Pure. */
import { countOf } from '../../../english.js';
import type { Alarm, ScanTally } from '../../../relay/index.js';
import { scansNotValid } from '../../../scans/result-words.js';
import { signedResult } from '../../block-kit/describe-result.js';
import { shortName } from '../../block-kit/short-text.js';
import { type LinePart, momentAfter, textElement } from '../../block-kit/text.js';
import { incidentClause } from '../describe/describe-incident.js';

export type ServiceNames = ReadonlyMap<string, string>;

/** How many services a line names; it counts the rest. */
const servicesShown = 6;
const alarmsShown = 5;

export function resultsText({ findings }: ScanTally): string {
  return findings.map(({ finding, count }) => `${signedResult(finding)} ${count.toLocaleString('en-US')}`).join(' · ');
}

export function servicesText({ services }: ScanTally, names: ServiceNames): string {
  const knownServices = services.filter(({ serviceId }) => serviceId !== undefined);
  if (knownServices.length === 0) {
    return '';
  }
  const shownServices = services.slice(0, servicesShown);
  const scansLeft = services.slice(servicesShown).reduce((sum, { count }) => sum + count, 0);
  return [
    ...shownServices.map(({ serviceId, count }) => `${serviceOf(serviceId, names)} ${count.toLocaleString('en-US')}`),
    ...(scansLeft > 0 ? [`other services ${scansLeft.toLocaleString('en-US')}`] : []),
  ].join(' · ');
}

function serviceOf(id: string | undefined, names: ServiceNames): string {
  return id === undefined ? 'unknown service' : shortName(names.get(id) ?? `unnamed service ${id}`);
}

export function alarmLines(alarms: readonly Alarm[]): LinePart[][] {
  const shownAlarms = alarms
    .slice(0, alarmsShown)
    .map((alarm) => ['⚠️ ', ...alarmElements(alarm), incidentClause(alarm.incident)]);
  const alertsLeft = alarms.length - shownAlarms.length;
  return alertsLeft > 0
    ? [...shownAlarms, [textElement(`and ${countOf(alertsLeft, 'more alert')}`, { italic: true })]]
    : shownAlarms;
}

/** The cause of the alert, in one line. `name`: the device or service of a silence; by default its id. */
export function alarmElements(alarm: Alarm, name?: string): LinePart[] {
  if (alarm.kind === 'burst') {
    return [`${scansNotValid(alarm.n)} within ${countOf(alarm.minutes, 'minute')}`];
  }
  const { of, id } = alarm;
  const sourceName = name ?? (of === 'relay' || id === undefined ? '' : `unnamed ${of} ${shortName(id)}`);
  return [
    `No scan${sourceName === '' ? '' : ` from ${sourceName}`} for ${countOf(alarm.minutes, 'minute')}; `,
    momentAfter('last scan ', alarm.since),
  ];
}
