/** Handlers of the mute modal, opened by *Mute* on a relay's post, and of *Stop watching* and *Unmute*. */
import type { Muted } from '../../../relay/relays/types.js';
import type { Message } from '../../block-kit/elements.js';
import { record } from '../../bolt/audit.js';
import { SlackError } from '../../bolt/errors.js';
import type { ActionContext } from '../../bolt/routing/context.js';
import { action, modal } from '../../bolt/routing/listeners.js';
import { cachedRuleNames } from '../../connection/cached-names.js';
import { formStateIn } from '../../forms/view-state.js';
import { byClickUrl } from '../../lookup/edit/update-card.js';
import { postFormMetadata } from '../blocks/post-actions.js';
import { muteTitle, muteView, readMute } from './mute-form.js';
import { alreadyOverMessage, mutesMessage } from './mutes-message.js';
import { mutedNames, muteInChannel, postFormOpener, postOf, unmutedOnRecord, viewerOf } from './viewer.js';
import { stopData, watchesMessage, watchStoppedMessage } from './watches-message.js';

export const postMute = postFormOpener('post.mute', muteTitle, async (post, context) =>
  muteView(post, await cachedRuleNames(context, post.relay.settings.rules)),
);

export const muteSubmitted = modal('post.mute', {
  role: 'everyone',
  metadata: postFormMetadata,

  fields({ view }) {
    const read = readMute(formStateIn(view));
    return 'errors' in read ? read : { close: 'this', input: read };
  },

  async run(context, { what, end }) {
    const { post } = context.metadata;
    const { relay, rules, scan, channel, key } = await postOf(context, post);
    const { untilOver, ...limit } = end;
    const [, ruleIndex] = /^rule\.(\d)$/.exec(what) ?? [];
    const rule = rules[Number(ruleIndex)];
    const muteTarget: Muted | undefined = rule
      ? { kind: 'rule', relayId: relay.id, ruleId: rule.id }
      : what === 'relay'
        ? { kind: 'relay', relayId: relay.id }
        : scan && { kind: 'value', value: scan.tid };
    if (!muteTarget) {
      throw new SlackError('slack.state', `post ${post} has no option ${what}`);
    }
    const change = {
      what: muteTarget,
      channel,
      who: context.actor.userId,
      ...(untilOver ? { incidentId: key } : limit),
    };
    if (!(await muteInChannel(context, change, await mutedNames(context)))) {
      await context.postPrivately(alreadyOverMessage());
    }
  },
});

export const watchStop = action('watch.stop', {
  role: 'everyone',
  data: stopData,
  async run(context) {
    const { client, deps, actor, body, data } = context;
    const watch = await deps.relays.watches.stop(actor.owner, viewerOf(actor), data.id);
    if (watch) {
      await record(context, { what: 'relay/unwatch', detail: { value: watch.value, channel: watch.channel } });
      if (watch.who !== actor.userId) {
        await client.chat.postMessage({ channel: watch.who, ...watchStoppedMessage(watch, actor.userId) });
      }
    }
    if (body.view) {
      // The click was in App Home, which is redrawn after every click there.
      return;
    }
    const watchesLeft = await deps.relays.watches.list(actor.owner, viewerOf(actor));
    await replaceOrPost(context, watchesMessage(watchesLeft, watch));
  },
});

export const muteStop = action('mute.stop', {
  role: 'everyone',
  data: stopData,
  async run(context) {
    const { deps, actor, body, data, postPrivately } = context;
    const by = viewerOf(actor);
    const [names, stopped] = await Promise.all([mutedNames(context), deps.relays.mutes.stop(actor.owner, by, data.id)]);
    if (stopped) {
      await record(context, { what: 'relay/unmute', detail: unmutedOnRecord(stopped, names) });
    }
    const mutesLeft = mutesMessage(await deps.relays.mutes.list(actor.owner, by), names, stopped);
    // A list for one person must not replace a message that the whole channel reads.
    const theirs = body.container.type === 'message' && body.container.is_ephemeral === true;
    await (theirs ? replaceOrPost(context, mutesLeft) : postPrivately(mutesLeft));
  },
});

/** Replaces the clicked list, or sends a new one if the message is no longer reachable. */
async function replaceOrPost(context: ActionContext, list: Message): Promise<void> {
  if (!(await byClickUrl(context)(list))) {
    await context.postPrivately(list);
  }
}
