/** Listeners of the relay form, its service picker, and the shared-channel confirmation. */
import { pickable } from '../../block-kit/elements.js';

import { savingView } from '../../bolt/problem/loading.js';
import type { OptionsHandler, ViewHandler } from '../../bolt/routing/context.js';
import { optionsOf } from '../../forms/inputs.js';
import { formStateIn } from '../../forms/view-state.js';
import { relayFormRerendered, servicesOf } from '../load-views.js';
import { relayFormMetadata, relaySharedMetadata } from '../metadata.js';
import { anyServiceChoice, readRelay, serviceChoice } from './relay-form.js';
import { type RelaySubmission, saveRelay } from './save.js';

export const relaySubmitted: ViewHandler<RelaySubmission> = {
  role: 'manager',

  fields({ view }) {
    const { relay, notable: storedNotable, seen } = relayFormMetadata.read(view.private_metadata);
    const read = readRelay(formStateIn(view), storedNotable);
    return 'errors' in read
      ? read
      : {
          show: savingView(relay === undefined ? 'New relay' : 'Edit relay'),
          input: { chosen: read.chosen, relay, seen, sharedIsFine: false },
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
    const found = pickable(services).filter(({ name }) => name.toLowerCase().includes(typed));
    return optionsOf([anyServiceChoice, ...found.map(serviceChoice)]);
  },
};
