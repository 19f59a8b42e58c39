/** Handler for *Acknowledge* on a relay's post. The first person to click is shown on the post, for everyone. */

import { RelayError } from '../../relay/index.js';
import { message } from '../block-kit/elements.js';
import { momentAfter, person, richText, textElement } from '../block-kit/text.js';
import { record } from '../bolt/audit.js';
import { action } from '../bolt/routing/listeners.js';
import { postData } from './blocks/post-actions.js';

/** The post of a relay that Scandesk paused cannot be updated, so the person needs another response. */
const acknowledgedWhilePaused =
  'You acknowledged it. The relay is paused, so the post shows this once the relay is resumed with /scandesk relay.';

export const postAcknowledge = action('post.acknowledge', {
  role: 'everyone',
  data: postData,
  async run(context) {
    const { deps, actor, postPrivately } = context;
    const { post } = context.data;
    const found = await deps.relays.postActions.acknowledge(actor.owner, post, actor.userId);
    if (!found) {
      throw new RelayError('relay.no_such_relay', `unknown post: ${post}`);
    }
    if (found.first) {
      const { relay, scan } = (await deps.relays.postActions.find(actor.owner, post)) ?? {};
      const about = { ...(relay ? { relay: relay.id } : {}), ...(scan ? { value: scan.tid } : {}) };
      await record(context, { what: 'relay/acknowledge', detail: { post, ...about } });
      if (relay?.paused && relay.paused.why !== 'person') {
        await postPrivately(message(acknowledgedWhilePaused, [richText([textElement(acknowledgedWhilePaused)])]));
      }
    } else if (found.by !== actor.userId) {
      await postPrivately(
        message('Already acknowledged.', [
          richText([
            person(found.by),
            textElement(' already acknowledged it'),
            momentAfter(', ', found.at),
            textElement('.'),
          ]),
        ]),
      );
    }
  },
});
