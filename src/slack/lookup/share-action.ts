/**
 * Handlers for *Share here*: a card is posted through a response URL, so the app need not be a channel member. A card
 * is shared once in each channel; where another organization can or may read, the person is asked first.
 */
import type { z } from 'zod';
import type { Message } from '../block-kit/elements.js';
import { reachOf } from '../bolt/channels.js';
import { SlackError } from '../bolt/errors.js';
import type { ActionContext } from '../bolt/routing/context.js';
import { action } from '../bolt/routing/listeners.js';
import { findOfAccount } from '../connection/account.js';
import { type CardData, cardData, lookupCard } from './card/card.js';
import { withShareQuestion } from './card/share-question.js';
import { cardPlace } from './card-place.js';
import { type Card, lookupRecords } from './record-store.js';
import { severalRecords } from './several/record-store.js';
import { severalCard, severalData } from './several/several-card.js';
import { shareOnce } from './share-once.js';
import { walkUpChoices } from './walk-up-choices.js';

/** *Share here*, and *Post anyway*, below a card of one barcode. */
export const lookupShare = action(['lookup.share', 'lookup.share.agreed'], {
  role: 'everyone',
  data: cardData,
  run: shareOne,
});

/** *Share here*, and *Post anyway*, below a card of several barcodes. */
export const severalShare = action(['lookup.several.share', 'lookup.several.share.agreed'], {
  role: 'everyone',
  data: severalData,
  run: shareSeveral,
});

async function shareOne(context: ActionContext<CardData>): Promise<void> {
  const { deps, actor, client, data } = context;
  const { lookup, change } = await cardBehind(context);
  const mayChange = data.kept !== undefined && (await deps.permissions.can(client, actor, 'manager'));
  const walkUp = mayChange && (await walkUpChoices(deps, actor.owner, lookup)).length > 0;
  await share(context, {
    kept: data.kept,
    thread: data.thread,
    actionId: 'lookup.share',
    draw: (sharing) =>
      lookupCard(lookup, {
        ...sharing,
        change,
        now: deps.clock.now(),
        ...(sharing.sharedBy ? {} : { data, mayChange, walkUp }),
      }),
  });
}

/** The card behind a button: as stored, or read again where none is stored. @throws SlackError `slack.other_account` */
async function cardBehind({ deps, actor, data }: ActionContext<CardData>): Promise<Card> {
  const { value, kept, symbology } = data;
  const found = kept === undefined ? undefined : await findOfAccount(deps, actor.owner, lookupRecords, kept);
  return found ?? { lookup: { ...(await (await deps.lookups.read(actor.owner, value)).answer), symbology } };
}

async function shareSeveral(context: ActionContext<z.output<typeof severalData>>): Promise<void> {
  const { kept, thread } = context.data;
  const answer = await findOfAccount(context.deps, context.actor.owner, severalRecords, kept);
  if (!answer) {
    throw new SlackError('slack.card_old', `card of several barcodes not found: ${kept}`);
  }
  await share(context, {
    kept,
    thread,
    actionId: 'lookup.several.share',
    draw: (sharing) => severalCard(answer, { ...sharing, kept, thread, now: context.deps.clock.now() }),
  });
}

interface Sharing {
  readonly kept: string | undefined;
  /** The thread of the message that the card answers. */
  readonly thread: string | undefined;
  /** The button's action; that of *Post anyway* ends in `.agreed`. */
  readonly actionId: string;
  /** Draws the card for everybody, or again for the person. */
  draw(sharing: { readonly sharedBy?: string; readonly wasShared?: boolean }): Message;
}

/** Shares a card, or asks first where people of another organization can read, or Scandesk cannot tell who can. */
export async function share(context: ActionContext<unknown>, { kept, thread, actionId, draw }: Sharing): Promise<void> {
  const { deps, actor, client, reference } = context;
  const place = cardPlace(context);
  const agreed = `${actionId}.agreed`;
  const reach = context.action.action_id === agreed ? 'inside' : await reachOf(client, actor.channelId);
  if (reach !== 'inside') {
    await place.replace(withShareQuestion(draw({}), reach, { share: actionId, agreed }));
    return;
  }
  await shareOnce(deps, actor, kept, () => place.share(draw({ sharedBy: actor.userId }), thread));
  // The card is shared; a failure to update the person's own card is not worth an error.
  await place.replace(draw({ wasShared: true })).catch((error: unknown) => {
    deps.log.warn({ err: error, reference }, 'could not mark a card as shared');
  });
}
