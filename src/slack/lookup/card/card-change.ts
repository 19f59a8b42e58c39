/** The last edit made from a card, as data. It is stored with the lookup so that it can be shown and exactly undone. */
import { z } from 'zod';

const valueState = z.object({ valid: z.boolean(), response: z.string() }).readonly();

/**
 * - `changed`: validity, response or both; `before` and `after` hold the states.
 * - `added`: the database lacked it; there is no `before`.
 * - `undone`: the former state is restored.
 * - `stands`: nothing was done, because somebody else had changed it since.
 */
export const cardChangeShape = z
  .object({
    what: z.enum(['changed', 'added', 'undone', 'stands']),
    database: z.object({ id: z.string(), name: z.string() }).readonly(),
    /** As the database spells it. */
    value: z.string(),
    before: valueState.optional(),
    after: valueState.optional(),
    /** Slack user id. */
    by: z.string(),
    at: z.number(),
  })
  .readonly();

export type CardChange = z.output<typeof cardChangeShape>;

export function canBeUndone(change: CardChange | undefined): change is CardChange & { what: 'changed' | 'added' } {
  return change?.what === 'changed' || change?.what === 'added';
}
