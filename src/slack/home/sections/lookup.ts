/** App Home's section with a field to look up barcodes, and the person's last lookups. Pure. */

import { actions, type Block, button } from '../../block-kit/elements.js';
import { text } from '../../forms/kinds.js';
import { recentBlocks } from '../../lookup/form/recent-rows.js';
import type { RecentLookup } from '../../lookup/index.js';

/** The `action_id` of the field and, with `.button`, of its button. */
export const lookupField = 'home.lookup';

export const searchButton = 'home.search';

const mostShown = 5;
const field = text({ placeholder: 'One or several barcodes' });

export function lookupBlocks(): Block[] {
  return [
    ...[field.draw({ name: lookupField, action: lookupField, label: 'Look up a barcode', rerenders: true }, '')].flat(),
    actions(
      [button('Look up', `${lookupField}.button`, { style: 'primary' }), button('Search scans', searchButton)],
      `${lookupField}.buttons`,
    ),
  ];
}

export function recentLookupBlocks(recent: readonly RecentLookup[]): Block[] {
  return recentBlocks(recent.slice(0, mostShown));
}
