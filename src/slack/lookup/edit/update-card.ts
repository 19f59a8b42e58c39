/**
 * Owns showing a card as it is after a change: in the place of the one that was clicked, or as a new one where that place
 * cannot be reached any more.
 */
import type { Message } from '../../block-kit/elements.js';
import type { ActionContext } from '../../bolt/routing/context.js';
import type { Performer } from '../../operations/index.js';
import type { Card } from '../record-store.js';

/** True where it worked. */
export type PutInPlace = (message: Message) => Promise<boolean>;

/** For whoever may change things: nobody else gets here. */
export async function putCard(context: Performer, card: Card, put: PutInPlace): Promise<void> {
  const message = await context.deps.lookups.card(context.asker.owner, card, { mayChange: true });
  if (await put(message)) {
    context.changes.said(true);
  } else {
    await context.tell(message);
  }
}

/** Through the response_url of the click itself. */
export function inPlaceOf({ respond, deps, reference }: ActionContext): PutInPlace {
  return async (message) => {
    if (!respond) {
      return false;
    }
    return respond(message, { replace: true }).then(
      () => true,
      (error: unknown) => {
        deps.log.info({ err: error, reference }, 'a card could not be changed in its place');
        return false;
      },
    );
  };
}

/** Through a response_url that was kept while a window was open. */
export function inKeptPlace({ deps, asker }: Performer, place: string | undefined): PutInPlace {
  return async (message) => place !== undefined && (await deps.places.put(asker.owner, place, message));
}
