/** App Home's section with a field to look up barcodes, and the person's last lookups. Pure. */
import { actions, type Block, button, plain } from '../../block-kit/elements.js';
import { bold, richText } from '../../block-kit/text.js';
import { recentBlocks } from '../../lookup/form/recent-rows.js';
import type { RecentLookup } from '../../lookup/index.js';

/** The `action_id` of the field and, with `.button`, of its button. */
export const lookupField = 'home.lookup';

const mostShown = 5;

export function lookupBlocks(): Block[] {
  return [
    {
      type: 'input',
      block_id: lookupField,
      dispatch_action: true,
      label: plain('Look up a barcode'),
      element: {
        type: 'plain_text_input',
        action_id: lookupField,
        max_length: 3000,
        placeholder: plain('One or several barcodes'),
        dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] },
      },
    },
    actions([button('Look up', `${lookupField}.button`, { style: 'primary' })], `${lookupField}.buttons`),
  ];
}

export function recentLookupBlocks(recent: readonly RecentLookup[]): Block[] {
  return recent.length > 0 ? [richText([bold('Recent lookups')]), ...recentBlocks(recent.slice(0, mostShown))] : [];
}
