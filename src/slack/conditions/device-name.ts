/** The condition that the name of the scan's device contains a text. */
import { conditionKinds } from '../../relay/index.js';
import { settled } from '../block-kit/text.js';
import { boundsOf } from '../forms/bounds.js';
import * as kinds from '../forms/kinds.js';
import { field, shownCondition, stored } from './condition.js';

const { max } = boundsOf(conditionKinds.device_name.schema.shape.contains);

export const deviceName = shownCondition('device_name', {
  heading: 'Source',
  choices: [['', 'Devices with a name that contains…']],
  phrase: ({ contains }) => `is made with a device whose name contains ${settled(contains)}`,
  fields: {
    'device.name': field(kinds.text({ max, placeholder: 'Gate A', missing: 'Enter a part of the name.' }), {
      label: 'Device name contains',
      hint: 'Upper and lower case are treated the same. A device without a known name never matches.',
      rerenders: true,
      from: (source) => stored(source, 'device_name')?.contains ?? '',
    }),
  },
  read: ({ 'device.name': contains = '' }) => ({ kind: 'device_name', contains }),
});
