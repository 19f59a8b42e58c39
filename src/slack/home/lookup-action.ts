/** App Home's lookup field, on Enter or *Look up*: the answer opens in a modal. */
import { noticeView } from '../bolt/problem/notice.js';
import { action } from '../bolt/routing/listeners.js';
import { formStateIn } from '../forms/view-state.js';
import { answerTo } from '../lookup/form/answer.js';
import { lookupTitle } from '../lookup/form/answer-view.js';
import { lookupField } from './sections/lookup.js';

export const homeLookup = action([lookupField, `${lookupField}.button`], {
  role: 'everyone',
  modalTitle: lookupTitle,
  async run(context) {
    const { view } = context.body;
    const typedText = view ? formStateIn(view).text(lookupField) : '';
    if (typedText.trim() === '') {
      await context.modal.show(noticeView(lookupTitle, 'Enter a barcode in the field first.'));
      return;
    }
    await context.modal.fill(lookupTitle, () => answerTo(context, typedText, {}));
  },
});
