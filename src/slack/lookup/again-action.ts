/**
 * Handlers for *Refresh* and *Try again* on a card of one barcode, which ask the account for everything, for *Refresh*
 * on a card of several, and for buttons that open the card of another barcode.
 */
import { SlackError } from '../bolt/errors.js';
import type { ActionContext } from '../bolt/routing/context.js';
import { action } from '../bolt/routing/listeners.js';
import { answerAgain, answerBarcode, symbologiesOf } from './answer-barcodes.js';
import { type CardData, cardData } from './card/card.js';
import { openIds } from './card/suggestion-blocks.js';
import { cardPlace } from './card-place.js';
import type { LookupContext } from './read-barcode.js';
import { severalRecords } from './several/record-store.js';
import { severalData } from './several/several-card.js';

export const lookupAgain = action('lookup.again', {
  role: 'everyone',
  data: cardData,
  run: (context) =>
    cardPlace(context).fill(() => answerBarcode(contextOf(context), context.data.value, { live: true })),
});

/** *Open* in a line of a card of several barcodes. */
export const lookupOpen = action('lookup.open', {
  role: 'everyone',
  data: cardData,
  run: (context) => cardPlace(context).add(() => answerBarcode(contextOf(context), context.data.value)),
});

/** Looks up a barcode suggested on an unknown barcode's card, which the suggested barcode's card replaces. */
export const lookupSuggestion = action(openIds, {
  role: 'everyone',
  data: cardData,
  run: (context) => cardPlace(context).fill(() => answerBarcode(contextOf(context), context.data.value)),
});

/** The context of a lookup from a button: the card's thread, and the symbology that the button carries. */
function contextOf(context: ActionContext<CardData>): LookupContext {
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
    await cardPlace(context).fill(() => answerAgain({ ...context, thread: data.thread }, before));
  },
});
