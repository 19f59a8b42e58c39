/** A daily report: its subject, its time and channel, its state. */
import { z } from 'zod';
import type { Owner } from '../ownership.js';

/** The subject of a report: the scans that a relay received, or those that a saved search finds. It is stored. */
export const reportSubject = z.union([z.object({ relay: z.string() }), z.object({ search: z.string() })]);
export type ReportSubject = z.output<typeof reportSubject>;

/** The day that a report is about: the present day so far, or the day before. It is stored. */
export const reportDays = ['today', 'yesterday'] as const;
export type ReportDay = (typeof reportDays)[number];

/** The reason why a report is paused. It is stored. */
export type ReportPause =
  | ('person' | 'failing' | 'not_connected')
  | ('relay_gone' | 'search_gone' | 'channel_gone' | 'token_revoked');

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

export interface Report extends ReportFields {
  readonly id: string;
  readonly owner: Owner;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly paused?: { readonly at: number; readonly why: ReportPause };
  /** The time of the next post. */
  readonly dueAt: number;
  /** How many times in a row the report was not posted in time. */
  readonly missed: number;
  readonly postedAt?: number;
  /** The error code of the last attempt that failed. */
  readonly lastCode?: string;
}
