/** Updates a card after an edit: in place, or as a new message when its place is no longer reachable. */
import type { Message } from '../../block-kit/elements.js';
import type { ActionContext } from '../../bolt/routing/context.js';
import type { Performer } from '../../operations/index.js';
import type { Card } from '../record-store.js';

/** Resolves to true if it worked. */
export type PutInPlace = (message: Message) => Promise<boolean>;

/** For people with access; nobody else gets here. */
export async function putCard(context: Performer, card: Card, put: PutInPlace): Promise<void> {
  const message = await context.deps.lookups.card(context.actor.owner, card, { mayChange: true });
  if (await put(message)) {
    context.changes.said(true);
  } else {
    await context.postPrivately(message);
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

/** Through a response_url that was stored while a modal was open. */
export function inKeptPlace({ deps, actor }: Performer, place: string | undefined): PutInPlace {
  return async (message) => place !== undefined && (await deps.places.put(actor.owner, place, message));
}
