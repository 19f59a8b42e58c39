/** Owns `/scandesk watch`: calls a person when a relay takes a barcode; without one, shows what is watched. */
import { whyNotHere } from '../../attention.js';
import { record } from '../../audit.js';
import { readValueText } from '../../barcode-text.js';
import { emptyQuotesMessage, tooLongMessage } from '../../blocks/barcode-hints.js';
import { notHereMessage, watchedMessage, watchesMessage } from '../../blocks/watches.js';
import { readTimed } from '../../timed-text.js';
import type { Subcommand } from './table.js';

const dayMs = 86_400_000;
const usualMs = 30 * dayMs;
const longestMs = 90 * dayMs;

export const watch: Subcommand = {
  name: 'watch',
  usage: 'watch VALUE',
  describes: 'calls you here when a relay takes that barcode (VALUE for 2d: how long); alone, shows what is watched',
  who: 'everyone',
  async run(context) {
    const { deps, asker, respond, text, channelId } = context;
    if (text.trim() === '') {
      await respond(watchesMessage(await deps.relays.watches.list(asker.owner)));
      return;
    }
    const timed = readTimed(text, longestMs);
    const read = readValueText(timed.text);
    if (read.kind === 'empty_quotes') {
      await respond(emptyQuotesMessage());
      return;
    }
    if (read.kind === 'too_long') {
      await respond(tooLongMessage(read.length));
      return;
    }
    const why = await whyNotHere(context, channelId);
    if (why !== undefined) {
      await respond(notHereMessage(why));
      return;
    }
    const forMs = timed.forMs ?? usualMs;
    const watching = await deps.relays.watches.watch(asker.owner, {
      ...{ value: read.value, channel: channelId, who: asker.userId, forMs },
    });
    await record(context, {
      what: 'relay/watch',
      detail: { value: read.value, channel: channelId, until: watching.until },
    });
    await respond(watchedMessage(watching));
  },
};
