/** `/scandesk mute`: mutes a barcode, or open alerts, in this channel for a while. Without text it lists the mutes. */
import { longestMuteMs, mostMutedPosts } from '../../../relay/index.js';
import type { Subcommand } from '../../bolt/routing/commands.js';
import type { CommandContext } from '../../bolt/routing/context.js';
import { longestDurationMessage, mostPostsMessage } from '../../lookup/card/barcode-hints.js';
import { alreadyOverMessage, type MutedNames, mutesMessage } from './mutes-message.js';
import { readUntilOver } from './parse-duration.js';
import { readTimedValue } from './timed-value.js';
import { mutedNames, muteInChannel, viewerOf } from './viewer.js';

const dayMs = 86_400_000;

export const mute: Subcommand = {
  name: 'mute',
  usage: 'mute [VALUE]',
  description:
    'Mute a barcode in this channel for a day. Add “for 2h” or “for 5 more” to set how long. “mute until over” mutes the alerts that are open here. Leave blank to list mutes.',
  role: 'everyone',
  async run(context) {
    const { deps, actor, respond, text } = context;
    const names = await mutedNames(context);
    if (text.trim() === '') {
      await respond(mutesMessage(await deps.relays.mutes.list(actor.owner, viewerOf(actor)), names));
      return;
    }
    const { untilOver, value: valueText } = readUntilOver(text);
    if (untilOver) {
      await muteUntilOver(context, valueText, names);
      return;
    }
    const timed = await readTimedValue(context, longestMuteMs, mostMutedPosts);
    if (!timed) {
      return;
    }
    const { value, forMs = dayMs, posts } = timed;
    if (timed.cut) {
      await respond(posts === undefined ? longestDurationMessage(longestMuteMs) : mostPostsMessage(mostMutedPosts));
    }
    const mutedValue = { kind: 'value', value } as const;
    const limit = posts === undefined ? { forMs } : { posts };
    await muteInChannel(context, { ...placeOf(context), what: mutedValue, ...limit }, names);
  },
};

/** Mutes a barcode until the newest alert open here is over; without one, each rule until its open alert is over. */
async function muteUntilOver(context: CommandContext, value: string | undefined, names: MutedNames): Promise<void> {
  const { deps, actor, channelId, respond } = context;
  const openIncidents = await deps.relays.openIncidents(actor.owner, channelId);
  const [newestIncident] = openIncidents;
  const muteTargets =
    value === undefined
      ? openIncidents.map(({ relayId, ruleId, postKey }) => ({
          what: { kind: 'rule' as const, relayId, ruleId },
          incidentId: postKey,
        }))
      : newestIncident
        ? [{ what: { kind: 'value' as const, value }, incidentId: newestIncident.postKey }]
        : [];
  let count = 0;
  for (const one of muteTargets) {
    count += (await muteInChannel(context, { ...placeOf(context), ...one }, names)) ? 1 : 0;
  }
  if (count === 0) {
    await respond(alreadyOverMessage());
  }
}

function placeOf({ actor, channelId }: CommandContext) {
  return { channel: channelId, who: actor.userId };
}
