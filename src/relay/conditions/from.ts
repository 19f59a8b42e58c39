/** The condition that the scan comes from one of the listed services, users or devices: a choice in the menu for each. */
import { z } from 'zod';
import { fieldOf } from '../../counters/counters.js';
import { condition } from './condition.js';
import { listPredicate } from './parts/compare.js';
import { sources } from './parts/either.js';
import { inMenu } from './parts/field.js';

const menu = { service: 'Specific services', user: 'Specific users', device: 'Specific devices' };
const verbs: Readonly<Record<keyof typeof menu, string>> = {
  service: 'comes from',
  user: 'is scanned by',
  device: 'is made with',
};

export const from = condition('from', {
  about: 'one_scan',
  facts: 'scan',
  heading: 'Source',
  menu,
  parts: { what: inMenu(menu), ids: { schema: z.array(z.string()).min(1), idsOf: 'what' } },
  phrase: ({ what, ids }, nameOf) => `${verbs[what]} ${sources(what, ids, nameOf)}`,
  refersTo: ({ what }) => what,
  predicate: ({ what, ids }) => listPredicate({ is: ids, exact: true }, ({ scan }) => scan[fieldOf[what]]),
});
