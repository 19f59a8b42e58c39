/** The metadata of the audit log's modal: its filters and page. */
import { z } from 'zod';
import { metadata } from '../bolt/ids.js';

export const auditMetadata = metadata(
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

export type AuditMetadata = ReturnType<typeof auditMetadata.read>;

export const auditPageMetadata = metadata(z.object({ before: z.string() }), 2000);
