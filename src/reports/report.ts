/** A daily report: its subject, its time and channel, its state. */
import { z } from 'zod';
import type { Owner } from '../ownership.js';

/**
 * The subject of a report: the scans that a relay received, or those that a saved search finds. It is stored; one that
 * cannot be parsed counts as a relay that is gone, so that somebody chooses anew.
 */
const reportSubject = z.union([z.object({ relay: z.string() }), z.object({ search: z.string() })]).catch({ relay: '' });

/** The day that a report is about: the present day so far, or the day before. It is stored. */
export const reportDays = ['today', 'yesterday'] as const;
export type ReportDay = (typeof reportDays)[number];

/** The reason why a report is paused. It is stored. */
const reportPause = z.enum([
  ...(['person', 'failing', 'not_connected'] as const),
  ...(['relay_gone', 'search_gone', 'channel_gone', 'token_revoked'] as const),
]);
export type ReportPause = z.output<typeof reportPause>;

/** The fields that a person sets. `zone`: the IANA name of the time zone. */
export const reportFields = z.object({
  subject: reportSubject,
  channel: z.string(),
  hour: z.number(),
  minute: z.number(),
  zone: z.string(),
  day: z.enum(reportDays),
});
export type ReportFields = Readonly<z.output<typeof reportFields>>;

/** What is stored of a report, as the state of its job. */
export const reportState = reportFields.extend({
  createdBy: z.string(),
  paused: z.object({ at: z.number(), why: reportPause }).optional(),
  /** The time of the next post, by the schedule; a part of the post's key. */
  dueAt: z.number(),
  /** How many times in a row the report was not posted in time. */
  missed: z.number(),
  postedAt: z.number().optional(),
  /** The error code of the last attempt that failed. */
  lastCode: z.string().optional(),
  /** Set while the report's post is in the outbox: the time for which the post was due. */
  attemptAt: z.number().optional(),
  /** The reason for which the report pauses once its post is delivered: the post says what is missing. */
  pausing: reportPause.optional(),
});
export type ReportState = Readonly<z.output<typeof reportState>>;

export interface Report extends ReportState {
  readonly id: string;
  readonly owner: Owner;
  readonly createdAt: number;
}
