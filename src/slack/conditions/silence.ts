/** The condition of an alert: no scan comes from the relay, or from any one of the chosen devices or services. */
import { describeMinutes } from '../../english.js';
import { type ConditionOf, conditionKinds, describeHours } from '../../relay/index.js';
import { boundsOf } from '../forms/bounds.js';
import * as kinds from '../forms/kinds.js';
import { field, shownCondition, stored } from './condition.js';
import { hoursField } from './hours.js';
import { sources } from './parts/either.js';
import { idFields } from './parts/id-fields.js';

export const silence = shownCondition('silence', {
  heading: 'Time and frequency',
  choices: [['', 'Alert: no scans']],
  phrase({ of, ids, minutes, hours }, nameOf) {
    const source = of === 'relay' || ids.length === 0 ? '' : ` from ${sources(of, ids, nameOf)}`;
    return `when no scan arrives${source} for ${describeMinutes(minutes)}, ${describeHours(hours)}`;
  },
  fields: {
    'silence.of': field(
      kinds.select<ConditionOf<'silence'>['of']>([
        ['relay', 'This relay'],
        ['device', 'Each of these devices'],
        ['service', 'Each of these services'],
      ]),
      { label: 'No scans from', rerenders: true, from: (source) => stored(source, 'silence')?.of ?? 'relay' },
    ),
    'ids.device': idFields['ids.device'],
    'ids.service': idFields['ids.service'],
    'silence.minutes': field(kinds.integer(boundsOf(conditionKinds.silence.schema.shape.minutes)), {
      label: 'Minutes without scans',
      hint: 'Posts once, then not again until a scan arrives.',
      from: (source) => String(stored(source, 'silence')?.minutes ?? 15),
    }),
    hours: hoursField,
  },
  read({ 'silence.of': of = 'relay', 'silence.minutes': minutes, hours, ...values }) {
    const ids = of === 'relay' ? [] : [...(values[`ids.${of}`] ?? [])];
    return minutes === undefined || !hours ? undefined : { kind: 'silence', of, ids, minutes, hours };
  },
});
