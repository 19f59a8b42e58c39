/**
 * The combobox behind every select: type to search, arrows and Enter to choose, Escape to close; one choice, or several
 * as chips. This file knows groups of options, not Slack's kinds of selects.
 */
import { el, freshId, pushButton } from '../dom.js';
import { createPopup } from './popup.js';

export interface Choice {
  readonly value: string;
  readonly words: string;
  /** Draws the choice's entry in the list. */
  draw(): Node;
}

export interface ChoiceGroup {
  readonly label?: string;
  readonly choices: readonly Choice[];
}

export interface ComboboxOptions {
  readonly many: boolean;
  readonly most?: number;
  readonly placeholder: string;
  readonly clearable: boolean;
  readonly props: Record<string, unknown>;
  readonly initial: readonly Choice[];
  /** The options for the typed text, or a message to show instead of a list. */
  find(typed: string): Promise<readonly ChoiceGroup[] | string>;
  /** Called with a new choice. False: the person declined the confirmation, and the previous choice stays. */
  changed(chosen: readonly Choice[]): Promise<boolean>;
}

export function drawCombobox(options: ComboboxOptions): HTMLElement {
  const listId = freshId('list');
  let chosenChoices: readonly Choice[] = options.initial;
  let offered: { readonly choice: Choice; readonly row: HTMLElement }[] = [];
  let active = -1;
  let asked = 0;
  let typing = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const control = el('input', {
    ...options.props,
    type: 'text',
    class: 'select-control',
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-controls': listId,
    'aria-expanded': 'false',
    autocomplete: 'off',
    spellcheck: 'false',
    size: '1',
    oninput: () => {
      typing = true;
      popup.open();
      clearTimeout(timer);
      timer = setTimeout(() => void offer(), 120);
    },
    onclick: () => open(),
    onblur: () => {
      popup.close();
      settle();
    },
    onkeydown: (event: KeyboardEvent) => key(event),
  });
  const clear = pushButton(
    {
      class: 'select-clear',
      tabindex: '-1',
      'aria-label': 'Clear',
      onmousedown: (event: Event) => event.preventDefault(),
      onclick: () => void choose([]),
    },
    '×',
  );
  const box = el(
    'div',
    {
      class: options.many ? 'select select-many' : 'select',
      onmousedown: (event: Event) => {
        if (event.target !== box) return;
        event.preventDefault();
        control.focus();
        open();
      },
    },
    control,
    clear,
    el('span', { class: 'select-arrow', 'aria-hidden': 'true' }),
  );
  const popup = createPopup(box, { class: 'options', id: listId, role: 'listbox' }, () => {
    control.setAttribute('aria-expanded', 'false');
    control.removeAttribute('aria-activedescendant');
    popup.box.replaceChildren();
  });
  popup.box.addEventListener('mousedown', (event) => event.preventDefault());

  const settle = (): void => {
    typing = false;
    control.value = options.many ? '' : (chosenChoices[0]?.words ?? '');
    control.placeholder = options.many && chosenChoices.length > 0 ? '' : options.placeholder;
    clear.hidden = options.many || !options.clearable || chosenChoices.length === 0;
    for (const chip of box.querySelectorAll('.chip')) chip.remove();
    if (!options.many) return;
    for (const choice of chosenChoices) {
      const off = pushButton(
        {
          class: 'chip-off',
          'aria-label': `Remove ${choice.words}`,
          onmousedown: (event: Event) => event.preventDefault(),
          onclick: () => void choose(chosenChoices.filter((other) => other.value !== choice.value)),
        },
        '×',
      );
      control.before(el('span', { class: 'chip', 'data-test': 'chip', 'data-value': choice.value }, choice.words, off));
    }
  };

  const choose = async (next: readonly Choice[]): Promise<void> => {
    const before = chosenChoices;
    chosenChoices = next;
    settle();
    if (!options.many) popup.close();
    if (!(await options.changed(next))) {
      chosenChoices = before;
      settle();
    }
    if (popup.isOpen) await offer();
  };

  const pick = (choice: Choice): void => {
    if (!options.many) void choose([choice]);
    else if (chosenChoices.some((one) => one.value === choice.value)) {
      void choose(chosenChoices.filter((one) => one.value !== choice.value));
    } else if (options.most === undefined || chosenChoices.length < options.most)
      void choose([...chosenChoices, choice]);
  };

  const point = (to: number): void => {
    active = to;
    offered.forEach(({ row }, index) => {
      row.classList.toggle('option-active', index === to);
      if (index === to) {
        control.setAttribute('aria-activedescendant', row.id);
        row.scrollIntoView({ block: 'nearest' });
      }
    });
  };

  const say = (words: string): void => {
    offered = [];
    popup.box.replaceChildren(el('div', { class: 'option-note', role: 'status' }, words));
    popup.place();
  };

  const offer = async (): Promise<void> => {
    asked += 1;
    const mine = asked;
    const answer = await options.find(typing ? control.value : '');
    if (mine !== asked || !popup.isOpen) return;
    if (typeof answer === 'string') {
      say(answer);
      return;
    }
    const full = options.many && options.most !== undefined && chosenChoices.length >= options.most;
    offered = [];
    const rows: HTMLElement[] = [];
    for (const group of answer) {
      if (group.choices.length === 0) continue;
      if (group.label !== undefined) rows.push(el('div', { class: 'option-group', role: 'presentation' }, group.label));
      for (const choice of group.choices) {
        const selected = chosenChoices.some((one) => one.value === choice.value);
        const row = el(
          'div',
          {
            class: 'option',
            role: 'option',
            id: freshId('option'),
            'aria-selected': String(selected),
            'aria-disabled': full && !selected ? 'true' : undefined,
            'data-test': 'option',
            'data-value': choice.value,
            onclick: () => pick(choice),
          },
          choice.draw(),
        );
        offered.push({ choice, row });
        rows.push(row);
      }
    }
    if (rows.length === 0) {
      say('No results.');
      return;
    }
    if (full) rows.push(el('div', { class: 'option-note' }, `You can choose up to ${options.most}.`));
    popup.box.replaceChildren(...rows);
    popup.place();
    const current = offered.findIndex(({ row }) => row.getAttribute('aria-selected') === 'true');
    point(typing || options.many ? 0 : Math.max(0, current));
  };

  const open = (): void => {
    if (popup.isOpen) return;
    typing = false;
    if (!options.many) control.select();
    popup.open();
    control.setAttribute('aria-expanded', 'true');
    say('Loading…');
    void offer();
  };

  const key = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!popup.isOpen) open();
      else if (offered.length > 0)
        point((active + (event.key === 'ArrowDown' ? 1 : -1) + offered.length) % offered.length);
    } else if (event.key === 'Enter') {
      // An open list handles Enter; only a closed one lets it submit the form.
      if (!popup.isOpen) return;
      event.preventDefault();
      const choice = offered[active]?.choice;
      if (choice) pick(choice);
    } else if (event.key === 'Escape') {
      if (!popup.isOpen) return;
      event.preventDefault();
      event.stopPropagation();
      popup.close();
      settle();
    } else if (event.key === 'Backspace' && options.many && control.value === '' && chosenChoices.length > 0) {
      void choose(chosenChoices.slice(0, -1));
    }
  };

  settle();
  return el('div', { class: 'select-box' }, box, popup.box);
}
