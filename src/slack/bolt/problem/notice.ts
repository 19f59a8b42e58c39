/** The modal that says a change is done, and what can come next. Pure. */
import { type Block, type ModalView, modalView, type RichTextElement } from '../../block-kit/elements.js';
import { bold, richText } from '../../block-kit/text.js';

export function noticeView(
  title: string,
  what: string,
  next: readonly RichTextElement[] = [],
  more: readonly Block[] = [],
): ModalView {
  const lines = next.length > 0 ? [[bold(what)], next] : [[bold(what)]];
  return modalView(title, [richText(...lines), ...more], { callback_id: 'notice', close: 'Done' });
}
