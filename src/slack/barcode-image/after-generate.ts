/** What follows the barcode generator's form: the image replaces the message that opened it, or is posted privately. */
import { z } from 'zod';
import { SlackError } from '../bolt/errors.js';
import { decode } from '../bolt/metadata.js';
import { byStoredUrl } from '../lookup/edit/update-card.js';
import { type Afterwards, isPicture } from '../operations/index.js';
import { storeImage } from './record-store.js';

/** The data that the generator's form carries. `place`: the id of the stored response URL of the message to replace. */
export const generatorFormData = z.object({ place: z.string().optional() });

export const showGenerated: Afterwards[string] = async (context, { input, output }, carried) => {
  if (!isPicture(output)) {
    throw new SlackError('slack.state', 'the barcode generator returned no image');
  }
  const { place } = decode(generatorFormData, carried, 'barcode.made');
  const message = await storeImage(context, output, input);
  if (!(await byStoredUrl(context, place)(message))) {
    await context.postPrivately(message);
  }
  return undefined;
};
