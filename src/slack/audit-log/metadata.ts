/** Owns what the audit's window carries from one page to the next. */
import { z } from 'zod';
import { notes } from '../bolt/ids.js';

export const auditNotes = notes(
  z.object({
    channel: z.string().optional(),
    /** Slack user id. */
    who: z.string().optional(),
    /** A value of `auditSections`. */
    section: z.string().optional(),
    /** The row above the page. */
    before: z.string().optional(),
  }),
);

export type AuditNotes = ReturnType<typeof auditNotes.read>;

export const auditPageNotes = notes(z.object({ before: z.string() }), 2000);
