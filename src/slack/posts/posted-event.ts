/**
 * The event by which Slack reports a post before anybody searches for it, where the app subscribes to the event. It
 * counts only for a message of this app and bot.
 */
import { z } from 'zod';
import { installationIdOf } from '../bolt/people/workspace.js';
import { event } from '../bolt/routing/listeners.js';
import { postEventType } from './post-search.js';

const messageSchema = z.object({
  app_id: z.string(),
  bot_id: z.string(),
  team_id: z.string(),
  channel_id: z.string(),
  message_ts: z.string().regex(/^\d{1,12}\.\d{6}$/),
  metadata: z.object({
    event_type: z.literal(postEventType),
    event_payload: z.object({ key: z.string(), generation: z.number().int() }),
  }),
});

export const messagePosted = event('message_metadata_posted', async (context) => {
  const { deps, client, appId, botId, reference } = context;
  const { data } = messageSchema.safeParse(context.event);
  const installation = installationIdOf(context);
  if (!data || !installation || data.app_id !== appId) {
    return;
  }
  // Shortly after a start, the bot's id may not be known yet.
  if (data.bot_id !== (botId ?? (await client.auth.test()).bot_id)) {
    return;
  }
  const { team_id: team, channel_id: channel, message_ts: ts, metadata } = data;
  const receipt = { owner: { installation, team }, channel, ts, ...metadata.event_payload };
  if (await deps.receipts.add(receipt, deps.clock.now())) {
    deps.log.debug({ reference, post: receipt.key }, 'Slack told of a post before its answer or a search did');
    deps.onReceipt();
  }
});
