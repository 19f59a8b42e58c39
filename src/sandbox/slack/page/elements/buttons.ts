/** Buttons and overflow menus: elements that are clicked and have no value. */
import { el, pushButton, safeUrl } from '../dom.js';
import { type Json, record, records, str } from '../json.js';
import { drawText, plainOf } from '../mrkdwn.js';
import { actionId, type Place } from './field.js';
import { createPopup } from './popup.js';

/** Confirms a click if the app asks for it, and shows the button as busy until the app has acknowledged. */
async function click(place: Place, element: Json, button: HTMLElement, action: Json): Promise<void> {
  if (button.getAttribute('aria-busy') === 'true') return;
  const question = record(element, 'confirm');
  if (question && !(await place.surface.confirm(question))) return;
  button.setAttribute('aria-busy', 'true');
  try {
    await place.surface.act(place.blockId, actionId(element), action);
  } finally {
    button.removeAttribute('aria-busy');
  }
}

export function drawButton(element: Json, place: Place): HTMLElement {
  const style = element.style === 'primary' || element.style === 'danger' ? ` button-${element.style}` : '';
  const url = str(element, 'url');
  const href = url === undefined ? undefined : safeUrl(url);
  const value = str(element, 'value');
  const action = { type: 'button', ...(value === undefined ? {} : { value }) };
  const props = {
    class: `button${style}`,
    'data-action-id': actionId(element),
    'aria-label': str(element, 'accessibility_label'),
    onclick: () => void click(place, element, button, action),
  };
  const text = drawText(record(element, 'text'), place.surface.directory);
  const button: HTMLElement =
    href === undefined
      ? pushButton({ ...props }, text)
      : el('a', { href, target: '_blank', rel: 'noopener noreferrer', ...props }, text);
  return button;
}

export function drawOverflow(element: Json, place: Place): HTMLElement {
  const options = records(element, 'options');
  const button = pushButton(
    {
      class: 'button button-overflow',
      'data-action-id': actionId(element),
      'aria-label': place.label === '' ? 'More actions' : `More actions: ${place.label}`,
      'aria-haspopup': 'menu',
      'aria-expanded': 'false',
      onclick: () => (popup.isOpen ? popup.close() : open()),
    },
    '⋯',
  );
  const popup = createPopup(button, { class: 'options menu', role: 'menu' }, () => {
    button.setAttribute('aria-expanded', 'false');
    popup.box.replaceChildren();
  });
  const items = options.map((option) => {
    const props = {
      class: 'option',
      role: 'menuitem',
      tabindex: '-1',
      'data-test': 'option',
      'data-value': str(option, 'value') ?? '',
      onclick: () => {
        popup.close();
        button.focus();
        void click(place, element, button, { type: 'overflow', selected_option: option });
      },
    };
    const text = drawText(record(option, 'text'), place.surface.directory);
    const description = record(option, 'description');
    const descriptionElement =
      description && el('div', { class: 'option-more' }, ...[drawText(description, place.surface.directory)]);
    const href = safeUrl(str(option, 'url') ?? '');
    return href === undefined
      ? pushButton({ ...props }, text, descriptionElement)
      : el('a', { href, target: '_blank', rel: 'noopener noreferrer', ...props }, text, descriptionElement);
  });
  const open = (): void => {
    popup.box.replaceChildren(...items);
    popup.open();
    button.setAttribute('aria-expanded', 'true');
    items[0]?.focus();
  };
  popup.box.addEventListener('keydown', (event) => {
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) items[(at + step + items.length) % items.length]?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') {
      popup.close();
      button.focus();
    } else return;
    if (event.key !== 'Tab') event.preventDefault();
    event.stopPropagation();
  });
  return el(
    'div',
    { class: 'overflow', title: plainOf(record(element, 'placeholder')) || undefined },
    button,
    popup.box,
  );
}
