/** The condition that every scan matches. */
import { shownCondition } from './condition.js';

export const every = shownCondition('every', {
  heading: 'Result',
  choices: [['', 'Every scan']],
  phrase: () => 'for every scan',
  fields: {},
  read: () => ({ kind: 'every' }),
});
