/** Handler for *Look up* on a relay's post. It sends the card of `/barcode` to the person who clicked. */
import { action } from '../bolt/routing/listeners.js';
import { answerBarcode } from '../lookup/answer-barcodes.js';
import { unsearchableMessage } from '../lookup/card/barcode-hints.js';
import { isTooLong } from '../lookup/parse-barcodes.js';
import { postData } from './blocks/post-actions.js';
import { shownBarcode } from './shown-barcode.js';
import { postGone } from './watches/viewer.js';

export const postLookup = action('post.lookup', {
  role: 'everyone',
  data: postData,
  async run(context) {
    const { deps, actor, body, postPrivately } = context;
    const { post } = context.data;
    const found = await deps.relays.postActions.find(actor.owner, post);
    const value = found?.scan?.tid ?? shownBarcode(body.message?.blocks) ?? postGone(context, post);
    await postPrivately(
      isTooLong(value) ? unsearchableMessage([...value].length) : await answerBarcode(context, value),
    );
  },
});
