/** Listeners of the relay form, its service picker, and the shared-channel confirmation. */
import { pickable } from '../../block-kit/elements.js';

import { savingView } from '../../bolt/problem/loading.js';
import type { OptionsHandler, ViewHandler } from '../../bolt/routing/context.js';
import { relayFormRerendered, servicesOf } from '../load-views.js';
import { relayFormMetadata, relaySharedMetadata } from '../metadata.js';
import { relayEntered } from './read.js';
import { type RelaySubmission, saveRelay } from './save.js';
import { anyServiceOption, serviceOption } from './view.js';

export const relaySubmitted: ViewHandler<RelaySubmission> = {
  role: 'manager',

  fields({ view }) {
    const { relay, notable: storedNotable, seen } = relayFormMetadata.read(view.private_metadata);
    const { service, channel, notable = storedNotable } = relayEntered(view);
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

  redraw: (context) => relayFormRerendered(context, context.view),

  run: saveRelay,
};

export const relaySharedAgreed: ViewHandler<RelaySubmission> = {
  role: 'manager',

  fields({ view }) {
    const { chosen, relay, seen } = relaySharedMetadata.read(view.private_metadata);
    return { show: savingView('Shared channel'), input: { chosen, relay, seen, sharedIsFine: true } };
  },

  run: saveRelay,
};

/** Used when the account has more services than a select holds. */
export const relayServiceOptions: OptionsHandler = {
  role: 'manager',
  async offer(context) {
    const typed = context.typed.toLowerCase();
    const services = (await servicesOf(context)) ?? [];
    return [
      anyServiceOption,
      ...pickable(services)
        .filter((service) => service.name.toLowerCase().includes(typed))
        .map(serviceOption),
    ];
  },
};
