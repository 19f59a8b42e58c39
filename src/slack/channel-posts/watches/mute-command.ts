/** `/scandesk mute`: mutes a barcode in this channel for a while. Without a barcode it lists the mutes. */

import { longestMuteMs, mostMutedPosts } from '../../../relay/index.js';
import { record } from '../../bolt/audit.js';
import type { Subcommand } from '../../bolt/routing/commands.js';
import { mutedMessage, mutesMessage } from './mutes-message.js';
import { readTimedValue } from './timed-value.js';
import { mutedNames, mutedOnRecord, notifyChannel, viewerOf } from './viewer.js';

const dayMs = 86_400_000;

export const mute: Subcommand = {
  name: 'mute',
  usage: 'mute [VALUE]',
  description:
    'Mute a barcode in this channel for a day. Add “for 2h” or “for 5 more” to set how long. Leave blank to list mutes.',
  role: 'everyone',
  async run(context) {
    const { deps, actor, respond, text, channelId } = context;
    const names = await mutedNames(context);
    if (text.trim() === '') {
      await respond(mutesMessage(await deps.relays.mutes.list(actor.owner, viewerOf(actor)), names));
      return;
    }
    const timed = await readTimedValue(context, longestMuteMs, mostMutedPosts);
    if (!timed) {
      return;
    }
    const { value, forMs = dayMs, posts } = timed;
    const what = { kind: 'value', value } as const;
    const mute = await deps.relays.mutes.mute(actor.owner, {
      ...{ what, channel: channelId, who: actor.userId },
      ...(posts === undefined ? { forMs } : { posts }),
    });
    await record(context, { what: 'relay/mute', detail: mutedOnRecord(mute, names) });
    // A mute affects everyone in the channel, so a notice is posted there.
    await notifyChannel(context, channelId, mutedMessage(mute, names));
  },
};
