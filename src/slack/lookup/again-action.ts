/** Handler for *Refresh* and *Try again* on a card. It asks the account for everything, and replaces the card. */

import { action } from '../bolt/routing/listeners.js';
import { cardData, topicOf } from './card/card.js';

export const lookupAgain = action('lookup.again', {
  role: 'everyone',
  data: cardData,
  async run({ deps, actor, client, data: { value }, respond, topic }) {
    Object.assign(topic, topicOf(value));
    const { answer } = await deps.lookups.lookUp(actor.owner, value, { live: true });
    const [lookup, mayChange] = await Promise.all([answer, deps.permissions.can(client, actor, 'manager')]);
    await respond(await deps.lookups.card(actor.owner, { lookup }, { mayChange }), { replace: true });
  },
});
