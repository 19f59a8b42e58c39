/** The page buttons of a result, in its modal or its message. */

import { message } from '../../block-kit/elements.js';
import { bold, richText, textElement } from '../../block-kit/text.js';
import { SlackError } from '../../bolt/errors.js';
import { noticeView } from '../../bolt/problem/notice.js';
import { action } from '../../bolt/routing/listeners.js';
import { pageNotes } from '../metadata.js';
import { findResult } from './record-store.js';
import { type ResultPage, resultMessage, resultView } from './result-blocks.js';

const gone = 'These results have expired.';
const again = 'Run the search again.';

export const pageTurned = action(['form.before', 'form.next'], {
  role: 'everyone',
  async run({ deps, actor, action, inside, respond }) {
    const { kept, page } = pageNotes.read('value' in action ? action.value : undefined);
    const result = await findResult(deps, actor.owner, kept);
    const shown: ResultPage | undefined = result && {
      result,
      page,
      pageValue: (other) => pageNotes.write({ kept, page: other }),
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
