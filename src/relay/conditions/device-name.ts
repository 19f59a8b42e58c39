/** The name of the scan's device contains a text, in any letter case. A name that is not known contains nothing. */
import { z } from 'zod';
import { fold } from '../../codereadr/barcode-equality.js';
import { settled } from '../../codereadr/xml/hidden-characters.js';
import { condition } from './condition.js';
import { field } from './parts/field.js';

export const deviceName = condition('device_name', {
  about: 'one_scan',
  facts: 'names',
  heading: 'Source',
  menu: ['Devices with a name that contains…'],
  parts: {
    contains: field(z.string().min(1).max(200), {
      name: 'device.name',
      label: 'Device name contains',
      hint: 'Upper and lower case are treated the same. A device without a known name never matches.',
      placeholder: 'Gate A',
      missing: 'Enter a part of the name.',
    }),
  },
  phrase: ({ contains }) => `is made with a device whose name contains ${settled(contains)}`,
  predicate({ contains }) {
    const wanted = fold(contains);
    return ({ names }) => names.device !== undefined && fold(names.device).includes(wanted);
  },
});
