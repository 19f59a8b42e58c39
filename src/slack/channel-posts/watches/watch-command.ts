/** `/scandesk watch`: mentions a person when a relay receives a barcode. Without a barcode it lists the watches. */
import { record } from '../../bolt/audit.js';
import type { Subcommand } from '../../bolt/routing/commands.js';
import { readTimedValue } from './timed-value.js';
import { viewerOf, whyCannotWatch } from './viewer.js';
import { cannotWatchMessage, watchedMessage, watchesMessage } from './watches-message.js';

const dayMs = 86_400_000;
const defaultMs = 30 * dayMs;
const longestDays = 90;

export const watch: Subcommand = {
  name: 'watch',
  usage: 'watch [VALUE]',
  description:
    'Get an @mention here when a relay receives a barcode. Add “for 2d” to set how long. Leave blank to list watched barcodes.',
  role: 'everyone',
  async run(context) {
    const { deps, actor, respond, text, channelId } = context;
    if (text.trim() === '') {
      await respond(watchesMessage(await deps.relays.watches.list(actor.owner, viewerOf(actor))));
      return;
    }
    const timedValue = await readTimedValue(context, longestDays * dayMs);
    if (!timedValue) {
      return;
    }
    const refusalText = await whyCannotWatch(context, channelId);
    if (refusalText !== undefined) {
      await respond(cannotWatchMessage(refusalText));
      return;
    }
    const { value, forMs = defaultMs, cut } = timedValue;
    const watching = await deps.relays.watches.watch(actor.owner, {
      value,
      channel: channelId,
      who: actor.userId,
      forMs,
    });
    await record(context, {
      what: 'relay/watch',
      detail: { value, channel: channelId, until: watching.until },
    });
    const relays = await deps.relays.list(actor.owner);
    await respond(
      watchedMessage(watching, { noRelays: relays.length === 0, cutToDays: cut ? longestDays : undefined }),
    );
  },
};
