/**
 * Owns what is to happen besides the answer once an operation was done through its form: one line each, under the name
 * that whoever opens the form gives as `after`.
 */
import { barcodeMade } from '../barcode-made.js';
import { cardAdded } from '../card-added.js';
import type { Afterwards } from '../forms/index.js';
import { listChanged } from '../list-changed.js';

export const afterwards: Afterwards = {
  'lookup.added': cardAdded,
  'barcode.made': barcodeMade,
  'list.changed': listChanged,
};
