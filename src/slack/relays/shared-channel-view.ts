/** The confirmation before posting where people from another organization can read. Pure. */

import { type ModalView, modalView } from '../block-kit/elements.js';
import { bold, richText, textElement } from '../block-kit/text.js';
import { channelElement } from '../channel-posts/describe/describe-relay.js';

export function relaySharedView(channel: string, notes: string): ModalView {
  return modalView(
    'A shared channel',
    [
      richText([
        channelElement(channel),
        bold(' is shared with another organisation.'),
        textElement('\nEvery scan that is posted there, with barcode, answers and names, is read by them too.'),
      ]),
    ],
    { callback_id: 'relay.shared', submit: 'Post there', close: 'Cancel', private_metadata: notes },
  );
}
