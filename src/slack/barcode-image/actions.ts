/** Handlers of the buttons under a barcode image: share it, or change how it looks. */
import { z } from 'zod';
import { barcode } from '../../codereadr/operations/index.js';
import { encode } from '../bolt/metadata.js';
import { action } from '../bolt/routing/listeners.js';
import { share } from '../lookup/share-action.js';
import { openOperationForm } from '../operations/index.js';
import { generatorFormData } from './after-generate.js';
import { usualLook } from './make-command.js';
import { drawImage } from './message.js';
import { findImage } from './record-store.js';

/** *Share here*, and *Post anyway*. The button carries the image's id. */
export const shareImage = action(['made.share', 'made.share.agreed'], {
  role: 'everyone',
  data: z.string(),
  async run(context) {
    const { deps, actor, data: id } = context;
    const image = await findImage(deps, actor.owner, id);
    await share(context, {
      kept: id,
      thread: undefined,
      actionId: 'made.share',
      draw: (shown) => drawImage(image, shown.sharedBy ? shown : { ...shown, buttonValue: id }),
    });
  },
});

/** Opens the generator's form with the image's settings; the new image replaces the message. */
export const changeImage = action('made.change', {
  role: 'everyone',
  data: z.string(),
  modalTitle: barcode.generate.title,
  async run(context) {
    const { deps, actor, body } = context;
    const { value, look } = await findImage(deps, actor.owner, context.data);
    const place = body.response_url ? await deps.responseUrls.save(actor.owner, body.response_url) : undefined;
    await openOperationForm(context, {
      operation: barcode.generate,
      prefill: { value, ...look },
      usual: usualLook,
      locked: ['value'],
      after: { name: 'barcode.made', value: encode(generatorFormData, place === undefined ? {} : { place }) },
    });
  },
});
