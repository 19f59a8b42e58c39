/**
 * Handler for *Share here*: posts the card through the click's response URL, so the app need not be a channel member. A
 * card is shared once; where another organization can read, it asks first.
 */

import { type Reach, reachOf } from '../bolt/channels.js';
import { SlackError } from '../bolt/errors.js';
import type { ActionContext } from '../bolt/routing/context.js';
import { action } from '../bolt/routing/listeners.js';
import { lookupCard } from './card/card.js';
import { withShareQuestion } from './card/share-question.js';
import { cardMetadata } from './service.js';

export const lookupShare = action('lookup.share', { role: 'everyone', run: (context) => share(context, false) });

/** *Post anyway*. */
export const lookupShareAgreed = action('lookup.share.agreed', {
  role: 'everyone',
  run: (context) => share(context, true),
});

async function share(
  { deps, actor, client, action, respond, reference }: ActionContext,
  agreed: boolean,
): Promise<void> {
  const buttonValue = 'value' in action ? action.value : undefined;
  if (!respond || buttonValue === undefined) {
    throw new SlackError('slack.state', 'share button outside a message or without a value');
  }
  const reach: Reach = agreed ? 'inside' : await reachOf(client, actor.channelId);
  const { lookup, change } = await deps.lookups.cardBehind(actor.owner, buttonValue);
  const { kept: id } = cardMetadata.read(buttonValue);
  const changeable =
    id !== undefined && (await deps.permissions.can(client, actor, 'manager')) ? { changeable: id } : {};
  if (reach !== 'inside') {
    const ids = { share: 'lookup.share', agreed: 'lookup.share.agreed' };
    await respond(withShareQuestion(lookupCard(lookup, { buttonValue, change, ...changeable }), reach, ids), {
      replace: true,
    });
    return;
  }
  await deps.lookups.shareOnce(actor, buttonValue, () =>
    respond(lookupCard(lookup, { sharedBy: actor.userId, change }), { inChannel: true }),
  );
  // It is shared; a failure to update the person's own card is not worth an error.
  await respond(lookupCard(lookup, { buttonValue, wasShared: true, change, ...changeable }), { replace: true }).catch(
    (error: unknown) => deps.log.warn({ err: error, reference }, 'could not mark a card as shared'),
  );
}
