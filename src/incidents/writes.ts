/** Writes of incidents in bulk, for the commit of scans. The timer (`timers.ts`) announces incidents that are over. */
import type { Transaction } from 'kysely';
import { bulkInsert, bulkStatement, runTogether } from '../database/bulk.js';
import type { IncidentsTable, Schema } from '../database/schema.js';
import type { Owner } from '../ownership.js';
import { requestUpdatesSql } from '../posts/outbox/message-updates.js';
import { type Incident, type IncidentOpening, messageKeyText } from './incident.js';
import { readTally } from './tally.js';

/** The figures of an open burst. */
export type BurstFigures = Pick<Incident, 'beganAt' | 'lastAt' | 'scans' | 'tally'>;

export type BurstName = Pick<Incident, 'relayId' | 'ruleId'>;

/** The figures of a rule's open burst after another scan that belongs to it. */
export interface BurstUpdate extends BurstName, Pick<Incident, 'lastAt' | 'scans' | 'tally'> {}

export interface BurstEnd extends BurstName {
  readonly endedAt: number;
  /** When the end was found. */
  readonly at: number;
}

/** The end of a silence by a scan of its source, if the silence began before `madeAt`. */
export interface SilenceEnd extends Pick<Incident, 'relayId' | 'subject' | 'subjectId'> {
  readonly scanId: string;
  readonly at: number;
  readonly madeAt: number;
}

export interface OpenedIncident extends BurstName, Omit<IncidentOpening, 'kind' | 'subject'> {
  readonly kind: IncidentsTable['kind'];
  readonly subject: IncidentsTable['subject'];
  readonly postKey: string;
  readonly owner: Owner;
  readonly lastAt: number;
  readonly openedAt: number;
  /** Set if the incident was over within the same batch. */
  readonly endedAt?: number;
}

export interface IncidentChanges {
  readonly burstUpdates: readonly BurstUpdate[];
  readonly burstEnds: readonly BurstEnd[];
  readonly silenceEnds: readonly SilenceEnd[];
  readonly opened: readonly OpenedIncident[];
}

/** The figures of the open bursts of relays. */
export const selectOpenBursts = bulkStatement(
  { relay_id: 'text' },
  ({ input }) => `
    select incidents.relay_id, incidents.rule_id, incidents.began_at, incidents.last_at, incidents.scans, incidents.tally
    from ${input} cross join incidents
    where incidents.relay_id = input.relay_id and incidents.ended_at is null and incidents.kind = 'burst'`,
);

export type OpenBurst = Pick<IncidentsTable, 'relay_id' | 'rule_id' | 'began_at' | 'last_at' | 'scans' | 'tally'>;

export function toFigures({ began_at: beganAt, last_at: lastAt, scans, tally }: OpenBurst): BurstFigures {
  return { beganAt, lastAt, scans, tally: readTally(tally) };
}

const openBurst = `incidents.relay_id = input.relay_id and incidents.rule_id = input.rule_id
  and incidents.kind = 'burst' and incidents.ended_at is null`;

const countBursts = bulkStatement(
  { relay_id: 'text', rule_id: 'text', last_at: 'bigint', scans: 'bigint', tally: 'text' },
  ({ input }) => `
    update incidents set last_at = input.last_at, scans = input.scans, tally = input.tally
    from ${input} where ${openBurst}`,
);

/** The messages of open bursts show the new figures. */
const redrawBursts = bulkStatement({ relay_id: 'text', rule_id: 'text', at: 'bigint' }, ({ input }) =>
  requestUpdatesSql(`
    select outbox.seq, 1, input.at from ${input} cross join incidents cross join outbox
    where ${openBurst} and outbox.key = ${messageKeyText} and outbox.digest_key is null
    order by outbox.seq`),
);

