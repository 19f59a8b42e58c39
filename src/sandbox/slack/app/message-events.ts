/**
 * The events by which Slack tells the app of messages: `message_metadata_posted` and `app_mention` in a channel of the
 * app, `message.im` in its conversations, its own messages among them. Which of them to ignore is the app's decision.
 */
import type { Core } from '../core.js';
import { messageAsSlack } from '../messages.js';
import type { MessageRecord } from '../world/records.js';

export function tellApp(core: Core, message: MessageRecord, formerMessage?: MessageRecord): void {
  const channel = core.world.channel(message.channel);
  const team = core.world.team(channel?.team ?? '');
  const install = team && core.world.installOf(team.id);
  if (!channel || !team || !install || message.ephemeral_for !== undefined) {
    return;
  }
  const shownMessage = messageAsSlack(core, message, false);
  const isMember = core.world.isMember(channel.id, team.bot_user);
  const send = (scope: string, event: Readonly<Record<string, unknown>> & { readonly type: string }): void => {
    if (install.scopes.includes(scope)) {
      core.outbound
        .event(team, event)
        .catch((error: unknown) => core.log.error({ err: error }, 'an event was not sent'));
    }
  };
  if (message.by_app && message.metadata && isMember && !formerMessage) {
    send('metadata.message:read', {
      type: 'message_metadata_posted',
      app_id: core.appId,
      bot_id: team.bot_id,
      user_id: team.bot_user,
      team_id: team.id,
      channel_id: channel.id,
      metadata: message.metadata,
      message_ts: message.ts,
      event_ts: message.ts,
    });
  }
  if (channel.im_with !== undefined) {
    const place = { channel: channel.id, channel_type: 'im', event_ts: core.world.stamp() };
    send(
      'im:history',
      formerMessage
        ? {
            type: 'message',
            subtype: 'message_changed',
            hidden: true,
            message: shownMessage,
            previous_message: messageAsSlack(core, formerMessage, false),
            ts: place.event_ts,
            ...place,
          }
        : { ...shownMessage, type: 'message', ...(message.files ? { subtype: 'file_share' } : {}), ...place },
    );
    return;
  }
  const isMention = isMember && message.text.includes(`<@${team.bot_user}`);
  if (isMention && !message.by_app) {
    send('app_mentions:read', {
      ...shownMessage,
      type: 'app_mention',
      channel: channel.id,
      event_ts: core.world.stamp(),
    });
  }
}
