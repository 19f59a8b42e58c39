/** The condition that the barcode is one of a list. */
import { z } from 'zod';
import { conditionKind } from './condition.js';
import { listPredicate } from './parts/compare.js';
import { exact } from './parts/setting-parts.js';

export const value = conditionKind({
  schema: z.object({ kind: z.literal('value'), is: z.array(z.string().min(1)).min(1).max(1_000), exact }),
  about: 'one_scan',
  facts: 'scan',
  predicate: (listed) => listPredicate(listed, ({ scan }) => scan.tid),
});
