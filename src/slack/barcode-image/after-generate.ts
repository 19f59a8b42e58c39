/** What follows the barcode generator's form: posts the image to the person, in the conversation it came from. */
import { SlackError } from '../bolt/errors.js';
import { byStoredUrl } from '../lookup/edit/update-card.js';
import { type Afterwards, isPicture } from '../operations/index.js';
import { madeMetadata, showMade } from './record-store.js';

export const barcodeMade: Afterwards[string] = async (context, { input, output }, carried) => {
  if (!isPicture(output)) {
    throw new SlackError('slack.state', 'the barcode generator returned no image');
  }
  const { place } = madeMetadata.read(carried);
  const message = await showMade(context, output, input);
  if (!(await byStoredUrl(context, place)(message))) {
    await context.postPrivately(message);
  }
};
