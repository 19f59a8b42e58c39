/**
 * Stored searches behind the buttons of their results, with the span of time and the first page that the message shows.
 * A search goes on from its record.
 */
import { z } from 'zod';
import { scanQuery, scanSearchAnswer } from '../../search/index.js';
import { recordStore } from '../../workspaces/record-store.js';

const searchRecord = z.object({
  query: scanQuery,
  zone: z.string(),
  /** The first page, with the counts so far. */
  answer: scanSearchAnswer,
  /** `connectedAt` of the connection that was searched. */
  connectedAt: z.number().optional(),
  /** The name of the saved search, where this is one. */
  saved: z.string().optional(),
});

export type SearchRecord = z.output<typeof searchRecord>;

export const searchRecords = recordStore('scan-search', searchRecord);
