/** The blocks that lay out text, images and elements: header, section, divider, context, actions, image, alert. */
import type { Surface } from '../context.js';
import { el } from '../dom.js';
import { drawElement } from '../elements/index.js';
import { isRecord, type Json, record, records, str } from '../json.js';
import { drawText, plainOf } from '../mrkdwn.js';
import { drawPicture } from '../picture.js';

export function drawHeader(block: Json, surface: Surface): HTMLElement {
  const text = drawText(record(block, 'text'), surface.directory);
  text.setAttribute('role', 'heading');
  text.setAttribute('aria-level', '3');
  return text;
}

export function drawSection(block: Json, surface: Surface): HTMLElement {
  const blockId = str(block, 'block_id') ?? '';
  const body = el('div', { class: 'section-body' });
  const text = record(block, 'text');
  if (text) body.append(drawText(text, surface.directory));
  const fields = records(block, 'fields');
  if (fields.length > 0) {
    body.append(el('div', { class: 'fields' }, ...fields.map((field) => drawText(field, surface.directory))));
  }
  const accessory = record(block, 'accessory');
  if (!accessory) return body;
  if (accessory.type === 'image')
    return el('div', { class: 'section' }, body, drawPicture(accessory, 'accessory', surface.directory));
  const wide = accessory.type === 'checkboxes' || accessory.type === 'radio_buttons';
  const label = plainOf(text);
  return el(
    'div',
    { class: wide ? 'section section-stacked' : 'section' },
    body,
    el('div', { class: 'accessory' }, drawElement(accessory, { surface, blockId, label })),
  );
}

export function drawContext(block: Json, surface: Surface): HTMLElement {
  const box = el('div', { class: 'context' });
  for (const element of records(block, 'elements')) {
    box.append(
      element.type === 'image'
        ? drawPicture(element, 'small', surface.directory)
        : drawText(element, surface.directory),
    );
  }
  return box;
}

export function drawActions(block: Json, surface: Surface): HTMLElement {
  const blockId = str(block, 'block_id') ?? '';
  return el(
    'div',
    { class: 'actions' },
    ...records(block, 'elements').map((element) => drawElement(element, { surface, blockId, label: '' })),
  );
}

export function drawImage(block: Json, surface: Surface): HTMLElement {
  const title = block.title;
  const figure = el('figure', { class: 'image' });
  if (isRecord(title)) figure.append(el('figcaption', {}, drawText(title, surface.directory)));
  figure.append(drawPicture(block, 'full', surface.directory));
  return figure;
}

export function drawAlert(block: Json, surface: Surface): HTMLElement {
  const level = str(block, 'level') ?? 'default';
  const known = ['info', 'warning', 'error', 'success'].includes(level) ? level : 'default';
  return el(
    'div',
    { class: `alert alert-${known}`, role: known === 'error' || known === 'warning' ? 'alert' : 'note' },
    drawText(record(block, 'text'), surface.directory),
  );
}
