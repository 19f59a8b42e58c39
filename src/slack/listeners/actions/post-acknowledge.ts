/** Owns *Acknowledge* on a relay's post: the first who presses it is shown on the post, for everybody. */
import { RelayError } from '../../../relay/index.js';
import { carriedBy } from '../../attention.js';
import { record } from '../../audit.js';
import { message } from '../../blocks/kit.js';
import { momentElement, person, richText, textElement } from '../../blocks/text.js';
import type { ActionContext, Handler } from '../../context.js';
import { postNotes } from '../../post-ids.js';

export const postAcknowledge: Handler<ActionContext> = {
  who: 'everyone',
  async run(context) {
    const { deps, asker, action, tell } = context;
    const { post } = postNotes.read(carriedBy(action));
    const found = await deps.relays.posted.acknowledge(asker.owner, post, asker.userId);
    if (!found) {
      throw new RelayError('relay.no_such_relay', 'the post is not there any more');
    }
    if (found.first) {
      await record(context, { what: 'relay/acknowledge', detail: { post } });
    } else if (found.by !== asker.userId) {
      await tell(
        message('Somebody was quicker.', [
          richText([
            person(found.by),
            textElement(' acknowledged it already, '),
            momentElement(found.at),
            textElement('.'),
          ]),
        ]),
      );
    }
  },
};
