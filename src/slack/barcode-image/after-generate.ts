/** What follows the barcode generator's form: posts the image to the person, in the conversation it came from. */
import { z } from 'zod';
import { SlackError } from '../bolt/errors.js';
import { decode } from '../bolt/metadata.js';
import { byStoredUrl } from '../lookup/edit/update-card.js';
import { type Afterwards, isPicture } from '../operations/index.js';
import { showMade } from './record-store.js';

/** The data that the generator's form carries. `place`: the id of the stored response URL of the message to replace. */
export const afterMade = z.object({ place: z.string().optional() });

export const barcodeMade: Afterwards[string] = async (context, { input, output }, carried) => {
  if (!isPicture(output)) {
    throw new SlackError('slack.state', 'the barcode generator returned no image');
  }
  const { place } = decode(afterMade, carried, 'barcode.made');
  const message = await showMade(context, output, input);
  if (!(await byStoredUrl(context, place)(message))) {
    await context.postPrivately(message);
  }
  return undefined;
};
