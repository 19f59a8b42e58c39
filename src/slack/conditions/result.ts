/** The condition on the scan's result: each result is a choice of its own. */
import type { ConditionOf } from '../../relay/index.js';
import { shownCondition } from './condition.js';

type Result = ConditionOf<'result'>['is'];

const phrases: Readonly<Record<Result, string>> = {
  valid: 'is valid',
  invalid: 'is not valid',
  duplicate: 'is a duplicate',
  late: 'is late',
  not_validated: 'couldn’t be checked',
};

export const result = shownCondition('result', {
  heading: 'Result',
  choices: [
    ['invalid', 'Scans that are not valid'],
    ['valid', 'Valid scans'],
    ['duplicate', 'Duplicates'],
    ['late', 'Late scans'],
    ['not_validated', 'Scans that couldn’t be checked'],
  ],
  detailOf: ({ is }) => is,
  phrase: ({ is }) => phrases[is],
  fields: {},
  read: (_, { detail }) => ({ kind: 'result', is: detail as Result }),
});
