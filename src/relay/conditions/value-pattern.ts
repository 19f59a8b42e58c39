/** The condition that the barcode matches a pattern. A pattern that cannot be compiled matches nothing. */
import { z } from 'zod';
import { conditionKind, neverMatches } from './condition.js';
import { compilePattern } from './parts/pattern.js';
import { pattern } from './parts/setting-parts.js';

export const valuePattern = conditionKind({
  schema: z.object({ kind: z.literal('value_pattern'), pattern }),
  about: 'one_scan',
  facts: 'scan',
  predicate(condition) {
    try {
      const matches = compilePattern(condition.pattern);
      return ({ scan }) => matches(scan.tid);
    } catch {
      return neverMatches;
    }
  },
});
