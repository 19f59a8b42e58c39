/**
 * The condition that matches every nth scan, or only the nth, of a value, device, user, service or the relay. Alone in
 * a rule it uses the relay's counters; beside other conditions the rule counts the scans that meet them.
 */
import { z } from 'zod';
import { fieldOf, type Subject, subjects } from '../../counters/counters.js';
import { conditionKind, type ValidatedScan } from './condition.js';

const schema = z.object({
  kind: z.literal('nth'),
  n: z.number().int().min(1).max(1_000_000),
  of: z.enum(subjects),
  /** Whether every nth scan matches, or the nth once. */
  again: z.boolean().default(true),
});

export const nth = conditionKind({
  schema,
  about: 'several_scans',
  facts: 'counters',
  counts: ({ of }) => of,
  predicate: (nth) => (facts) => hasSubject(facts.scan, nth.of) && isNth(nth, facts.countBefore(nth.of) + 1),
});

/** Whether the scan is the nth, or with `again` a multiple of it. `count`: the number of scans, this one included. */
export function isNth({ n, again }: z.output<typeof schema>, count: number): boolean {
  return again ? count % n === 0 : count === n;
}

export function hasSubject(scan: ValidatedScan, subject: Subject): boolean {
  return subject === 'relay' || scan[fieldOf[subject]] !== undefined;
}
