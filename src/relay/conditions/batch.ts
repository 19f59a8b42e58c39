/** The condition that the batch or lot in the GS1 barcode is one of a list. */
import { z } from 'zod';
import { conditionKind } from './condition.js';
import { listPredicate } from './parts/compare.js';
import { batchIn } from './parts/gs1.js';
import { exact } from './parts/setting-parts.js';

export const batch = conditionKind({
  schema: z.object({ kind: z.literal('batch'), is: z.array(z.string().min(1).max(100)).min(1).max(1_000), exact }),
  about: 'one_scan',
  facts: 'scan',
  predicate: (listed, { gs1 }) => listPredicate(listed, ({ scan }) => batchIn(gs1(scan.tid))),
});
