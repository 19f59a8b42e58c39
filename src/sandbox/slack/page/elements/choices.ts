/** Checkboxes and radio buttons, with every option visible. */
import { el, freshId } from '../dom.js';
import type { FieldValue } from '../form-state.js';
import { isRecord, type Json, record, records, str } from '../json.js';
import { drawText } from '../mrkdwn.js';
import { actionId, controlProps, createField, type Place } from './field.js';

const codeOf = (option: Json): string => str(option, 'value') ?? '';

export function drawChoices(element: Json, place: Place): HTMLElement {
  const many = element.type === 'checkboxes';
  const type = many ? 'checkboxes' : 'radio_buttons';
  const options = records(element, 'options');
  const initial: FieldValue = many
    ? { type, selected_options: records(element, 'initial_options') }
    : { type, selected_option: record(element, 'initial_option') ?? null };
  const field = createField(place, element, initial);
  const { id: _, ...props } = controlProps(place, element);
  const name = freshId('choice');
  // Options are compared by value, since an update may change their text.
  let chosenValues = new Set(
    (many ? records(field.value, 'selected_options') : [field.value.selected_option].filter(isRecord)).map(codeOf),
  );
  const inputs: HTMLInputElement[] = [];
  const show = (): void => {
    inputs.forEach((input, index) => {
      input.checked = chosenValues.has(codeOf(options[index] ?? {}));
    });
  };
  const change = async (): Promise<void> => {
    const now = options.filter((_option, index) => inputs[index]?.checked);
    const value: FieldValue = many ? { type, selected_options: now } : { type, selected_option: now[0] ?? null };
    if (await field.change(value)) chosenValues = new Set(now.map(codeOf));
    else show();
  };
  const rows = options.map((option) => {
    const input = el('input', {
      type: many ? 'checkbox' : 'radio',
      name,
      'data-value': codeOf(option),
      onchange: () => void change(),
    });
    input.value = codeOf(option);
    inputs.push(input);
    const description = record(option, 'description');
    return el(
      'label',
      { class: 'choice', 'data-test': 'choice', 'data-value': codeOf(option) },
      input,
      el(
        'span',
        { class: 'choice-text' },
        drawText(record(option, 'text'), place.surface.directory),
        description && el('span', { class: 'option-more' }, drawText(description, place.surface.directory)),
      ),
    );
  });
  show();
  return el(
    'div',
    { class: 'choices', ...props, role: many ? 'group' : 'radiogroup', 'data-action-id': actionId(element) },
    ...rows,
  );
}
