/** The modal that asks before posting where people of another organization can read. Pure. */
import { type ModalView, modalView } from '../../block-kit/elements.js';
import { bold, channelElement, richText } from '../../block-kit/text.js';

export const sharedTitle = 'Shared channel';

/** @param whatTheyRead what people there can read, as a sentence */
export function sharedView(
  channel: string,
  whatTheyRead: string,
  view: Required<Pick<ModalView, 'callback_id' | 'private_metadata'>>,
): ModalView {
  const blocks = [richText([channelElement(channel), bold(' is shared with another organization.')], whatTheyRead)];
  return modalView(sharedTitle, blocks, { ...view, submit: 'Post anyway', close: 'Cancel' });
}
