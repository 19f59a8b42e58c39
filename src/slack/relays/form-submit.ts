/** Submission handlers for the relay form and for the shared-channel confirmation. */

import { savingView } from '../bolt/problem/loading.js';
import type { ViewHandler } from '../bolt/routing/context.js';
import { relayFormRedrawn } from './load-views.js';
import { relayFormNotes, relaySharedNotes } from './metadata.js';
import { relayEntered } from './read-form.js';
import { type RelaySubmission, setUpRelay } from './save-relay.js';

export const relaySubmitted: ViewHandler<RelaySubmission> = {
  role: 'manager',

  acknowledge({ view }) {
    const { relay, notable: kept, seen } = relayFormNotes.read(view.private_metadata);
    const { service, channel, notable = kept } = relayEntered(view);
    const errors = {
      ...(service === undefined ? { 'relay.service': 'Choose a service.' } : {}),
      ...(channel === undefined ? { 'relay.channel': 'Choose a channel.' } : {}),
      ...(notable !== undefined ? {} : { 'relay.notable': 'Choose which scans to post.' }),
    };
    if (service === undefined || channel === undefined || notable === undefined) {
      return { errors };
    }
    return {
      show: savingView(relay === undefined ? 'New relay' : 'Edit relay'),
      input: { chosen: { service, channel, notable }, relay, seen, sharedIsFine: false },
    };
  },

  redrawn: (context) => relayFormRedrawn(context, context.view),

  run: setUpRelay,
};

export const relaySharedAgreed: ViewHandler<RelaySubmission> = {
  role: 'manager',

  acknowledge({ view }) {
    const { chosen, relay, seen } = relaySharedNotes.read(view.private_metadata);
    return { show: savingView('Shared channel'), input: { chosen, relay, seen, sharedIsFine: true } };
  },

  run: setUpRelay,
};
