/** The condition that the scan comes from one of the chosen services, users or devices: a menu choice for each kind. */
import { type ScanSource, shownCondition } from './condition.js';
import { sources } from './parts/either.js';
import { idFields } from './parts/id-fields.js';

const verbs: Readonly<Record<ScanSource, string>> = {
  service: 'comes from',
  user: 'is scanned by',
  device: 'is made with',
};

export const from = shownCondition('from', {
  heading: 'Source',
  choices: [
    ['service', 'Specific services'],
    ['user', 'Specific users'],
    ['device', 'Specific devices'],
  ],
  detailOf: ({ what }) => what,
  phrase: ({ what, ids }, nameOf) => `${verbs[what]} ${sources(what, ids, nameOf)}`,
  fields: idFields,
  read(values, { detail }) {
    const sourceKind = detail as ScanSource;
    return { kind: 'from', what: sourceKind, ids: [...(values[`ids.${sourceKind}`] ?? [])] };
  },
});
