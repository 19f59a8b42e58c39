/** The loading and saving views. */

import { type Message, type ModalView, message, modalView, section } from '../../block-kit/elements.js';
import { richText, textElement } from '../../block-kit/text.js';

export function loadingView(title: string, text = 'One moment…'): ModalView {
  return modalView(title, [section(`:hourglass_flowing_sand:  ${text}`)], { callback_id: 'loading' });
}

/** For a slow answer without a modal. */
export function waitingMessage(): Message {
  const line = 'One moment… This is taking longer than usual. The answer will appear here.';
  return message(line, [richText([textElement(line)])]);
}

/** Acknowledges a submission: nothing can be entered while it is worked on. */
export function savingView(title: string, text = 'Saving…'): ModalView {
  return loadingView(title, text);
}
