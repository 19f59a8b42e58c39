/** Reads the relay form, submitted or not. A field with nothing chosen is left out. */
import type { ViewOutput } from '@slack/bolt';
import { choiceIn, conversationIn } from '../block-kit/view-state.js';
import { actionIds, blockIds } from '../bolt/ids.js';
import type { RelayChoice } from './metadata.js';

export function relayEntered(view: Pick<ViewOutput, 'state'>): Partial<RelayChoice> {
  const service = choiceIn(view, blockIds.relayService, actionIds.relayService);
  const channel = conversationIn(view, blockIds.relayChannel, actionIds.relayChannel);
  const notable = choiceIn(view, blockIds.relayNotable, actionIds.relayNotable);
  return {
    ...(service === undefined ? {} : { service }),
    ...(channel === undefined ? {} : { channel }),
    ...(notable === 'all' || notable === 'invalid' ? { notable } : {}),
  };
}
