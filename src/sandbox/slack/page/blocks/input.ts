/** The input block: label, element, hint, and the validation error of a submit. */
import type { Surface } from '../context.js';
import { el, freshId } from '../dom.js';
import { drawElement } from '../elements/index.js';
import { flag, type Json, record, str } from '../json.js';
import { drawText, plainOf } from '../mrkdwn.js';

/** These elements are groups and carry the label themselves; a `<label>` can only name a single control. */
const groups = new Set(['checkboxes', 'radio_buttons']);

export function drawInput(block: Json, surface: Surface, error: string | undefined): HTMLElement {
  const blockId = str(block, 'block_id') ?? '';
  const element = record(block, 'element') ?? {};
  const labelId = freshId('label');
  const controlId = freshId('field');
  const hintId = freshId('hint');
  const errorId = freshId('error');
  const optional = flag(block, 'optional');
  const hint = record(block, 'hint');
  const describedBy = [hint && hintId, error !== undefined && errorId].filter(Boolean).join(' ');
  const label = el(
    groups.has(str(element, 'type') ?? '') ? 'span' : 'label',
    { class: 'label', id: labelId, for: groups.has(str(element, 'type') ?? '') ? undefined : controlId },
    drawText(record(block, 'label'), surface.directory),
    optional
      ? el('span', { class: 'optional' }, '(optional)')
      : el('span', { class: 'required', title: 'Required', 'aria-hidden': 'true' }, '*'),
  );
  return el(
    'div',
    { class: error === undefined ? 'input' : 'input input-wrong' },
    label,
    drawElement(element, {
      surface,
      blockId,
      label: plainOf(record(block, 'label')),
      input: {
        controlId,
        labelId,
        describedBy,
        optional,
        wrong: error !== undefined,
        dispatches: flag(block, 'dispatch_action'),
      },
    }),
    error !== undefined &&
      el('div', { class: 'field-error', id: errorId, 'data-test': 'field-error', role: 'alert' }, error),
    hint && el('div', { class: 'hint', id: hintId }, drawText(hint, surface.directory)),
  );
}
