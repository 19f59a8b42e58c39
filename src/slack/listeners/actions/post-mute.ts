/** Owns *Mute this* on a relay's post: the window that asks what, and for how long; and *Stop* on watches and mutes. */
import { carriedBy, mutedNames, postOf } from '../../attention.js';
import { record } from '../../audit.js';
import { muteForm, mutesMessage, muteTitle } from '../../blocks/mutes.js';
import { watchesMessage } from '../../blocks/watches.js';
import type { ActionContext, Handler } from '../../context.js';
import { stopNotes } from '../../post-ids.js';

export const postMute: Handler<ActionContext> = {
  who: 'everyone',
  opens: muteTitle,
  async run(context) {
    await context.window.fill(muteTitle, async () => muteForm(await postOf(context, carriedBy(context.action))));
  },
};

export const watchStop: Handler<ActionContext> = {
  who: 'everyone',
  async run(context) {
    const { deps, asker, action, respond } = context;
    const { id } = stopNotes.read(carriedBy(action));
    const stopped = await deps.relays.watches.stop(asker.owner, id);
    if (stopped) {
      await record(context, { what: 'relay/unwatch', detail: { value: stopped.value, channel: stopped.channel } });
    }
    await respond?.(watchesMessage(await deps.relays.watches.list(asker.owner), stopped), { replace: true });
  },
};

export const muteStop: Handler<ActionContext> = {
  who: 'everyone',
  async run(context) {
    const { deps, asker, action, body, respond, tell } = context;
    const { id } = stopNotes.read(carriedBy(action));
    const [names, stopped] = await Promise.all([mutedNames(context), deps.relays.mutes.stop(asker.owner, id)]);
    if (stopped) {
      await record(context, { what: 'relay/unmute', detail: { ...stopped.what, channel: stopped.channel } });
    }
    const left = mutesMessage(await deps.relays.mutes.list(asker.owner), names, stopped);
    // What everybody sees in the channel is not replaced by one person's list.
    const theirs = body.container.type === 'message' && body.container.is_ephemeral === true;
    await (respond && theirs ? respond(left, { replace: true }) : tell(left));
  },
};
