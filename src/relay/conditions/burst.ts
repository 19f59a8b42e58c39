/** n scans that are not valid in m minutes; then not again until none came for m minutes. `rules/burst.ts` counts. */
import { z } from 'zod';
import { conditionKind, neverMatches } from './condition.js';
import { minutes } from './parts/setting-parts.js';

export const burst = conditionKind({
  schema: z.object({ kind: z.literal('burst'), n: z.number().int().min(2).max(1_000), minutes }),
  about: 'several_scans',
  facts: 'rule',
  opensIncidents: true,
  predicate: () => neverMatches,
});
