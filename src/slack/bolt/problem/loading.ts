/** The loading and saving views. */
import { type ModalView, modalView, section } from '../../block-kit/elements.js';

export function loadingView(title: string, text = 'One moment…'): ModalView {
  return modalView(title, [section(`:hourglass_flowing_sand:  ${text}`)], { callback_id: 'loading' });
}

/** The view that acknowledges a submission: nothing can be entered while Scandesk works on it. */
export function savingView(title: string, text = 'Saving…'): ModalView {
  return loadingView(title, text);
}
