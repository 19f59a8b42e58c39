/** The modal that says a change is done, and what can come next. Pure. */
import { type Block, type ModalView, modalView, type RichTextElement } from '../../block-kit/elements.js';
import { bold, richText } from '../../block-kit/text.js';

export function noticeView(
  title: string,
  problemText: string,
  next: readonly RichTextElement[] = [],
  moreBlocks: readonly Block[] = [],
): ModalView {
  const lines = next.length > 0 ? [[bold(problemText)], next] : [[bold(problemText)]];
  return modalView(title, [richText(...lines), ...moreBlocks], { callback_id: 'notice', close: 'Done' });
}
