/**
 * The welcome in the app's Messages tab: one message to each person, when they open the tab for the first time. The
 * claim holds across processes; where Slack surely did not post the message, the next opening tries again.
 */
import { z } from 'zod';
import { recordStore } from '../../workspaces/record-store.js';
import { type Message, message } from '../block-kit/elements.js';
import { bold, code, richText } from '../block-kit/text.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { postFailure } from '../channel-posts/post-failure.js';

const welcomes = recordStore('welcomed', z.object({ at: z.number() }), Number.POSITIVE_INFINITY);

export async function welcome(
  { deps, client, actor }: Pick<BaseContext, 'deps' | 'client' | 'actor'>,
  channel: string,
): Promise<void> {
  const at = deps.clock.now();
  let isFirst = false;
  await welcomes.update(deps, actor.owner, actor.userId, (before) => {
    isFirst = before === undefined;
    return before ?? { at };
  });
  if (!isFirst) {
    return;
  }
  try {
    await client.chat.postMessage({ channel, ...welcomeMessage });
  } catch (error) {
    const { kind } = postFailure(error);
    if (kind === 'unknown' || kind === 'duplicate') {
      throw error;
    }
    await welcomes.update(deps, actor.owner, actor.userId, () => undefined);
    throw error;
  }
}

const welcomeMessage: Message = message('Send me a barcode, and I’ll look it up.', [
  richText(
    [bold('Send me a barcode, or a photo of one, and I’ll look it up.')],
    ['In any channel, ', code('/barcode'), ' does the same, and ', code('/scans today'), ' shows what was scanned.'],
    ['Type ', code('help'), ' here for everything else.'],
  ),
]);
