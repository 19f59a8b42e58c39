/** The modal that says one sentence, such as that a change is done, and what can come next. Pure. */
import { type ModalView, modalView } from '../../block-kit/elements.js';
import { bold, type Line, richText } from '../../block-kit/text.js';

export function noticeView(title: string, sentence: string, ...next: readonly Line[]): ModalView {
  return modalView(title, [richText([bold(sentence)], ...next)], { callback_id: 'notice', close: 'Done' });
}
