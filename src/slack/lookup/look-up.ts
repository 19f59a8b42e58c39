/** A lookup for a person: the card, with the buttons they may use. It is noted among their recent lookups. */
import type { Message } from '../block-kit/elements.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { topicOf } from './card/card.js';
import { noteLookups } from './recent-lookups.js';

export type LookUpContext = Pick<BaseContext, 'deps' | 'actor' | 'client' | 'reference' | 'topic'>;

export interface LookUpOptions {
  /** Ask the account for everything. */
  readonly live?: boolean;
  /** Called once it is on its way; `databases`: how many are searched, if known. */
  readonly started?: (databases: number | undefined) => void;
}

/** @throws SlackError `slack.not_connected`, AccountError when every part failed */
export async function lookUpCard(
  context: LookUpContext,
  value: string,
  { live = false, started }: LookUpOptions = {},
): Promise<Message> {
  const { deps, actor, client, topic } = context;
  Object.assign(topic, topicOf(value));
  const { answer, databases, connectedAt } = await deps.lookups.lookUp(actor.owner, value, { live });
  started?.(databases);
  const [lookup, mayChange] = await Promise.all([answer, deps.permissions.can(client, actor, 'manager')]);
  const [card] = await Promise.all([
    deps.lookups.card(actor.owner, { lookup }, { mayChange }),
    noteLookups(deps, actor, [lookup], connectedAt).catch((error: unknown) => {
      // The answer is worth more than its place in a list.
      deps.log.warn({ err: error, reference: context.reference }, 'a lookup could not be noted as recent');
    }),
  ]);
  return card;
}
