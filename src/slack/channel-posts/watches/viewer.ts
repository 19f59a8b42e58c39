/**
 * What the commands for watches and mutes and the listeners of posts share: the post of a form, a mute with its notice,
 * whether the app can post in the channel, and the names of muted items.
 */
import { codeOf } from '../../../errors.js';
import { type Mute, type NewMute, RelayError, type Viewer } from '../../../relay/index.js';
import type { DeliveredPost } from '../../../relay/relays/types.js';
import type { Message, ModalView } from '../../block-kit/elements.js';
import { richText } from '../../block-kit/text.js';
import { record } from '../../bolt/audit.js';
import { enterChannel, isChannel } from '../../bolt/channels.js';
import type { ActionContext, ActorContext, BaseContext } from '../../bolt/routing/context.js';
import type { Actor } from '../../bolt/routing/deps.js';
import { opener } from '../../bolt/routing/listeners.js';
import type { Respond } from '../../bolt/routing/respond.js';
import { cachedRuleNames } from '../../connection/cached-names.js';
import { topicOf } from '../../lookup/card/card.js';
import { postData } from '../blocks/post-actions.js';
import { ruleTitle } from '../describe/describe-rule.js';
import { shownBarcode } from '../shown-barcode.js';
import { type MutedNames, mutedMessage } from './mutes-message.js';

const retryCommand = { typed: '/scandesk watch VALUE' };

/** Why a watch cannot be posted in the channel, as text; undefined if it can. Joins a public channel. */
export async function whyCannotWatch(
  { client }: Pick<BaseContext, 'client'>,
  channel: string,
): Promise<string | undefined> {
  if (!isChannel(channel)) {
    return 'Use this command in a channel: scans of a watched barcode are posted there.';
  }
  const entered = await enterChannel(client, channel, { source: retryCommand });
  if (entered.ok) {
    return undefined;
  }
  return entered.shared ? 'This channel is shared with another organization. Use a channel of your own.' : entered.line;
}

export async function mutedNames({ deps, actor }: ActorContext): Promise<MutedNames> {
  const relays = new Map((await deps.relays.list(actor.owner)).map(({ relay }) => [relay.id, relay]));
  const nameOf = await cachedRuleNames(
    { deps, actor },
    [...relays.values()].flatMap(({ settings }) => settings.rules),
  );
  return {
    relay: (relayId) => relays.get(relayId)?.serviceName,
    rule(relayId, ruleId) {
      const rule = relays.get(relayId)?.settings.rules.find(({ id }) => id === ruleId);
      return rule && ruleTitle(rule, nameOf);
    },
  };
}

/** What a mute is about, for the audit log, with a rule's title: the rule may be gone when the entry is read. */
export function unmutedOnRecord({ what, channel }: Mute, names: MutedNames): Readonly<Record<string, unknown>> {
  const title = what.kind === 'rule' ? names.rule(what.relayId, what.ruleId) : undefined;
  return { ...what, ...(title === undefined ? {} : { title }), channel };
}

function mutedOnRecord(mute: Mute, names: MutedNames): Readonly<Record<string, unknown>> {
  const { posts, incidentId: incident, until } = mute;
  const end = posts !== undefined ? { mutedPosts: posts } : incident !== undefined ? { incident } : { until };
  return { ...unmutedOnRecord(mute, names), ...end };
}

/** The post that a button or a form belongs to. @throws RelayError `relay.post_gone` */
export async function postOf(context: PostContext, post: string): Promise<DeliveredPost> {
  return (await context.deps.relays.postActions.find(context.actor.owner, post)) ?? postGone(context, post);
}

/** An opener of a form about a post. */
export function postFormOpener(
  id: string,
  modalTitle: string,
  view: (post: DeliveredPost, context: ActionContext) => ModalView | Promise<ModalView>,
) {
  return opener(id, {
    role: 'everyone',
    data: postData,
    modalTitle,
    view: async (context) => view(await postOf(context, context.data.post), context),
  });
}

type PostContext = ActorContext & Pick<BaseContext, 'topic'> & Partial<Pick<ActionContext, 'body'>>;

/** The error's answer offers to look up the barcode that the message shows. @throws RelayError `relay.post_gone` */
export function postGone({ topic, body }: PostContext, post: string): never {
  const value = shownBarcode(body?.message?.blocks);
  if (value !== undefined) {
    Object.assign(topic, topicOf({ value }, 'Look up'));
  }
  throw new RelayError('relay.post_gone', `unknown post: ${post}`);
}

type MuteContext = BaseContext & { readonly respond?: Respond };

/** Stores a mute and posts a notice of it in its channel. False: the alert that the mute waits for is already over. */
export async function muteInChannel(context: MuteContext, newMute: NewMute, names: MutedNames): Promise<boolean> {
  const { deps, actor } = context;
  const mute = await deps.relays.mutes.mute(actor.owner, newMute);
  if (!mute) {
    return false;
  }
  await record(context, { what: 'relay/mute', detail: mutedOnRecord(mute, names) });
  await notifyChannel(context, newMute.channel, mutedMessage(mute, names));
  return true;
}

/**
 * Posts a mute notice in a channel: by the command's response_url, which works in any channel, else by a post. If both
 * fail, the person gets it with a hint to pass it on.
 */
async function notifyChannel(
  { client, changes, deps, reference, postPrivately, respond }: MuteContext,
  channel: string,
  notice: Message,
): Promise<void> {
  const logFailure = (error: unknown) =>
    deps.log.info({ err: error, code: codeOf(error), reference }, 'the mute notice could not be posted');
  const deliveries = [
    ...(respond ? [() => respond(notice, { inChannel: true })] : []),
    () => client.chat.postMessage({ channel, ...notice }),
  ];
  for (const deliver of deliveries) {
    try {
      await deliver();
      changes.recordDelivery(true);
      return;
    } catch (error) {
      logFailure(error);
    }
  }
  const notPosted = richText('Scandesk couldn’t post this in the channel. Let the others know.');
  await postPrivately({ ...notice, blocks: [...notice.blocks, notPosted] });
}

/** The person who uses watches and mutes, and the channel. */
export function viewerOf({ userId, channelId }: Actor): Viewer {
  return { who: userId, channel: channelId };
}
