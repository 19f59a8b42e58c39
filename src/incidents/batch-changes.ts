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
  /** The moment at which the scan counts; undefined: it ends only silences of the whole relay. */
  readonly at: number | undefined;
}

export function createIncidentChanges() {
  const counted = new Map<string, IncidentChanges['counted'][number]>();
  const endedByName = new Map<string, IncidentChanges['over'][number]>();
  const arrived = new Map<string, SilenceEnd>();
  const opened: OpenedIncident[] = [];
  /** The place in `opened` of each rule's open incident. */
  const openAt = new Map<string, number>();

  const changeOpened = (at: number, fields: Partial<OpenedIncident>) => {
    opened[at] = { ...opened[at]!, ...fields };
  };

  return {
    change(relayId: string, changes: readonly BurstChange[], at: number): void {
      for (const { ruleId, endedAt, counted: figures } of changes) {
        const name = `${relayId}:${ruleId}`;
        const openIncident = openAt.get(name);
        if (endedAt !== undefined) {
          if (openIncident === undefined) {
            endedByName.set(name, { relayId, ruleId, endedAt, at });
          } else {
            changeOpened(openIncident, { endedAt, dueAt: at });
            openAt.delete(name);
          }
        } else if (figures && openIncident === undefined) {
          const { lastAt, scans, tally } = figures;
          counted.set(name, { relayId, ruleId, lastAt, scans, tally });
        } else if (figures && openIncident !== undefined) {
          changeOpened(openIncident, figures);
        }
      }
    },

    open(incident: Omit<OpenedIncident, keyof IncidentOpening | 'lastAt'>, opening: IncidentOpening): void {
      const { relayId, ruleId, openedAt } = incident;
      opened.push({ ...incident, ...opening, lastAt: openedAt });
      openAt.set(`${relayId}:${ruleId}`, opened.length - 1);
    },

    arrive({ id, relayId, sid, udid, receivedAt, at }: ArrivedScan): void {
      const ends = { relayId, scanId: id, at: receivedAt };
      const add = (subject: SilenceEnd['subject'], subjectId: string | undefined, madeAt: number | undefined) => {
        const name = `${relayId}:${subject}:${subjectId}`;
        const before = arrived.get(name);
        // Of several scans the first ends the silence, unless that scan came late: it may have been made before the
        // silence began.
        if (subjectId !== undefined && madeAt !== undefined && (!before || before.madeAt < before.at)) {
          arrived.set(name, { ...ends, subject, subjectId, madeAt });
        }
      };
      add('relay', '', receivedAt);
      add('device', udid, at);
      add('service', sid, at);
    },

    get changes(): IncidentChanges {
      return {
        counted: [...counted.values()],
        over: [...endedByName.values()],
        arrived: [...arrived.values()],
        opened,
      };
    },
  };
}
