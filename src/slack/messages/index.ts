/** The messages feature: lookups of the barcodes in a message, from its menu, by a mention or by a direct message. */

import { textMessage } from '../block-kit/text.js';
import type { ConversationContext } from '../bolt/routing/context.js';
import type { Feature } from '../bolt/routing/feature.js';
import { conversation, messageShortcut } from '../bolt/routing/listeners.js';
import { helpMessage } from '../help/help-view.js';
import { noThread } from '../lookup/card/card.js';
import { answerAddressed, answerMessage } from './answer.js';
import { picturesOf } from './read-pictures.js';
import { isGreeting, typedText, withoutQuoteMarks } from './typed-text.js';

const lookUpInMessage = messageShortcut('message.lookup', {
  role: 'everyone',
  run: (context) =>
    answerMessage(context, {
      text: typedText(context.message.text ?? ''),
      thread: context.message.thread_ts ?? context.message.ts,
    }),
});

const mention = conversation('app_mention', {
  role: 'everyone',
  run: (context) => answer(context, context.message.thread_ts ?? context.message.ts),
});

const directMessage = conversation('message.im', { role: 'everyone', run: (context) => answer(context, noThread) });

const greetingLine =
  'Happy to help. Send me a barcode or a photo of one, and I’ll look it up. Type “help” to see what else I can do.';

async function answer(context: ConversationContext, thread: string): Promise<void> {
  const text = withoutQuoteMarks(typedText(context.message.text ?? '').trim()).trim();
  const isHelp = text === '' || text.toLowerCase() === 'help';
  if (isHelp && picturesOf(context.message.files).length === 0) {
    const { deps, client, actor, respond } = context;
    await respond(helpMessage(await deps.permissions.highestRole(client, actor)));
    return;
  }
  if (isGreeting(text) && picturesOf(context.message.files).length === 0) {
    await context.respond(textMessage(greetingLine));
    return;
  }
  await answerAddressed(context, { text, thread });
}

export const messages: Feature = { listeners: [lookUpInMessage, mention, directMessage] };
