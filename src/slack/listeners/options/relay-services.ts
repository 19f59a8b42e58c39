/** Owns what the picker of a relay's service offers, where the account has more services than a list holds. */
import { pickable } from '../../blocks/kit.js';
import { anyServiceOption, serviceOption } from '../../blocks/relay-form.js';
import type { OptionsHandler } from '../../context.js';
import { servicesOf } from '../../relay-windows.js';

export const relayServiceOptions: OptionsHandler = {
  who: 'manager',
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
