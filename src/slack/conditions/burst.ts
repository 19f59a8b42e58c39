/** The condition of an alert: many scans that are not valid. */
import { countOf, describeMinutes } from '../../english.js';
import { conditionKinds } from '../../relay/index.js';
import { boundsOf } from '../forms/bounds.js';
import * as kinds from '../forms/kinds.js';
import { field, shownCondition, stored } from './condition.js';

const bounds = conditionKinds.burst.schema.shape;

export const burst = shownCondition('burst', {
  heading: 'Time and frequency',
  choices: [['', 'Alert: many not valid']],
  phrase: ({ n, minutes }) => `when ${countOf(n, 'scan')} are not valid within ${describeMinutes(minutes)}`,
  fields: {
    burst: field(kinds.integer(boundsOf(bounds.n)), {
      label: 'Number of scans not valid',
      from: (source) => String(stored(source, 'burst')?.n ?? 5),
    }),
    'burst.minutes': field(kinds.integer(boundsOf(bounds.minutes)), {
      label: 'Time window (minutes)',
      hint: 'Posts once, then not again until the time window has passed.',
      from: (source) => String(stored(source, 'burst')?.minutes ?? 10),
    }),
  },
  read: ({ burst: n, 'burst.minutes': minutes }) =>
    n === undefined || minutes === undefined ? undefined : { kind: 'burst', n, minutes },
});
