/**
 * Incident: a burst or a silence from its beginning to its end, with its figures and what people did about it. It is
 * named by the key of the post that opened it.
 */
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { present } from '../database/present.js';
import type { IncidentsTable } from '../database/schema.js';
import { readJson } from '../database/stored-json.js';
import type { Owner } from '../ownership.js';
import { type IncidentTally, readTally } from './tally.js';

/** The subject of an incident: at most one incident of a subject is open. */
export interface IncidentSubject {
  readonly relayId: string;
  readonly ruleId: string;
  readonly subject: Exclude<IncidentsTable['subject'], 'list' | 'barcode'>;
  /** The id of the device (udid) or service; empty for the relay. */
  readonly subjectId: string;
}

/** The condition that the incident is a relay's. `thresholds.ts` and `overdue.ts` read the lists' incidents. */
export const isOfRelay = sql<boolean>`kind in ('burst', 'silence')`;

/**
 * Why an incident ended. `calm`: no more scans that are not valid; `scan`: a scan came again; `rule`: the rule was
 * turned off, changed into another kind, or deleted; `relay`: the relay was deleted.
 */
export type EndReason = Exclude<IncidentsTable['end_reason'], 'reset' | 'person' | 'extended' | 'soon' | null>;

export interface Incident extends IncidentSubject {
  readonly postKey: string;
  readonly owner: Owner;
  readonly kind: Exclude<IncidentsTable['kind'], 'threshold' | 'overdue'>;
  /** When the incident began: the first invalid scan of a burst, the last scan before a silence. */
  readonly beganAt: number;
  readonly openedAt: number;
  readonly lastAt: number;
  readonly scans: number;
  readonly tally: IncidentTally;
  /** The time of the last reply in the incident's thread. */
  readonly repliedAt: number;
  readonly ended?: { readonly at: number; readonly why: EndReason; readonly scanId?: string };
  readonly acknowledged?: { readonly by: string; readonly at: number; readonly note?: string };
  readonly assigned?: { readonly to: string; readonly by: string; readonly at: number };
  readonly resolved?: { readonly by: string; readonly at: number; readonly reason?: string };
  readonly escalateAt?: number;
  readonly escalatedAt?: number;
  /** When the next watched hours begin, of a silence that rests between watched hours. */
  readonly restsUntil?: number;
  /** Ids of the latest scans that opened a burst: its thread begins with them. */
  readonly shows?: readonly string[];
  /** How often the alert was posted again. `repostedAt`: when that was last, or when it was posted late. */
  readonly reposts: number;
  readonly repostedAt?: number;
}

/** The key of the post that announced the incident last: an alert that is posted again has a new message. */
export function messageKeyOf({ postKey, reposts }: Pick<Incident, 'postKey' | 'reposts'>): string {
  return reposts === 0 ? postKey : `${postKey}.again${reposts}`;
}

/** The value of `messageKeyOf` in SQL. */
export const messageKeyText = `(incidents.post_key ||
  case when incidents.reposts = 0 then '' else '.again' || incidents.reposts end)`;
export const messageKey = sql.raw<string>(messageKeyText);

/** Error codes of posts that were withdrawn with their relay or the app. */
export const withdrawnCodes: readonly string[] = ['relay.removed', 'relay.uninstalled'];

/** The key of the escalation's message. */
export function escalationKey(alertKey: string): string {
  return `${alertKey}.escalated`;
}

/** The key of the incident that a post announces, for the first time or again. */
export function incidentKeyOf(postKey: string): string {
  return postKey.replace(/\.again\d+$/, '');
}

/** Whether an answer came since the alert was last posted: whoever is there now may not know of an earlier answer. */
export function isCurrent(answer: { readonly at: number } | undefined, { repostedAt }: Pick<Incident, 'repostedAt'>) {
  return answer !== undefined && answer.at >= (repostedAt ?? 0);
}

/** An incident that a post opens. */
export interface IncidentOpening
  extends Pick<Incident, 'kind' | 'subject' | 'subjectId' | 'beganAt' | 'scans' | 'tally'> {
  /** Ids of the latest scans that opened the incident. */
  readonly shows: readonly string[];
  /** When the incident is checked for its end. */
  readonly dueAt: number;
  readonly escalateAt?: number;
  /** Set if its alert is not posted now: its rule is muted or in its quiet hours. */
  readonly held?: boolean;
}

const scanIds = z.array(z.string());

/** The row of a relay's incident. */
type RelayRow = Omit<Selectable<IncidentsTable>, 'kind' | 'subject' | 'end_reason'> &
  Pick<Incident, 'kind' | 'subject'> & { readonly end_reason: EndReason | null };

/** The incident in a row. @throws StoreError `store.record_broken` */
export function toIncident(stored: Selectable<IncidentsTable>): Incident {
  const row = stored as RelayRow;
  return {
    postKey: row.post_key,
    owner: { installation: row.installation, team: row.team },
    relayId: row.relay_id,
    ruleId: row.rule_id,
    subject: row.subject,
    subjectId: row.subject_id,
    kind: row.kind,
    beganAt: row.began_at,
    openedAt: row.opened_at,
    lastAt: row.last_at,
    scans: row.scans,
    tally: readTally(row.tally),
    repliedAt: row.replied_at,
    reposts: row.reposts,
    ...present({
      shows: row.shows === null ? null : readJson(scanIds, row.shows, 'incident'),
      escalateAt: row.escalate_at,
      escalatedAt: row.escalated_at,
      restsUntil: row.rests_until,
      repostedAt: row.reposted_at,
      ended:
        row.ended_at === null
          ? null
          : { at: row.ended_at, why: row.end_reason ?? 'calm', ...present({ scanId: row.end_scan_id }) },
      acknowledged: answer(row.acknowledged_by, row.acknowledged_at, { note: row.acknowledged_note }),
      assigned:
        row.assigned_to === null ? null : { to: row.assigned_to, by: row.assigned_by ?? '', at: row.assigned_at ?? 0 },
      resolved: answer(row.resolved_by, row.resolved_at, { reason: row.resolved_reason }),
    }),
  };
}

function answer<Said extends object>(by: string | null, at: number | null, said: Said) {
  return by === null ? null : { by, at: at ?? 0, ...present(said) };
}
