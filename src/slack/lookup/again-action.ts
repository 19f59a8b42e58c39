/** Handler for *Try again* on a card with a failed part. It searches again and replaces the card. */

import { SlackError } from '../bolt/errors.js';
import { action } from '../bolt/routing/listeners.js';
import { topicOf } from './card/card.js';
import { cardMetadata } from './service.js';

export const lookupAgain = action('lookup.again', {
  role: 'everyone',
  async run({ deps, actor, client, action, respond, topic }) {
    const buttonValue = 'value' in action ? action.value : undefined;
    if (!respond || buttonValue === undefined) {
      throw new SlackError('slack.state', 'retry button outside a message or without a value');
    }
    const { value } = cardMetadata.read(buttonValue);
    Object.assign(topic, topicOf(value));
    const { answer } = await deps.lookups.lookUp(actor.owner, value);
    const [lookup, mayChange] = await Promise.all([answer, deps.permissions.can(client, actor, 'manager')]);
    await respond(await deps.lookups.card(actor.owner, { lookup }, { mayChange }), { replace: true });
  },
});
