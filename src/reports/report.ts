/** A daily report: what it counts, when and where it is posted, its state. */
import { z } from 'zod';
import type { Owner } from '../ownership.js';

/** The subject of a report: the scans that a relay received, or those that a saved search finds. Stored. */
export const reportSubject = z.union([z.object({ relay: z.string() }), z.object({ search: z.string() })]);
export type ReportSubject = z.output<typeof reportSubject>;

/** The day that a report is about: the one so far, or the one before. Stored. */
export const reportDays = ['today', 'yesterday'] as const;
export type ReportDay = (typeof reportDays)[number];

/** Why a report is paused. Stored. */
export type ReportPause =
  | ('person' | 'failing' | 'not_connected')
  | ('relay_gone' | 'search_gone' | 'channel_gone' | 'token_revoked');

/** The fields that a person sets. */
export interface ReportFields {
  readonly subject: ReportSubject;
  readonly channel: string;
  readonly hour: number;
  readonly minute: number;
  /** IANA. */
  readonly zone: string;
  readonly day: ReportDay;
}

export interface Report extends ReportFields {
  readonly id: string;
  readonly owner: Owner;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly paused?: { readonly at: number; readonly why: ReportPause };
  /** The time of the next post. */
  readonly dueAt: number;
  /** Posts in a row that were not made. */
  readonly missed: number;
  readonly postedAt?: number;
  /** Why the last attempt failed. */
  readonly lastCode?: string;
}
