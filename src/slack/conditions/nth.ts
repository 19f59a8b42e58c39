/** The condition that matches every nth scan, or the nth alone. */
import { ordinal } from '../../english.js';
import { type ConditionOf, conditionKinds } from '../../relay/index.js';
import { boundsOf } from '../forms/bounds.js';
import type { Choice } from '../forms/inputs.js';
import * as kinds from '../forms/kinds.js';
import { field, shownCondition, stored } from './condition.js';

type Subject = ConditionOf<'nth'>['of'];

const subjects: Readonly<Record<Subject, string>> = {
  relay: 'this relay',
  value: 'the same barcode',
  device: 'the same device',
  user: 'the same user',
  service: 'the same service',
};

export const nth = shownCondition('nth', {
  heading: 'Time and frequency',
  choices: [['', 'Every Nth scan']],
  phrase: ({ n, of, again }) => `for ${again ? 'every' : 'only the'} ${ordinal(n)} scan of ${subjects[of]}`,
  fields: {
    nth: field(kinds.integer(boundsOf(conditionKinds.nth.schema.shape.n)), {
      label: 'Scan number',
      from: (source) => String(stored(source, 'nth')?.n ?? 100),
    }),
    'nth.of': field(kinds.select(Object.entries(subjects) as Choice<Subject>[]), {
      label: 'Count scans from',
      rerenders: true,
      // Alone in a rule, a count for each barcode includes the scans before the rule.
      hint: (draft) =>
        `${draft['nth.of'] === 'value' ? 'With other conditions, counting' : 'Counting'} starts when you first save this rule.`,
      from: (source) => stored(source, 'nth')?.of ?? 'relay',
    }),
    'nth.again': field(
      kinds.radio([
        ['again', 'Each time the number is reached'],
        ['once', 'Only once'],
      ]),
      {
        label: 'Post',
        rerenders: true,
        from: (source) => ((stored(source, 'nth')?.again ?? true) ? 'again' : 'once'),
      },
    ),
  },
  read: ({ nth: n, 'nth.of': of = 'relay', 'nth.again': again }) =>
    n === undefined ? undefined : { kind: 'nth', n, of, again: again !== 'once' },
});
