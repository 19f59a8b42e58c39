/**
 * Owns *Share here*: what the person saw, for everybody in the channel, by the click's response_url, so that it works
 * where the app is no member. Refuses to share the same card twice: the card then says that it was.
 */
import { lookupCard } from '../../blocks/lookup-card.js';
import type { ActionContext, Handler } from '../../context.js';
import { SlackRoomError } from '../../errors.js';
import { cardNotes } from '../../lookup-room.js';

export const lookupShare: Handler<ActionContext> = {
  who: 'everyone',
  async run({ deps, asker, client, action, respond, reference }) {
    const buttonValue = 'value' in action ? action.value : undefined;
    if (!respond || buttonValue === undefined) {
      throw new SlackRoomError('slack.state', 'a share button outside a message, or without its value');
    }
    const { lookup, change } = await deps.lookups.recall(asker.owner, buttonValue);
    await deps.lookups.shareOnce(asker, buttonValue, () =>
      respond(lookupCard(lookup, { sharedBy: asker.userId, change }), { inChannel: true }),
    );
    const { kept } = cardNotes.read(buttonValue);
    const changeable = kept !== undefined && (await deps.permissions.may(client, asker, 'manager')) ? kept : undefined;
    // It is shared; that the own card still offers it is no trouble to bother anybody with.
    await respond(
      lookupCard(lookup, { buttonValue, wasShared: true, change, ...(changeable === undefined ? {} : { changeable }) }),
      { replace: true },
    ).catch((error: unknown) =>
      deps.log.warn({ err: error, reference }, 'a shared card could not be marked as shared'),
    );
  },
};
