/** The metadata of the audit log's modal: its filters and page. */
import { z } from 'zod';
import { notes } from '../bolt/ids.js';

export const auditNotes = notes(
  z.object({
    channel: z.string().optional(),
    /** Slack user id. */
    who: z.string().optional(),
    /** A value of `auditSections`. */
    section: z.string().optional(),
    /** Id of the last entry on the page before. */
    before: z.string().optional(),
  }),
);

export type AuditNotes = ReturnType<typeof auditNotes.read>;

export const auditPageNotes = notes(z.object({ before: z.string() }), 2000);
