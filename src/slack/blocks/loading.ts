/**
 * Owns the views that stand while something is being fetched or kept.
 */
import { callbackIds } from '../ids.js';
import { type ModalView, modal, section } from './kit.js';

export function loadingView(title: string, text = 'One moment…'): ModalView {
  return modal(title, [section(`:hourglass_flowing_sand:  ${text}`)], { callback_id: callbackIds.loading });
}

/** What a submission is acknowledged with: nothing more can be entered while it is worked on. */
export function savingView(title: string, text = 'Saving…'): ModalView {
  return loadingView(title, text);
}
