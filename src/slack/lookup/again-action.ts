/**
 * Handlers for *Refresh* and *Try again* on a card, which ask the account for everything, and for buttons that open the
 * card of another barcode.
 */

import { SlackError } from '../bolt/errors.js';
import type { ActionContext } from '../bolt/routing/context.js';
import { action } from '../bolt/routing/listeners.js';
import { type CardData, cardData } from './card/card.js';
import { severalData } from './card/several-card.js';
import { openIds } from './card/suggestion-blocks.js';
import { cardPlace } from './card-place.js';
import { type LookUpContext, lookUpCard, symbologiesOf } from './look-up.js';
import { lookUpAgain } from './several/look-up-text.js';
import { severalRecords } from './several/record-store.js';

export const lookupAgain = action('lookup.again', {
  role: 'everyone',
  data: cardData,
  run: (context) => cardPlace(context).fill(() => lookUpCard(asBefore(context), context.data.value, { live: true })),
});

/** *Open* in a line of several. */
export const lookupOpen = action('lookup.open', {
  role: 'everyone',
  data: cardData,
  run: (context) => cardPlace(context).add(() => lookUpCard(asBefore(context), context.data.value)),
});

/** A barcode suggested on an unknown one's card, which it replaces. */
export const lookupSuggestion = action(openIds, {
  role: 'everyone',
  data: cardData,
  run: (context) => cardPlace(context).fill(() => lookUpCard(asBefore(context), context.data.value)),
});

/** In the same thread, with the same evidence of what the barcode is. */
function asBefore(context: ActionContext<CardData>): LookUpContext {
  return { ...context, thread: context.data.thread, symbologies: symbologiesOf([context.data]) };
}

/** *Refresh* on a card of several barcodes. */
export const severalAgain = action('lookup.several.again', {
  role: 'everyone',
  data: severalData,
  async run(context) {
    const { deps, actor, data } = context;
    const before = await severalRecords.find(deps, actor.owner, data.kept);
    if (!before) {
      throw new SlackError('slack.card_old', `card of several barcodes not found: ${data.kept}`);
    }
    await cardPlace(context).fill(() => lookUpAgain({ ...context, thread: data.thread }, before));
  },
});
