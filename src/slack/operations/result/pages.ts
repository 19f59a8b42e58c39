/** The pages of a result: they are stored for 24 hours, so that another page costs no call; buttons turn them. */
import { recordStore } from '../../../workspaces/record-store.js';
import { bold, textMessage } from '../../block-kit/text.js';
import { noticeView } from '../../bolt/problem/notice.js';
import { action } from '../../bolt/routing/listeners.js';
import { resultShape } from './result.js';
import { pageData, type ResultPage, resultMessage, resultView } from './result-blocks.js';

export const resultRecords = recordStore('result', resultShape);

const title = 'These results have expired.';
const todo = 'Run the search again.';

export const pageTurned = action(['form.before', 'form.next'], {
  role: 'everyone',
  data: pageData,
  async run({ deps, actor, data: { kept: stored, page }, inside, respond }) {
    const result = await resultRecords.find(deps, actor.owner, stored);
    const shownPage: ResultPage | undefined = result && { result, page, stored };
    if (inside) {
      await inside.show(shownPage ? resultView(shownPage) : noticeView('Results expired', title, todo));
    } else if (shownPage) {
      await respond(resultMessage(shownPage), { replace: true });
    } else {
      await respond(textMessage([bold(title), ` ${todo}`]));
    }
  },
});
