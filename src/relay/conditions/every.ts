/** The condition that every scan meets. */
import { condition } from './condition.js';

export const every = condition('every', {
  about: 'every_scan',
  facts: 'scan',
  heading: 'Result',
  menu: ['Every scan'],
  parts: {},
  phrase: () => 'for every scan',
  predicate: () => () => true,
});
