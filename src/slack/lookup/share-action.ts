/**
 * Handler for *Share here*: posts the card through the click's response URL, so the app need not be a channel member. A
 * card is shared once; where another organization can read, it asks first.
 */

import { reachOf } from '../bolt/channels.js';
import type { ActionContext } from '../bolt/routing/context.js';
import { action } from '../bolt/routing/listeners.js';
import { type CardData, cardData, lookupCard } from './card/card.js';
import { withShareQuestion } from './card/share-question.js';

export const lookupShare = action('lookup.share', {
  role: 'everyone',
  data: cardData,
  run: (context) => share(context, false),
});

/** *Post anyway*. */
export const lookupShareAgreed = action('lookup.share.agreed', {
  role: 'everyone',
  data: cardData,
  run: (context) => share(context, true),
});

async function share(
  { deps, actor, client, data, respond, reference }: ActionContext<CardData>,
  agreed: boolean,
): Promise<void> {
  const reach = agreed ? 'inside' : await reachOf(client, actor.channelId);
  const { lookup, change } = await deps.lookups.cardBehind(actor.owner, data);
  const mayChange = data.kept !== undefined && (await deps.permissions.can(client, actor, 'manager'));
  if (reach !== 'inside') {
    const ids = { share: 'lookup.share', agreed: 'lookup.share.agreed' };
    const card = lookupCard(lookup, { data, change, mayChange });
    await respond(withShareQuestion(card, reach, ids), { replace: true });
    return;
  }
  await deps.lookups.shareOnce(actor, data, () =>
    respond(lookupCard(lookup, { sharedBy: actor.userId, change }), { inChannel: true }),
  );
  // It is shared; a failure to update the person's own card is not worth an error.
  await respond(lookupCard(lookup, { data, wasShared: true, change, mayChange }), { replace: true }).catch(
    (error: unknown) => deps.log.warn({ err: error, reference }, 'could not mark a card as shared'),
  );
}
