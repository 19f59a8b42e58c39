/** The place where a click shows its card: in the clicked message, below it, or in the lookup form's modal. */
import type { Message } from '../block-kit/elements.js';
import { SlackError } from '../bolt/errors.js';
import type { ActionContext } from '../bolt/routing/context.js';
import { answerView, lookupTitle } from './form/answer-view.js';
import { lookupMetadataIn } from './form/modal-metadata.js';

export interface CardPlace {
  /** Shows the answer in place of the clicked card. */
  replace(message: Message): Promise<void>;
  /** Shows a card that takes time in place of the clicked one. */
  fill(make: () => Promise<Message>): Promise<void>;
  /** Shows a message below the card's message; in a modal, it replaces the content. */
  add(make: () => Promise<Message>): Promise<void>;
  /** Posts a message for everybody in the channel, or in a thread; from a modal, always in the channel. */
  share(message: Message, thread?: string): Promise<void>;
}

export function cardPlace(context: Pick<ActionContext, 'deps' | 'actor' | 'body' | 'modal' | 'respond'>): CardPlace {
  return context.body.view ? inModal(context) : inMessage(context);
}

function inMessage({ respond }: Pick<ActionContext, 'respond'>): CardPlace {
  return {
    replace: (message) => respond(message, { replace: true }),
    fill: async (make) => respond(await make(), { replace: true }),
    add: async (make) => respond(await make()),
    share: (message, thread) => respond(message, { inChannel: true, ...(thread ? { thread } : {}) }),
  };
}

/** The place of a card in a modal; a click in App Home opens one. */
function inModal({ deps, actor, body, modal }: Pick<ActionContext, 'deps' | 'actor' | 'body' | 'modal'>): CardPlace {
  const metadata = body.view?.type === 'modal' ? lookupMetadataIn(body.view.private_metadata) : {};
  const fill = async (make: () => Promise<Message>) => {
    await modal.fill(lookupTitle, async () => answerView(await make(), metadata));
  };
  return {
    async replace(message) {
      await modal.show(answerView(message, metadata));
    },
    fill,
    add: fill,
    async share(message) {
      if (metadata.place === undefined) {
        throw new SlackError('slack.state', 'this modal was not opened from a channel');
      }
      await deps.responseUrls.share(actor.owner, metadata.place, message);
    },
  };
}
