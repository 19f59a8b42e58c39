/** Owns what happens when the form of a relay is sent, and when somebody knows that a channel is shared. */
import type { Notable } from '../../../relay/types.js';
import { savingView } from '../../blocks/loading.js';
import type { ViewHandler } from '../../context.js';
import { choiceIn, conversationIn } from '../../form-state.js';
import { actionIds, blockIds } from '../../ids.js';
import { relayFormNotes, relaySharedNotes } from '../../relay-notes.js';
import { type Sent, setUpRelay } from '../../relay-setup.js';

const isNotable = (choice: string | undefined): choice is Notable => choice === 'all' || choice === 'invalid';

export const relaySubmitted: ViewHandler<Sent> = {
  who: 'manager',

  acknowledge({ view }) {
    const { relay } = relayFormNotes.read(view.private_metadata);
    const service = choiceIn(view, blockIds.relayService, actionIds.relayService);
    const channel = conversationIn(view, blockIds.relayChannel, actionIds.relayChannel);
    const notable = choiceIn(view, blockIds.relayNotable, actionIds.relayNotable);
    const errors = {
      ...(service === undefined ? { [blockIds.relayService]: 'Choose a service.' } : {}),
      ...(channel === undefined ? { [blockIds.relayChannel]: 'Choose a channel.' } : {}),
      ...(isNotable(notable) ? {} : { [blockIds.relayNotable]: 'Choose one.' }),
    };
    if (service === undefined || channel === undefined || !isNotable(notable)) {
      return { errors };
    }
    return {
      show: savingView(relay === undefined ? 'New relay' : 'Change a relay'),
      input: { chosen: { service, channel, notable }, relay, sharedIsFine: false },
    };
  },

  run: setUpRelay,
};

export const relaySharedAgreed: ViewHandler<Sent> = {
  who: 'manager',

  acknowledge({ view }) {
    const { chosen, relay } = relaySharedNotes.read(view.private_metadata);
    return { show: savingView('A shared channel'), input: { chosen, relay, sharedIsFine: true } };
  },

  run: setUpRelay,
};
