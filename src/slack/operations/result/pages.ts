/** The pages of a result: stored for 24 hours, so that another page costs no call, and turned by buttons. */

import { recordStore } from '../../../workspaces/record-store.js';
import { message } from '../../block-kit/elements.js';
import { bold, richText, textElement } from '../../block-kit/text.js';
import { SlackError } from '../../bolt/errors.js';
import { noticeView } from '../../bolt/problem/notice.js';
import { action } from '../../bolt/routing/listeners.js';
import { pageMetadata } from '../metadata.js';
import { resultShape } from './result.js';
import { type ResultPage, resultMessage, resultView } from './result-blocks.js';

export const resultRecords = recordStore('result', resultShape);

const gone = 'These results have expired.';
const again = 'Run the search again.';

export const pageTurned = action(['form.before', 'form.next'], {
  role: 'everyone',
  async run({ deps, actor, action, inside, respond }) {
    const { kept: id, page } = pageMetadata.read('value' in action ? action.value : undefined);
    const result = await resultRecords.find(deps, actor.owner, id);
    const shown: ResultPage | undefined = result && {
      result,
      page,
      pageValue: (other) => pageMetadata.write({ kept: id, page: other }),
    };
    if (inside) {
      await inside.show(shown ? resultView(shown) : noticeView('Results expired', gone, [textElement(again)]));
      return;
    }
    if (!respond) {
      throw new SlackError('slack.state', 'page button outside a modal and a message');
    }
    if (shown) {
      await respond(resultMessage(shown), { replace: true });
    } else {
      await respond(message(`${gone} ${again}`, [richText([bold(gone), textElement(` ${again}`)])]));
    }
  },
});
