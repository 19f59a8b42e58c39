/** Owns turning the pages of an answer, in its window or in place of the message it stands in. */
import { message } from '../blocks/kit.js';
import { noticeView } from '../blocks/notice.js';
import { bold, richText, textElement } from '../blocks/text.js';
import type { ActionContext, Handler } from '../context.js';
import { SlackRoomError } from '../errors.js';
import { findResult } from './kept-results.js';
import { pageNotes } from './notes.js';
import { type ResultPage, resultMessage, resultView } from './result-blocks.js';

const gone = 'This list is too old to be turned.';
const again = 'Ask for it again.';

export const pageTurned: Handler<ActionContext> = {
  who: 'everyone',
  async run({ deps, asker, action, inside, respond }) {
    const { kept, page } = pageNotes.read('value' in action ? action.value : undefined);
    const result = await findResult(deps, asker.owner, kept);
    const shown: ResultPage | undefined = result && {
      result,
      page,
      pageValue: (other) => pageNotes.write({ kept, page: other }),
    };
    if (inside) {
      await inside.show(shown ? resultView(shown) : noticeView('Too old', gone, [textElement(again)]));
      return;
    }
    if (!respond) {
      throw new SlackRoomError('slack.state', 'a page was turned outside a window and a message');
    }
    if (shown) {
      await respond(resultMessage(shown), { replace: true });
    } else {
      await respond(message(`${gone} ${again}`, [richText([bold(gone), textElement(` ${again}`)])]));
    }
  },
};
