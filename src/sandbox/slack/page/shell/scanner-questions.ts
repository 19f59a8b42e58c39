/** The questions that a device asks before or after a scan, and which required ones are unanswered. */
import { el, fill, freshId } from '../dom.js';

export interface Question {
  readonly id: string;
  readonly text: string;
  readonly type: string;
  readonly options: readonly string[];
  readonly required?: boolean;
}

interface Field {
  readonly question: Question;
  readonly node: HTMLElement;
  readonly focus: HTMLElement | undefined;
  /** The posted value: several answers are joined by `|^|`; empty if there is none. */
  answer(): string;
}

export interface Questions {
  readonly node: HTMLElement;
  show(questions: readonly Question[]): void;
  /** Answers by question id. Undefined if a required one is missing: its question then gets the focus. */
  answers(): Readonly<Record<string, string>> | undefined;
}

function drawField(question: Question): Field {
  const { id, type, options } = question;
  const controlId = freshId('question');
  const props = { id: controlId, class: 'box', 'data-test': 'scanner-answer', 'data-question': id };
  const words = [question.text, question.required && el('span', { class: 'required' }, ' *')];
  const labelled = (control: HTMLElement): HTMLElement =>
    el('div', { class: 'scanner-row' }, el('label', { for: controlId }, ...words), control);
  if (type === 'checkbox') {
    const boxes = options.map((option) => {
      const box = el('input', { type: 'checkbox', 'data-test': 'scanner-answer', 'data-question': id });
      box.value = option;
      return box;
    });
    return {
      question,
      node: el(
        'fieldset',
        { class: 'scanner-row' },
        el('legend', {}, ...words),
        ...boxes.map((box) => el('label', { class: 'choice' }, box, el('span', {}, box.value))),
      ),
      focus: boxes[0],
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
    return { question, node: labelled(select), focus: select, answer: () => select.value };
  }
  const input = el('input', {
    ...props,
    type: 'text',
    inputmode: type === 'manualnumeric' ? 'decimal' : undefined,
    placeholder: type === 'gps' ? 'latitude, longitude' : undefined,
    autocomplete: 'off',
  });
  return { question, node: labelled(input), focus: input, answer: () => input.value };
}

export function createQuestions(): Questions {
  const note = el('div', { class: 'field-error', role: 'alert' });
  const node = el('div', { class: 'questions' });
  let fields: readonly Field[] = [];
  return {
    node,
    show(questions) {
      fields = questions.map(drawField);
      note.textContent = '';
      if (fields.length > 0) fill(node, ...fields.map((field) => field.node), note);
      else fill(node);
    },
    answers() {
      const missing = fields.find((field) => field.question.required && field.answer() === '');
      note.textContent = missing ? `Answer this question: ${missing.question.text}` : '';
      if (missing) {
        missing.focus?.focus();
        return undefined;
      }
      return Object.fromEntries(
        fields.map((field) => [field.question.id, field.answer()]).filter(([, answer]) => answer !== ''),
      );
    },
  };
}
