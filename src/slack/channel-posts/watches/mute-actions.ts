/** Handlers for *Mute this* on a relay's post, which opens the mute modal, and for *Stop* on watches and mutes. */

import type { Message } from '../../block-kit/elements.js';
import { record } from '../../bolt/audit.js';
import type { ActionContext } from '../../bolt/routing/context.js';
import { action } from '../../bolt/routing/listeners.js';
import { cachedRuleNames } from '../../connection/cached-names.js';
import { byClickUrl } from '../../lookup/edit/update-card.js';
import { stopMetadata } from '../ids.js';
import { muteForm, mutesMessage, muteTitle } from './mutes-message.js';
import { buttonValueOf, mutedNames, mutedOnRecord, postOf, viewerOf } from './viewer.js';
import { watchesMessage, watchStoppedMessage } from './watches-message.js';

export const postMute = action('post.mute', {
  role: 'everyone',
  modalTitle: muteTitle,
  async run(context) {
    await context.modal.fill(muteTitle, async () => {
      const post = await postOf(context, buttonValueOf(context.action));
      return muteForm(post, await cachedRuleNames(context, post.relay.settings.rules));
    });
  },
});

export const watchStop = action('watch.stop', {
  role: 'everyone',
  async run(context) {
    const { client, deps, actor, action } = context;
    const { id } = stopMetadata.read(buttonValueOf(action));
    const stopped = await deps.relays.watches.stop(actor.owner, viewerOf(actor), id);
    if (stopped) {
      await record(context, { what: 'relay/unwatch', detail: { value: stopped.value, channel: stopped.channel } });
      if (stopped.who !== actor.userId) {
        // The person who waits for the barcode is notified that the watch ended.
        await client.chat.postMessage({ channel: stopped.who, ...watchStoppedMessage(stopped, actor.userId) });
      }
    }
    const left = await deps.relays.watches.list(actor.owner, viewerOf(actor));
    await replaceOrPost(context, watchesMessage(left, stopped));
  },
});

export const muteStop = action('mute.stop', {
  role: 'everyone',
  async run(context) {
    const { deps, actor, action, body, postPrivately } = context;
    const { id } = stopMetadata.read(buttonValueOf(action));
    const by = viewerOf(actor);
    const [names, stopped] = await Promise.all([mutedNames(context), deps.relays.mutes.stop(actor.owner, by, id)]);
    if (stopped) {
      await record(context, { what: 'relay/unmute', detail: mutedOnRecord(stopped, names) });
    }
    const left = mutesMessage(await deps.relays.mutes.list(actor.owner, by), names, stopped);
    // One person's list must not replace what the whole channel sees.
    const theirs = body.container.type === 'message' && body.container.is_ephemeral === true;
    await (theirs ? replaceOrPost(context, left) : postPrivately(left));
  },
});

/** Replaces the list that was clicked, or sends a new one if it is no longer reachable. */
async function replaceOrPost(context: ActionContext, list: Message): Promise<void> {
  if (!(await byClickUrl(context)(list))) {
    await context.postPrivately(list);
  }
}
