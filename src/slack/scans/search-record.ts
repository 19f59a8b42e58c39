/** Searches behind the buttons of their results. A result shows at most one page; the search goes on from the record. */
import { z } from 'zod';
import { seenScan } from '../../lookup/index.js';
import { scanQuery, searchTotals } from '../../search/index.js';
import { recordStore } from '../../workspaces/record-store.js';

export const scanPosition = z.object({ at: z.number(), skip: z.number().int() });

const searchRecord = z.object({
  query: scanQuery,
  zone: z.string(),
  /** Counted so far, back to `searchedTo`; without it, all of it. */
  totals: searchTotals,
  searchedTo: scanPosition.optional(),
  /** The first page, where the search may go on: it is shown again with what is found further. */
  found: z.object({ scans: z.array(seenScan), next: scanPosition.optional() }).optional(),
  /** The name of the saved search that it is. */
  saved: z.string().optional(),
});

export type SearchRecord = z.output<typeof searchRecord>;

export const searchRecords = recordStore('scan-search', searchRecord);
