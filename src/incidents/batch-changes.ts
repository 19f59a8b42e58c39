/** Changes of incidents that the scans of a batch make, folded: each row is written once. Pure. */
import type { IncidentOpening } from './incident.js';
import type { BurstFigures, IncidentChanges, OpenedIncident, SilenceEnd } from './writes.js';

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
  /** The moment at which the scan counts. */
  readonly at: number;
}

/** @param stored the open bursts before the batch */
export function createIncidentChanges(stored: (relayId: string, ruleId: string) => BurstFigures | undefined) {
  const counts = new Map<string, IncidentChanges['burstUpdates'][number]>();
  const endedByName = new Map<string, IncidentChanges['burstEnds'][number]>();
  const silenceEnds = new Map<string, SilenceEnd>();
  const openedIncidents: OpenedIncident[] = [];
  /** The index in `openedIncidents` of each rule's open incident. */
  const openAt = new Map<string, number>();
  /** The open burst of each rule that the batch changed; undefined: it is over. */
  const bursts = new Map<string, BurstFigures | undefined>();

  const changeOpened = (at: number, fields: Partial<OpenedIncident>) => {
    openedIncidents[at] = { ...openedIncidents[at]!, ...fields };
  };

  return {
    /** The open burst of a rule, as the batch's scans so far left it. */
    burst(relayId: string, ruleId: string): BurstFigures | undefined {
      const name = `${relayId}:${ruleId}`;
      return bursts.has(name) ? bursts.get(name) : stored(relayId, ruleId);
    },

    change(relayId: string, changes: readonly BurstChange[], changedAt: number): void {
      for (const { ruleId, endedAt, counted: figures } of changes) {
        const name = `${relayId}:${ruleId}`;
        bursts.set(name, figures);
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
      const { beganAt, scans, tally } = opening;
      bursts.set(`${relayId}:${ruleId}`, { beganAt, lastAt: openedAt, scans, tally });
    },

    arrive({ id, relayId, sid, udid, receivedAt, at }: ArrivedScan): void {
      const silenceEnd = { relayId, scanId: id, at: receivedAt };
      const add = (subject: SilenceEnd['subject'], subjectId: string | undefined, madeAt: number) => {
        const name = `${relayId}:${subject}:${subjectId}`;
        const before = silenceEnds.get(name);
        // Of several scans the first ends the silence, unless that scan came late: it may have been made before the
        // silence began.
        if (subjectId !== undefined && (!before || before.madeAt < before.at)) {
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
