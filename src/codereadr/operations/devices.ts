/** Declarations of the section `devices`. */
import type { Device } from '../types.js';
import type { Element } from '../xml/xml.js';
import { filterBy } from './common.js';
import { operation } from './operation.js';
import { attribute, childrenNamed, optionalText, readNothing, text } from './read.js';

function device(element: Element): Device {
  const created = optionalText(element, 'created');
  return {
    id: attribute(element, 'id'),
    udid: text(element, 'udid'),
    name: text(element, 'devicename'),
    ...(created !== undefined && { created }),
  };
}

export const retrieve = operation('devices', 'retrieve', {
  title: 'List devices',
  effect: 'read',
  input: { device_id: filterBy('device', 'The devices to list. Leave blank for all.') },
  output: (root) => ({ devices: childrenNamed(root, 'device').map(device) }),
});

export const update = operation('devices', 'update', {
  title: 'Rename a device',
  success: 'Renamed {device_id} to {device_name}',
  effect: 'write',
  input: {
    device_id: { type: 'id', of: 'device', required: true, description: 'The device to rename.', errors: ['410'] },
    device_name: { type: 'text', required: true, description: 'The new name.', errors: ['410'] },
  },
  output: readNothing,
});
