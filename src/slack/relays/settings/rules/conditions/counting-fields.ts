/** The fields of conditions about several scans, or about none, and the hours of those that depend on the time. */
import { type ConditionOf, conditionSchema } from '../../../../../relay/index.js';
import { subjects } from '../../../../channel-posts/describe/rule-sentence.js';
import { boundsOf, variantOf } from '../../../../forms/bounds.js';
import { when } from '../../../../forms/form.js';
import type { Choice } from '../../../../forms/inputs.js';
import * as kinds from '../../../../forms/kinds.js';
import { defaultHours, hours } from '../../inputs/hours.js';
import { field, stored } from './condition-source.js';

type Subject = ConditionOf<'nth'>['of'];

const nth = variantOf(conditionSchema, 'nth').shape;
const burst = variantOf(conditionSchema, 'burst').shape;
const silence = variantOf(conditionSchema, 'silence').shape;

export const countingFields = {
  nth: field(kinds.integer(boundsOf(nth.n)), {
    label: 'Scan number',
    shown: when('when', 'nth'),
    from: (source) => String(stored(source, 'nth')?.n ?? 100),
  }),
  'nth.of': field(
    kinds.select(
      (['relay', 'value', 'device', 'user', 'service'] as const).map((of): Choice<Subject> => [of, subjects[of]]),
    ),
    {
      label: 'Count scans from',
      rerenders: true,
      // A count for each barcode includes earlier scans.
      hint: (draft) => (draft['nth.of'] === 'value' ? undefined : 'Counting starts when you first save this rule.'),
      shown: when('when', 'nth'),
      from: (source) => stored(source, 'nth')?.of ?? 'relay',
    },
  ),
  'nth.again': field(
    kinds.radio([
      ['again', 'Each time the number is reached'],
      ['once', 'Only once'],
    ]),
    {
      label: 'Post',
      rerenders: true,
      shown: when('when', 'nth'),
      from: (source) => ((stored(source, 'nth')?.again ?? true) ? 'again' : 'once'),
    },
  ),
  burst: field(kinds.integer(boundsOf(burst.n)), {
    label: 'Number of scans not valid',
    shown: when('when', 'burst'),
    from: (source) => String(stored(source, 'burst')?.n ?? 5),
  }),
  'burst.minutes': field(kinds.integer(boundsOf(burst.minutes)), {
    label: 'Time window (minutes)',
    hint: 'Posts once, then not again until the time window has passed.',
    shown: when('when', 'burst'),
    from: (source) => String(stored(source, 'burst')?.minutes ?? 10),
  }),
  'silence.of': field(
    kinds.select<'relay' | 'device' | 'service'>([
      ['relay', 'This relay'],
      ['device', 'Each of these devices'],
      ['service', 'Each of these services'],
    ]),
    {
      label: 'No scans from',
      rerenders: true,
      shown: when('when', 'silence'),
      from: (source) => stored(source, 'silence')?.of ?? 'relay',
    },
  ),
  'silence.minutes': field(kinds.integer(boundsOf(silence.minutes)), {
    label: 'Minutes without scans',
    hint: 'Posts once, then not again until a scan arrives.',
    shown: when('when', 'silence'),
    from: (source) => String(stored(source, 'silence')?.minutes ?? 15),
  }),
  hours: field(hours, {
    label: 'Hours',
    shown: when('when', 'within_hours', 'outside_hours', 'silence'),
    from: (source) =>
      (stored(source, 'outside_hours') ?? stored(source, 'within_hours') ?? stored(source, 'silence'))?.hours ??
      defaultHours(source.zone),
  }),
} as const;
