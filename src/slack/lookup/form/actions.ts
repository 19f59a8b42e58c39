/** The lookup form: `/barcode` alone and buttons open it; its submission and its rows answer in its modal. */
import { loadingView } from '../../bolt/problem/loading.js';
import type { Acknowledged, ActorContext, CommandContext } from '../../bolt/routing/context.js';
import { action, modal, opener } from '../../bolt/routing/listeners.js';
import { type Errors, formStateIn } from '../../forms/view-state.js';
import { answerBarcode, symbologiesOf } from '../answer-barcodes.js';
import { cardData } from '../card/card.js';
import { cardPlace } from '../card-place.js';
import { recentLookups } from '../recent-lookups.js';
import { answerTo } from './answer.js';
import { lookupTitle } from './answer-view.js';
import { lookupForm, lookupFormView } from './form-view.js';
import { type LookupModalMetadata, lookupMetadataIn, lookupModalMetadata } from './modal-metadata.js';

async function loadForm({ deps, actor }: ActorContext, metadata: LookupModalMetadata) {
  return lookupFormView(await recentLookups(deps, actor), metadata);
}

/** Opens the form for `/barcode` alone. An answer is shared through the command's response URL. */
export async function openLookupForm(context: CommandContext): Promise<void> {
  const { deps, actor, modal: form, responseUrl } = context;
  await form.fill(lookupTitle, async () => {
    const place = await deps.responseUrls.save(actor.owner, responseUrl);
    return loadForm(context, { channel: context.channelId, place });
  });
}

/** Opens the form for any button that leads to it, also for *New lookup* on an answer. */
export const lookupFormOpened = opener('lookup.form', {
  role: 'everyone',
  modalTitle: lookupTitle,
  view: (context) => loadForm(context, lookupMetadataIn(context.inside?.view.private_metadata)),
});

export const lookupFormSubmitted = modal('lookup.form', {
  role: 'everyone',
  metadata: lookupModalMetadata,

  fields({ view }): Acknowledged<string> {
    const errors: Errors = {};
    const { barcodes = '' } = lookupForm.read(formStateIn(view), errors);
    return Object.keys(errors).length > 0
      ? { errors }
      : { show: loadingView(lookupTitle, 'Searching…'), input: barcodes };
  },

  async run(context, text) {
    await context.modal.show(await answerTo(context, text, context.metadata));
  },
});

/** A row of the recent lookups; in App Home, the row opens the modal. */
export const lookupRecent = action('lookup.recent', {
  role: 'everyone',
  data: cardData,
  modalTitle: lookupTitle,
  async run(context) {
    const { data } = context;
    const symbologies = symbologiesOf([data]);
    await cardPlace(context).fill(() => answerBarcode({ ...context, symbologies }, data.value));
  },
});
