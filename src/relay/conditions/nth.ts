/**
 * The condition that matches every nth scan, or only the nth, of a value, device, user, service or the relay. Alone in
 * a rule it uses the relay's counters; beside other conditions the rule counts the scans that meet them.
 */
import { z } from 'zod';
import { fieldOf, type Subject } from '../../counters/counters.js';
import { ordinal } from '../../english.js';
import { condition, type ValidatedScan } from './condition.js';
import { field, oneOf } from './parts/field.js';

const subjects: Readonly<Record<Subject, string>> = {
  relay: 'this relay',
  value: 'the same barcode',
  device: 'the same device',
  user: 'the same user',
  service: 'the same service',
};

export const nth = condition('nth', {
  about: 'several_scans',
  facts: 'counters',
  heading: 'Time and frequency',
  menu: ['Every Nth scan'],
  parts: {
    n: field(z.number().int().min(1).max(1_000_000), { name: 'nth', label: 'Scan number', initial: 100 }),
    of: oneOf(subjects, {
      name: 'nth.of',
      label: 'Count scans from',
      initial: 'relay',
      // Alone in a rule, a count for each barcode includes the scans before the rule.
      hint: (entered) =>
        `${entered['nth.of'] === 'value' ? 'With other conditions, counting' : 'Counting'} starts when you first save this rule.`,
    }),
    /** Whether every nth scan matches, or the nth once. */
    again: field(z.boolean().default(true), {
      name: 'nth.again',
      as: 'either',
      label: 'Post',
      choices: { again: 'Each time the number is reached', once: 'Only once' },
    }),
  },
  phrase: ({ n, of, again }) => `for ${again ? 'every' : 'only the'} ${ordinal(n)} scan of ${subjects[of]}`,
  counts: ({ of }) => of,
  predicate: (nth) => (facts) => hasSubject(facts.scan, nth.of) && isNth(nth, facts.countBefore(nth.of) + 1),
});

/** Whether the scan is the nth, or with `again` a multiple of it. `count`: the number of scans, this one included. */
export function isNth({ n, again }: { readonly n: number; readonly again: boolean }, count: number): boolean {
  return again ? count % n === 0 : count === n;
}

export function hasSubject(scan: ValidatedScan, subject: Subject): boolean {
  return subject === 'relay' || scan[fieldOf[subject]] !== undefined;
}
