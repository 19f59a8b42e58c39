/** The condition that the relay never saw the barcode before. */
import { z } from 'zod';
import { conditionKind } from './condition.js';

export const firstSeen = conditionKind({
  schema: z.object({ kind: z.literal('first_seen') }),
  about: 'one_scan',
  facts: 'counters',
  counts: () => 'value',
  predicate: () => (facts) => facts.countBefore('value') === 0,
});
