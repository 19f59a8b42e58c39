/** Draws a service's question as the device asks it. */
import type { ScannerState } from '../../../account/api.js';
import { el, freshId } from '../dom.js';

type Question = ScannerState['services'][number]['questions'][number];

export interface QuestionField {
  readonly id: string;
  readonly node: HTMLElement;
  /** As it is posted: several answers in one are separated by `|^|`; empty when there is none. */
  answer(): string;
}

export function drawQuestion(question: Question): QuestionField {
  const { id, type, options } = question;
  const controlId = freshId('question');
  const props = { id: controlId, class: 'box', 'data-test': 'scanner-answer', 'data-question': id };
  const labelled = (control: HTMLElement): HTMLElement =>
    el('div', { class: 'scanner-row' }, el('label', { for: controlId }, question.text), control);
  if (type === 'checkbox') {
    const boxes = options.map((option) => {
      const box = el('input', { type: 'checkbox', 'data-test': 'scanner-answer', 'data-question': id });
      box.value = option;
      return box;
    });
    return {
      id,
      node: el(
        'fieldset',
        { class: 'scanner-row' },
        el('legend', {}, question.text),
        ...boxes.map((box) => el('label', { class: 'choice' }, box, el('span', {}, box.value))),
      ),
      answer: () =>
        boxes
          .filter((box) => box.checked)
          .map((box) => box.value)
          .join('|^|'),
    };
  }
  if (options.length > 0) {
    const select = el(
      'select',
      props,
      el('option', { value: '' }, '(no answer)'),
      ...options.map((option) => el('option', { value: option }, option)),
    );
    return { id, node: labelled(select), answer: () => select.value };
  }
  const input = el('input', {
    ...props,
    type: 'text',
    inputmode: type === 'manualnumeric' ? 'decimal' : undefined,
    placeholder: type === 'gps' ? 'latitude, longitude' : undefined,
    autocomplete: 'off',
  });
  return { id, node: labelled(input), answer: () => input.value };
}
