/** The condition that somebody watches the barcode: `/scandesk watch`. */
import { z } from 'zod';
import { conditionKind } from './condition.js';

export const watched = conditionKind({
  schema: z.object({ kind: z.literal('watched') }),
  about: 'one_scan',
  facts: 'watches',
  predicate: () => (facts) => facts.watched,
});
