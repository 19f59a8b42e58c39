/** Listeners of the relay form, its service picker, and the shared-channel confirmation. */
import { pickable } from '../../block-kit/elements.js';
import { savingView } from '../../bolt/problem/loading.js';
import { modal, options } from '../../bolt/routing/listeners.js';
import { optionsOf } from '../../forms/inputs.js';
import { formStateIn } from '../../forms/view-state.js';
import { relayFormRerendered, servicesOf } from '../load-views.js';
import { anyServiceChoice, readRelay, relayFormMetadata, relaySharedMetadata, serviceChoice } from './relay-form.js';
import { saveRelay } from './save.js';

export const relaySubmitted = modal('relay.form', {
  role: 'manager',
  metadata: relayFormMetadata,

  fields({ view, metadata: { relay, notable, seen } }) {
    const read = readRelay(formStateIn(view), notable);
    return 'errors' in read
      ? read
      : {
          show: savingView(relay === undefined ? 'New relay' : 'Edit relay'),
          input: { chosen: read.chosen, relay, seen, sharedIsFine: false },
        };
  },

  redraw: (context) => relayFormRerendered(context, context.metadata, context.view),

  run: saveRelay,
});

export const relaySharedAgreed = modal('relay.shared', {
  role: 'manager',
  metadata: relaySharedMetadata,

  fields: ({ metadata: { chosen, relay, seen } }) => ({
    show: savingView('Shared channel'),
    input: { chosen, relay, seen, sharedIsFine: true },
  }),

  run: saveRelay,
});

/** The options of the service picker where the account has more services than a select holds. */
export const relayServiceOptions = options('relay.service', {
  role: 'manager',
  async offer(context) {
    const typedText = context.typed.toLowerCase();
    const services = (await servicesOf(context)) ?? [];
    const found = pickable(services).filter(({ name }) => name.toLowerCase().includes(typedText));
    return optionsOf([anyServiceChoice, ...found.map(serviceChoice)]);
  },
});
