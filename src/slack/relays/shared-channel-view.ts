/** The confirmation before posting where people from another organization can read. Pure. */

import { type ModalView, modalView } from '../block-kit/elements.js';
import { bold, richText, textElement } from '../block-kit/text.js';
import { channelElement } from '../channel-posts/describe/describe-relay.js';

export function relaySharedView(channel: string, notes: string): ModalView {
  return modalView(
    'Shared channel',
    [
      richText([
        channelElement(channel),
        bold(' is shared with another organization.'),
        textElement('\nPeople there can read every scan that is posted: barcode, answers and names.'),
      ]),
    ],
    { callback_id: 'relay.shared', submit: 'Post anyway', close: 'Cancel', private_metadata: notes },
  );
}
