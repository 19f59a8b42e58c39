/** Changes of incidents that the scans of a batch make, folded: each row is written once. Pure. */
import type { Incident, IncidentOpening } from './incident.js';
import type { IncidentChanges, OpenedIncident, SilenceEnd } from './writes.js';

/** The figures of an open burst. */
export type BurstFigures = Pick<Incident, 'beganAt' | 'lastAt' | 'scans' | 'tally'>;

/** A scan's change of a rule's open burst: the scan belongs to the burst, or finds that it is over. */
export interface BurstChange {
  readonly ruleId: string;
  readonly endedAt?: number;
  readonly counted?: BurstFigures;
}

/** A stored scan, as the end of a silence. */
export interface ArrivedScan {
  readonly id: string;
  readonly relayId: string;
  readonly sid: string | undefined;
  readonly udid: string | undefined;
  readonly receivedAt: number;
  /** The moment at which the scan counts; undefined: the scan ends only silences of the whole relay. */
  readonly at: number | undefined;
}

export function createIncidentChanges() {
  const counts = new Map<string, IncidentChanges['burstUpdates'][number]>();
  const endedByName = new Map<string, IncidentChanges['burstEnds'][number]>();
  const silenceEnds = new Map<string, SilenceEnd>();
  const openedIncidents: OpenedIncident[] = [];
  /** The index in `openedIncidents` of each rule's open incident. */
  const openAt = new Map<string, number>();

  const changeOpened = (at: number, fields: Partial<OpenedIncident>) => {
    openedIncidents[at] = { ...openedIncidents[at]!, ...fields };
  };

  return {
    change(relayId: string, changes: readonly BurstChange[], changedAt: number): void {
      for (const { ruleId, endedAt, counted: figures } of changes) {
        const name = `${relayId}:${ruleId}`;
        const openIncident = openAt.get(name);
        if (endedAt !== undefined) {
          if (openIncident === undefined) {
            endedByName.set(name, { relayId, ruleId, endedAt, at: changedAt });
          } else {
            changeOpened(openIncident, { endedAt, dueAt: changedAt });
            openAt.delete(name);
          }
        } else if (figures && openIncident === undefined) {
          const { lastAt, scans, tally } = figures;
          counts.set(name, { relayId, ruleId, lastAt, scans, tally });
        } else if (figures && openIncident !== undefined) {
          changeOpened(openIncident, figures);
        }
      }
    },

    open(incident: Omit<OpenedIncident, keyof IncidentOpening | 'lastAt'>, opening: IncidentOpening): void {
      const { relayId, ruleId, openedAt } = incident;
      openedIncidents.push({ ...incident, ...opening, lastAt: openedAt });
      openAt.set(`${relayId}:${ruleId}`, openedIncidents.length - 1);
    },

    arrive({ id, relayId, sid, udid, receivedAt, at }: ArrivedScan): void {
      const silenceEnd = { relayId, scanId: id, at: receivedAt };
      const add = (subject: SilenceEnd['subject'], subjectId: string | undefined, madeAt: number | undefined) => {
        const name = `${relayId}:${subject}:${subjectId}`;
        const before = silenceEnds.get(name);
        // Of several scans the first ends the silence, unless that scan came late: it may have been made before the
        // silence began.
        if (subjectId !== undefined && madeAt !== undefined && (!before || before.madeAt < before.at)) {
          silenceEnds.set(name, { ...silenceEnd, subject, subjectId, madeAt });
        }
      };
      add('relay', '', receivedAt);
      add('device', udid, at);
      add('service', sid, at);
    },

    get changes(): IncidentChanges {
      return {
        burstUpdates: [...counts.values()],
        burstEnds: [...endedByName.values()],
        silenceEnds: [...silenceEnds.values()],
        opened: openedIncidents,
      };
    },
  };
}
