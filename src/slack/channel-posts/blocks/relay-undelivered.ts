/** The direct message to a relay's creator about undelivered posts: how many, why, what to do. Pure. */

import type { UndeliveredPosts } from '../../../relay/delivery/outbox/undelivered-notices.js';
import type { Relay } from '../../../relay/index.js';
import { type Message, message, type RichTextElement } from '../../block-kit/elements.js';
import { countOf } from '../../block-kit/short-text.js';
import { bold, code, escaped, richText, textElement } from '../../block-kit/text.js';
import { relayName } from '../describe/describe-relay.js';
import { describeReason } from '../describe/describe-state.js';

/** Nobody reads more reasons than these. */
const mostReasons = 5;

export function relayUndelivered(relay: Relay, posts: readonly UndeliveredPosts[]): Message {
  const name = relayName(relay);
  const many = countOf(
    posts.reduce((sum, each) => sum + each.posts, 0),
    'post',
  );
  const reasons = posts
    .slice(0, mostReasons)
    .map((each): RichTextElement[] => [textElement(`${countOf(each.posts, 'post')}: ${describeReason(each.code)}`)]);
  return message(`⚠️ ${escaped(name)}: ${many} not delivered`, [
    richText(
      [bold(`⚠️ ${name}`), textElement(`: ${many} could not be delivered.`)],
      ...reasons,
      ...(posts.length > mostReasons ? [[textElement('and other reasons')]] : []),
      [
        textElement('The scans are stored. When the problem is fixed, open the relay in '),
        code('/scandesk relay'),
        textElement(' and press Retry.'),
      ],
    ),
  ]);
}
