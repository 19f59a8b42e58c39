/** Owns `/scandesk mute`: keeps a barcode's posts out of this channel for a while; without one, shows what is muted. */
import { mutedNames } from '../../attention.js';
import { record } from '../../audit.js';
import { readValueText } from '../../barcode-text.js';
import { emptyQuotesMessage, tooLongMessage } from '../../blocks/barcode-hints.js';
import { mutedMessage, mutesMessage } from '../../blocks/mutes.js';
import { readTimed } from '../../timed-text.js';
import type { Subcommand } from './table.js';

const dayMs = 86_400_000;
const longestMs = 30 * dayMs;

export const mute: Subcommand = {
  name: 'mute',
  usage: 'mute VALUE',
  describes:
    'keeps a barcode’s posts out of this channel for a day (VALUE for 2h: how long); alone, shows what is muted',
  who: 'everyone',
  async run(context) {
    const { deps, asker, respond, text, channelId } = context;
    const names = await mutedNames(context);
    if (text.trim() === '') {
      await respond(mutesMessage(await deps.relays.mutes.list(asker.owner), names));
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
    const what = { kind: 'value', value: read.value } as const;
    const forMs = timed.forMs ?? dayMs;
    const muted = await deps.relays.mutes.mute(asker.owner, { what, channel: channelId, who: asker.userId, forMs });
    await record(context, { what: 'relay/mute', detail: { ...what, channel: channelId, until: muted.until } });
    // Everybody in the channel hears less from now on, so everybody is told.
    await respond(mutedMessage(muted, names), { inChannel: true });
  },
};
