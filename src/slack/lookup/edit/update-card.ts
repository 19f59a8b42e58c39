/** The update of a card after an edit: in place, or as a new message where Slack no longer updates the card. */
import type { Message } from '../../block-kit/elements.js';
import type { ActionContext } from '../../bolt/routing/context.js';
import type { OperationContext } from '../../operations/index.js';
import { drawCard } from '../draw-answer.js';
import type { Card } from '../record-store.js';

/** Updates the card in place; resolves to whether that worked. */
export type UpdateInPlace = (message: Message) => Promise<boolean>;

/** Updates a card, for people with access; nobody else gets here. */
export async function updateCard(context: OperationContext, card: Card, put: UpdateInPlace): Promise<void> {
  const message = await drawCard(context, card, { mayChange: true });
  if (await put(message)) {
    context.changes.recordDelivery(true);
  } else {
    await context.postPrivately(message);
  }
}

/** Updates a card through the response_url of the click itself. */
export function byClickUrl({ respond, deps, reference }: ActionContext): UpdateInPlace {
  return (message) =>
    respond(message, { replace: true }).then(
      () => true,
      (error: unknown) => {
        deps.log.info({ err: error, reference }, 'could not update a card in place');
        return false;
      },
    );
}

/** Updates a card through a response_url that was stored when a modal was opened. */
export function byStoredUrl({ deps, actor }: OperationContext, place: string | undefined): UpdateInPlace {
  return async (message) => place !== undefined && (await deps.responseUrls.update(actor.owner, place, message));
}
