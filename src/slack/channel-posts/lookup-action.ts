/** Handler for *Look up* on a relay's post. It sends the card of `/barcode` to the person who clicked. */

import { SlackError } from '../bolt/errors.js';
import { action } from '../bolt/routing/listeners.js';
import { tooLongMessage } from '../lookup/card/barcode-hints.js';
import { lookUpCard } from '../lookup/look-up.js';
import { longestBarcode } from '../lookup/parse-barcode-text.js';
import { postData } from './blocks/post-actions.js';
import { postOf } from './watches/viewer.js';

export const postLookup = action('post.lookup', {
  role: 'everyone',
  data: postData,
  async run(context) {
    const { postPrivately } = context;
    const { post } = context.data;
    const { scan } = await postOf(context, post);
    if (!scan) {
      throw new SlackError('slack.state', `post without a scan: ${post}`);
    }
    const length = [...scan.tid].length;
    if (length > longestBarcode) {
      await postPrivately(tooLongMessage(length));
      return;
    }
    await postPrivately(await lookUpCard(context, scan.tid));
  },
});
