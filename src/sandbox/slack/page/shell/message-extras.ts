/** What a message shows besides its text: legacy attachments, files, reactions. */
import type { ShownMessage } from '../../api.js';
import { blocksIn, drawBlock } from '../blocks/index.js';
import type { Surface } from '../context.js';
import { el } from '../dom.js';
import { emojiFor } from '../emoji.js';
import { isRecord, type Json, str } from '../json.js';
import { drawMrkdwn } from '../mrkdwn.js';
import { fileAddress } from '../picture.js';

function drawAttachment(attachment: Json, surface: Surface): HTMLElement {
  const blocks = blocksIn(attachment.blocks);
  const words = ['pretext', 'title', 'text'].map((name) => str(attachment, name)).filter((text) => text !== undefined);
  const shownTexts = blocks.length > 0 || words.length > 0 ? words : [str(attachment, 'fallback') ?? ''];
  const box = el(
    'div',
    { class: 'attachment' },
    ...shownTexts.map((text) => drawMrkdwn(text, surface.directory)),
    ...blocks.map((block) => drawBlock(block, surface)),
  );
  const color = str(attachment, 'color');
  if (color !== undefined) box.style.borderLeftColor = /^[0-9a-f]{3,6}$/i.test(color) ? `#${color}` : color;
  return box;
}

export function drawExtras(message: ShownMessage, surface: Surface): HTMLElement[] {
  const { directory } = surface;
  const drawn = (message.attachments ?? []).filter(isRecord).map((one) => drawAttachment(one, surface));
  for (const file of message.files ?? []) {
    if (file.deleted) {
      drawn.push(el('p', { class: 'file-deleted', 'data-test': 'file-deleted' }, 'This file was deleted.'));
      continue;
    }
    const address = fileAddress(file.id, directory);
    drawn.push(
      file.mimetype.startsWith('image/')
        ? el('img', { class: 'picture picture-full', src: address, alt: file.name, loading: 'lazy' })
        : el('a', { class: 'file-link', href: address, download: file.name, 'data-test': 'file' }, file.name),
    );
  }
  const reactions = message.reactions ?? [];
  if (reactions.length > 0) {
    drawn.push(
      el(
        'div',
        { class: 'reactions' },
        ...reactions.map((one) =>
          el(
            'span',
            { class: 'reaction', title: `:${one.name}:`, 'data-test': 'reaction', 'data-emoji': one.name },
            `${emojiFor(one.name) ?? `:${one.name}:`} ${one.users.length}`,
          ),
        ),
      ),
    );
  }
  return drawn;
}
