/** Options for the relay form's service picker, used when the account has more services than a select holds. */
import { pickable } from '../block-kit/elements.js';
import type { OptionsHandler } from '../bolt/routing/context.js';
import { anyServiceOption, serviceOption } from './form-view.js';
import { servicesOf } from './load-views.js';

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
