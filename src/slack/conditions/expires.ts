/** The condition that the item of a GS1 barcode expires soon, or has expired. */
import { utcZone } from '../../codereadr/operations/zones.js';
import { countOf } from '../../english.js';
import { conditionKinds } from '../../relay/index.js';
import { boundsOf } from '../forms/bounds.js';
import * as kinds from '../forms/kinds.js';
import { zoneOption } from '../operations/form/zones.js';
import { field, shownCondition, stored } from './condition.js';
import { zone } from './inputs/hours.js';

export const expires = shownCondition('expires', {
  heading: 'Barcode',
  choices: [['', 'Items that expire soon', 'GS1 barcodes with a date']],
  phrase: ({ days }) =>
    days === 0 ? 'expires today or has expired' : `expires within ${countOf(days, 'day')} or has expired`,
  fields: {
    days: field(kinds.integer(boundsOf(conditionKinds.expires.schema.shape.days)), {
      label: 'Days left, at most',
      hint: 'With 0, items that expire today. Items that have expired always match.',
      from: (source) => String(stored(source, 'expires')?.days ?? 30),
    }),
    'days.zone': field(zone, {
      label: 'Time zone',
      hint: 'A day begins at midnight in this time zone.',
      from: (source) => zoneOption(stored(source, 'expires')?.zone ?? source.zone ?? utcZone),
    }),
  },
  read({ days, 'days.zone': chosenZone }, { problem }) {
    if (chosenZone === undefined) {
      problem('days.zone', 'Choose a time zone.');
    }
    return days === undefined || chosenZone === undefined ? undefined : { kind: 'expires', days, zone: chosenZone };
  },
});
