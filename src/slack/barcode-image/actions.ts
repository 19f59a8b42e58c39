/** Handlers of the buttons under a barcode image: share it, or change how it looks. */
import { z } from 'zod';
import { barcode } from '../../codereadr/operations/index.js';
import { reachOf } from '../bolt/channels.js';
import { encode } from '../bolt/metadata.js';
import type { ActionContext } from '../bolt/routing/context.js';
import { action } from '../bolt/routing/listeners.js';
import { withShareQuestion } from '../lookup/card/share-question.js';
import { openOperationForm } from '../operations/index.js';
import { afterMade } from './after-generate.js';
import { usualLook } from './make-command.js';
import { madeMessage } from './message.js';
import { findMade, madeRecords } from './record-store.js';

/** Once per channel, through the click's response_url: that works in channels the app is no member of. */
export const madeShare = action('made.share', {
  role: 'everyone',
  data: z.string(),
  run: (context) => share(context, false),
});

/** The button *Post anyway*. */
export const madeShareAgreed = action('made.share.agreed', {
  role: 'everyone',
  data: z.string(),
  run: (context) => share(context, true),
});

/** The button carries the image's id. */
async function share(
  { deps, actor, client, data: id, respond, reference }: ActionContext<string>,
  agreed: boolean,
): Promise<void> {
  await deps.whileIdle(actor.owner, id, async () => {
    const storedImage = await findMade(deps, actor.owner, id);
    const channel = actor.channelId ?? '';
    if (!storedImage.shared.includes(channel)) {
      const reach = agreed ? 'inside' : await reachOf(client, actor.channelId);
      if (reach !== 'inside') {
        const ids = { share: 'made.share', agreed: 'made.share.agreed' };
        await respond(withShareQuestion(madeMessage(storedImage, { buttonValue: id }), reach, ids), { replace: true });
        return;
      }
      await respond(madeMessage(storedImage, { sharedBy: actor.userId }), { inChannel: true });
      await madeRecords.save(deps, actor.owner, { ...storedImage, shared: [...storedImage.shared, channel] }, id);
    }
    // The image is shared by now: a failure to mark the private message is only logged.
    await respond(madeMessage(storedImage, { buttonValue: id, wasShared: true }), { replace: true }).catch(
      (error: unknown) => deps.log.warn({ err: error, reference }, 'could not mark a barcode image as shared'),
    );
  });
}

/** Opens the generator's form with the image's settings; the new image replaces the message. */
export const madeChange = action('made.change', {
  role: 'everyone',
  data: z.string(),
  modalTitle: barcode.generate.title,
  async run(context) {
    const { deps, actor, body } = context;
    const { value, look } = await findMade(deps, actor.owner, context.data);
    const place = body.response_url ? await deps.responseUrls.save(actor.owner, body.response_url) : undefined;
    await openOperationForm(context, {
      operation: barcode.generate,
      prefill: { value, ...look },
      usual: usualLook,
      locked: ['value'],
      after: { name: 'barcode.made', value: encode(afterMade, place === undefined ? {} : { place }) },
    });
  },
});