const endBursts = bulkStatement(
  { relay_id: 'text', rule_id: 'text', ended_at: 'bigint', at: 'bigint' },
  ({ input }) => `
    update incidents set ended_at = input.ended_at, end_reason = 'calm', due_at = input.at
    from ${input} where ${openBurst}`,
);

const endSilences = bulkStatement(
  { relay_id: 'text', subject: 'text', subject_id: 'text', scan_id: 'text', at: 'bigint', made_at: 'bigint' },
  ({ input }) => `
    update incidents set ended_at = input.at, end_reason = 'scan', end_scan_id = input.scan_id, last_at = input.at,
      due_at = input.at
    from ${input} where incidents.relay_id = input.relay_id and incidents.kind = 'silence'
      and incidents.subject = input.subject and incidents.subject_id = input.subject_id
      and incidents.ended_at is null and incidents.began_at < input.made_at`,
);

const columns = {
  post_key: 'text',
  installation: 'text',
  team: 'text',
  relay_id: 'text',
  rule_id: 'text',
  kind: 'text',
  subject: 'text',
  subject_id: 'text',
  began_at: 'bigint',
  opened_at: 'bigint',
  last_at: 'bigint',
  scans: 'bigint',
  tally: 'text',
  due_at: 'bigint',
  replied_at: 'bigint',
  ended_at: 'bigint',
  end_reason: 'text',
  escalate_at: 'bigint',
  shows: 'text',
} as const;

const insert = bulkInsert('incidents', columns);

export async function writeIncidents(
  trx: Transaction<Schema>,
  { burstUpdates, burstEnds, silenceEnds, opened }: IncidentChanges,
): Promise<void> {
  await runTogether(trx, [
    countBursts.withRows(burstUpdates.map((one) => ({ ...nameOf(one), ...figuresOf(one) }))),
    endSilences.withRows(
      silenceEnds.map(({ relayId, subject, subjectId, scanId, at, madeAt }) => ({
        relay_id: relayId,
        subject,
        subject_id: subjectId,
        scan_id: scanId,
        at,
        made_at: madeAt,
      })),
    ),
  ]);
  await endBursts(
    trx,
    burstEnds.map((one) => ({ ...nameOf(one), ended_at: one.endedAt, at: one.at })),
  );
  await insert(trx, opened.map(toRow));
}

/** Opens an incident that no scan opened. */
export async function openIncident(trx: Transaction<Schema>, opened: OpenedIncident): Promise<void> {
  await insert(trx, [toRow(opened)]);
}

/**
 * Makes updates of counted bursts' messages due. Call it after the posts were inserted: message updates are locked
 * last. The timer redraws a burst that is over by then.
 */
export async function redrawCounted(
  trx: Transaction<Schema>,
  { burstUpdates }: Pick<IncidentChanges, 'burstUpdates'>,
): Promise<void> {
  await redrawBursts(
    trx,
    burstUpdates.map((one) => ({ ...nameOf(one), at: one.lastAt })),
  );
}

function toRow(opened: OpenedIncident) {
  const { postKey, owner, kind, subject, subjectId, beganAt, openedAt, dueAt, endedAt, escalateAt, held, shows } =
    opened;
  return {
    post_key: postKey,
    ...owner,
    ...nameOf(opened),
    kind,
    subject,
    subject_id: subjectId,
    began_at: beganAt,
    opened_at: openedAt,
    ...figuresOf(opened),
    due_at: dueAt,
    replied_at: openedAt,
    ended_at: endedAt,
    end_reason: endedAt === undefined ? undefined : 'calm',
    escalate_at: held ? undefined : escalateAt,
    shows: shows.length > 0 ? JSON.stringify(shows) : undefined,
  };
}

function nameOf({ relayId, ruleId }: BurstName) {
  return { relay_id: relayId, rule_id: ruleId };
}

function figuresOf({ lastAt, scans, tally }: Omit<BurstUpdate, keyof BurstName>) {
  return { last_at: lastAt, scans, tally: JSON.stringify(tally) };
}
