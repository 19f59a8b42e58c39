/**
 * Owns what is to happen besides the answer once an operation was done through its form: one line each, under the name
 * that whoever opens the form gives as `after`.
 */
import { barcodeMade } from '../barcode-image/after-generate.js';
import { listChanged } from '../browse/list-changed.js';
import { cardAdded } from '../lookup/edit/value-added.js';
import type { Afterwards } from '../operations/index.js';

export const afterwards: Afterwards = {
  'lookup.added': cardAdded,
  'barcode.made': barcodeMade,
  'list.changed': listChanged,
};
