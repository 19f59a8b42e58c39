/**
 * Searches behind the buttons of their results, with what was found: its span of time and its first page stay those of
 * the message. A result shows at most one page; the search goes on from the record.
 */
import { z } from 'zod';
import { scanQuery, scanSearchAnswer } from '../../search/index.js';
import { recordStore } from '../../workspaces/record-store.js';

const searchRecord = z.object({
  query: scanQuery,
  zone: z.string(),
  /** The first page, with the counts so far. */
  answer: scanSearchAnswer,
  /** Of the connection that was searched. */
  connectedAt: z.number().optional(),
  /** The name of the saved search that it is. */
  saved: z.string().optional(),
});

export type SearchRecord = z.output<typeof searchRecord>;

export const searchRecords = recordStore('scan-search', searchRecord);
