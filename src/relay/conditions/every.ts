/** The condition that every scan meets. */
import { z } from 'zod';
import { conditionKind } from './condition.js';

export const every = conditionKind({
  schema: z.object({ kind: z.literal('every') }),
  about: 'every_scan',
  facts: 'scan',
  predicate: () => () => true,
});
