/**
 * Owns what was done to a barcode from its card, as data: kept beside the lookup, so that it can be told, and undone exactly.
 */
import { z } from 'zod';

const standing = z.object({ valid: z.boolean(), response: z.string() }).readonly();

/**
 * - `changed`: validity, response or both; `before` and `after` say how it stood.
 * - `added`: the database did not hold it; there is no `before`.
 * - `undone`: it stands as it stood before.
 * - `stands`: nothing was done, because it had been changed by somebody else since.
 */
export const cardChangeShape = z
  .object({
    what: z.enum(['changed', 'added', 'undone', 'stands']),
    database: z.object({ id: z.string(), name: z.string() }).readonly(),
    /** As the database spells it. */
    value: z.string(),
    before: standing.optional(),
    after: standing.optional(),
    /** Slack user id. */
    by: z.string(),
    at: z.number(),
  })
  .readonly();

export type CardChange = z.output<typeof cardChangeShape>;

export function canBeUndone(change: CardChange | undefined): change is CardChange & { what: 'changed' | 'added' } {
  return change?.what === 'changed' || change?.what === 'added';
}
