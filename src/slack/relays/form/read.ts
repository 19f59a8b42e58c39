/** Reads the relay form, submitted or not. A field with nothing chosen is left out. */
import type { ViewOutput } from '@slack/bolt';
import { choiceIn, conversationIn } from '../../block-kit/view-state.js';
import type { RelayChoice } from '../metadata.js';

export function relayEntered(view: Pick<ViewOutput, 'state'>): Partial<RelayChoice> {
  const service = choiceIn(view, 'relay.service', 'relay.service');
  const channel = conversationIn(view, 'relay.channel', 'relay.channel');
  const notable = choiceIn(view, 'relay.notable', 'relay.notable');
  return {
    ...(service === undefined ? {} : { service }),
    ...(channel === undefined ? {} : { channel }),
    ...(notable === 'all' || notable === 'invalid' ? { notable } : {}),
  };
}
