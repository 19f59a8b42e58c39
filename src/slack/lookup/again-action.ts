/** Handler for *Refresh* and *Try again* on a card. It asks the account for everything, and replaces the card. */

import { action } from '../bolt/routing/listeners.js';
import { cardData } from './card/card.js';
import { lookUpCard } from './look-up.js';

export const lookupAgain = action('lookup.again', {
  role: 'everyone',
  data: cardData,
  async run(context) {
    await context.respond(await lookUpCard(context, context.data.value, { live: true }), { replace: true });
  },
});
