/** The renderer of interactive elements, by type. An unsupported element shows its type. */
import { el } from '../dom.js';
import { type Json, str } from '../json.js';
import { drawPicture } from '../picture.js';
import { drawButton, drawOverflow } from './buttons.js';
import { drawChoices } from './choices.js';
import type { Place } from './field.js';
import { drawFileInput } from './file.js';
import { drawMoment, isMoment } from './moments.js';
import { drawSelect, isSelect } from './select-kinds.js';
import { drawTextInput } from './texts.js';

export function drawElement(element: Json, place: Place): HTMLElement {
  const type = str(element, 'type') ?? '';
  if (isMoment(type)) return drawMoment(element, place);
  if (isSelect(type)) return drawSelect(element, place);
  switch (type) {
    case 'button':
      return drawButton(element, place);
    case 'overflow':
      return drawOverflow(element, place);
    case 'checkboxes':
    case 'radio_buttons':
      return drawChoices(element, place);
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
      return drawTextInput(element, place);
    case 'file_input':
      return drawFileInput(element, place);
    case 'image':
      return drawPicture(element, 'accessory', place.surface.directory);
    default:
      return el('span', { class: 'cannot', 'data-test': 'cannot-draw' }, `This page can’t show “${type}”.`);
  }
}
