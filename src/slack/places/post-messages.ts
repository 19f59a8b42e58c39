/** How the posts of lists are drawn, with the names of their gates and users. */

import type { Clock } from '../../clock.js';
import { ownerNames } from '../../codereadr/names.js';
import type { PlacesNotice, PlacesPost } from '../../places/index.js';
import type { Message } from '../block-kit/elements.js';
import { type HolderDeps, holderNames } from '../lent/holders.js';
import { overdueMessage, returnedMessage } from '../lent/overdue-message.js';
import { alertUndelivered, boardLost, doubleMessage, thresholdMessage } from './alert-messages.js';
import { boardMessage } from './board-message.js';
import { gateNames } from './gates.js';

/** `message`: undefined where it is to be deleted. `plain`: in words, where Slack may not take a table or chart. */
type Drawn = { readonly message: Message | undefined; readonly plain?: Message };

export function createPlacesMessages(deps: HolderDeps & { readonly clock: Clock }) {
  const draw = async (post: PlacesPost): Promise<Drawn> => {
    switch (post.kind) {
      case 'board': {
        const { shows } = post;
        if (shows === 'gone') {
          return { message: undefined };
        }
        const [nameOf, now] = [await gateNames(deps, post.owner), deps.clock.now()];
        return {
          message: boardMessage(shows, nameOf, { rich: true, now }),
          plain: boardMessage(shows, nameOf, { rich: false, now }),
        };
      }
      case 'overdue': {
        const names = await holderNames(deps, post.owner);
        const [holder, member] = [names.holder(post), names.member(post)?.id];
        return { message: overdueMessage(post, { holder, member, gate: names.gate(post.place?.gate ?? '') }) };
      }
      case 'threshold':
        return { message: thresholdMessage(post) };
      case 'double': {
        const nameOf = await ownerNames(deps, post.owner, (names) => names.findNames(['users', 'devices']));
        return { message: doubleMessage(post, nameOf) };
      }
    }
  };

  return {
    draw,
    async notice(notice: PlacesNotice): Promise<Message> {
      if (notice.what === 'returned') {
        return returnedMessage(notice);
      }
      if (notice.what === 'board_lost') {
        return boardLost(notice);
      }
      const { message } = await draw(notice.post);
      return alertUndelivered(notice.post.channel, message!);
    },
  };
}
