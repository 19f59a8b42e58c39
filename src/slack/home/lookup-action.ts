/** App Home's lookup field, on Enter or *Look up*, and *Search scans*: the answer and the form open in a modal. */
import { noticeView } from '../bolt/problem/notice.js';
import { action, opener } from '../bolt/routing/listeners.js';
import { formStateIn } from '../forms/view-state.js';
import { answerTo } from '../lookup/form/answer.js';
import { lookupTitle } from '../lookup/form/answer-view.js';
import { searchModal } from '../scans/load-search-form.js';
import { searchTitle } from '../scans/search-form.js';
import { lookupField, searchButton } from './sections/lookup.js';

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

export const homeSearch = opener(searchButton, {
  role: 'everyone',
  modalTitle: searchTitle,
  view: (context) => searchModal(context, { when: 'today' }),
});
