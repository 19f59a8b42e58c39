/** Owns what follows the form of the barcode generator: the picture, in the conversation it was asked from, to be shared. */
import { SlackRoomError } from './errors.js';
import { type Afterwards, isPicture } from './forms/index.js';
import { madeNotes, showMade } from './made-barcodes.js';
import { inKeptPlace } from './put-card.js';

export const barcodeMade: Afterwards[string] = async (context, { input, output }, carried) => {
  if (!isPicture(output)) {
    throw new SlackRoomError('slack.state', 'the generator’s form ended without a picture');
  }
  const { place } = madeNotes.read(carried);
  const message = await showMade(context, output, input);
  if (!(await inKeptPlace(context, place)(message))) {
    await context.tell(message);
  }
};
