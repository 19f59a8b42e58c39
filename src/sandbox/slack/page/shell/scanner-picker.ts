/** A labeled select; the choice stays while the list still has it. */
import { el, fill, freshId } from '../dom.js';

export function picker(
  label: string,
  test: string,
  onchange: () => void,
): { row: HTMLElement; select: HTMLSelectElement } {
  const id = freshId('pick');
  const select = el('select', { id, class: 'box', 'data-test': test, onchange });
  return { select, row: el('div', { class: 'scanner-row' }, el('label', { for: id }, label), select) };
}

export function setChoices(
  select: HTMLSelectElement,
  items: readonly { readonly id: string; readonly name: string }[],
): void {
  const before = select.value;
  const same =
    select.options.length === items.length &&
    items.every((item, index) => select.options[index]?.value === item.id && select.options[index]?.text === item.name);
  if (same) return;
  fill(select, ...items.map((item) => el('option', { value: item.id }, item.name)));
  if (items.some((item) => item.id === before)) select.value = before;
}
