/** The confirmation before sharing where another organization can or may read: the message with a question. Pure. */
import { context, type Message } from '../../block-kit/elements.js';
import type { Reach } from '../../bolt/channels.js';

const questions: Readonly<Record<Exclude<Reach, 'inside'>, string>> = {
  shared: 'This channel is shared with another organization. People there will see this too.',
  unknown:
    'Scandesk is not in this conversation, so it can’t tell whether people from other organizations are. Everyone in it will see this.',
};

/** Adds the question: the button `share` becomes *Post anyway*, with the action id `agreed`. */
export function withShareQuestion(
  message: Message,
  reach: Exclude<Reach, 'inside'>,
  { share, agreed }: { readonly share: string; readonly agreed: string },
): Message {
  const blocks = message.blocks.flatMap((block) => {
    if (block.type !== 'actions' || !block.elements.some((element) => element.action_id === share)) {
      return [block];
    }
    const elements = block.elements.map((element) =>
      element.type === 'button' && element.action_id === share
        ? { ...element, action_id: agreed, text: { ...element.text, text: 'Post anyway' } }
        : element,
    );
    return [context(`:warning: ${questions[reach]}`), { ...block, elements }];
  });
  return { ...message, blocks };
}
