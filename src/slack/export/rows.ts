/** The rows of exports from lists: who is inside and what is lent, with names as the windows show them. */
import type { ExportRows } from '../../exports/index.js';
import { type LentDeps, lentThings } from '../lent/things.js';
import { rollCall } from '../places/roll-call.js';

export function createExportRows(deps: LentDeps): ExportRows {
  return {
    inside: (list) => rollCall(deps, list),
    out: (viewer, text) => lentThings(deps, viewer, text),
  };
}
