/**
 * The message composer, with a list of commands once the text begins with a slash. Enter sends, Shift+Enter starts a
 * new line; a text that could not be sent comes back.
 */
import type { WorkspaceState } from '../../api.js';
import { el, fill, freshId, pushButton } from '../dom.js';
import type { Notice } from './notice.js';

export interface ComposerActions {
  /** Sends the text and files. False: it was not sent, and the text comes back to the box. */
  send(text: string, files: readonly File[]): Promise<boolean>;
  /** Runs a shortcut; absent where there are none, as in a thread. */
  shortcut?(callbackId: string): void;
}

export interface Composer {
  readonly node: HTMLElement;
  show(state: WorkspaceState, placeholder: string): void;
  focus(): void;
  /** Puts a text in the box for the person to review and send. */
  write(text: string): void;
  /** Closes the composer, and says why the person cannot post; undefined opens it again. */
  close(why: string | undefined): void;
}

/** Creates a composer. `prefix`: the start of the names by which tests find its controls. */
export function createComposer(prefix: '' | 'thread-', notice: Notice, actions: ComposerActions): Composer {
  const listId = freshId('commands');
  let commands: WorkspaceState['commands'] = [];
  let offered: WorkspaceState['commands'] = [];
  let active = -1;
  let dismissed = false;

  const box = el('textarea', {
    class: 'composer-box',
    rows: '1',
    'data-test': `${prefix}composer`,
    'aria-label': 'Message',
    'aria-controls': listId,
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => {
      dismissed = false;
      changed();
    },
    onkeydown: (event: KeyboardEvent) => key(event),
    onblur: () => hide(),
    onfocus: () => changed(),
  });
  const suggestions = el('div', { class: 'suggestions', id: listId, role: 'listbox', 'aria-label': 'Commands' });
  suggestions.hidden = true;
  const usage = el('div', { class: 'usage muted', 'aria-live': 'polite' });
  const moreRow = el('div', { class: 'composer-more' });
  const picker = el('input', {
    type: 'file',
    class: 'composer-file',
    multiple: true,
    'data-test': `${prefix}attach`,
    'aria-label': 'Attach files',
    onchange: () => changed(),
  });
  const attached = el('span', { class: 'muted composer-attached', 'aria-live': 'polite' });
  const attach = pushButton({ class: 'tool', onclick: () => picker.click() }, 'Attach');
  const send = pushButton(
    { class: 'button button-primary button-small', 'data-test': `${prefix}send`, onclick: () => void go() },
    'Send',
  );
  const frame = el(
    'div',
    { class: 'composer-frame' },
    box,
    el('div', { class: 'composer-foot' }, picker, attach, attached, moreRow, usage, send),
  );
  const closed = el('p', { class: 'empty', 'data-test': `${prefix}composer-closed` });
  closed.hidden = true;
  const node = el('div', { class: 'composer' }, suggestions, notice.node, frame, closed);

  const grow = (): void => {
    box.style.height = 'auto';
    box.style.height = `${Math.min(160, box.scrollHeight)}px`;
  };

  const hide = (): void => {
    suggestions.hidden = true;
    offered = [];
    active = -1;
    box.removeAttribute('aria-activedescendant');
  };

  const point = (to: number): void => {
    active = to;
    [...suggestions.children].forEach((row, index) => {
      row.classList.toggle('option-active', index === to);
      row.setAttribute('aria-selected', String(index === to));
      if (index === to) {
        box.setAttribute('aria-activedescendant', row.id);
        row.scrollIntoView({ block: 'nearest' });
      }
    });
  };

  const offer = (): void => {
    const draftText = box.value;
    const asks = /^\/\S*$/.test(draftText) && !dismissed && document.activeElement === box;
    offered = asks ? commands.filter((one) => one.command.startsWith(draftText.toLowerCase())) : [];
    if (offered.length === 0) {
      hide();
      return;
    }
    fill(
      suggestions,
      ...offered.map((one, index) =>
        el(
          'div',
          {
            class: 'option suggestion',
            role: 'option',
            id: freshId('command'),
            'data-test': 'suggestion',
            'data-command': one.command,
            onmousedown: (event: Event) => event.preventDefault(),
            onclick: () => take(index),
          },
          el(
            'span',
            {},
            el('strong', {}, one.command),
            one.usage_hint && el('span', { class: 'muted' }, ` ${one.usage_hint}`),
          ),
          el('span', { class: 'option-more' }, one.description),
        ),
      ),
    );
    suggestions.hidden = false;
    point(
      Math.max(
        0,
        offered.findIndex((one) => one.command === draftText),
      ),
    );
  };

  const changed = (): void => {
    grow();
    offer();
    const name = /^(\/\S+)\s/.exec(box.value)?.[1];
    const command = commands.find((one) => one.command === name);
    usage.textContent = command ? [command.command, command.usage_hint].filter(Boolean).join(' ') : '';
    attached.textContent = [...(picker.files ?? [])].map((file) => file.name).join(', ');
    send.disabled = box.value.trim() === '' && attached.textContent === '';
  };

  const take = (index: number): void => {
    const command = offered[index]?.command;
    if (command === undefined) return;
    box.value = `${command} `;
    box.focus();
    changed();
  };

  const go = async (): Promise<void> => {
    const text = box.value;
    const files = [...(picker.files ?? [])];
    if ((text.trim() === '' && files.length === 0) || box.readOnly) return;
    notice.clear();
    hide();
    box.value = '';
    changed();
    box.readOnly = true;
    node.setAttribute('aria-busy', 'true');
    let sent = false;
    try {
      sent = await actions.send(text, files);
      if (sent) picker.value = '';
    } finally {
      box.readOnly = false;
      node.removeAttribute('aria-busy');
      changed();
      if (!sent && box.value === '') {
        box.value = text;
        dismissed = true;
        changed();
      }
    }
  };

  const key = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const open = offered.length > 0;
    const exact = offered.some((one) => one.command === box.value);
    if (open && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      point((active + (event.key === 'ArrowDown' ? 1 : -1) + offered.length) % offered.length);
    } else if (open && (event.key === 'Tab' || (event.key === 'Enter' && !exact))) take(active);
    else if (open && event.key === 'Escape') {
      dismissed = true;
      hide();
    } else if (event.key === 'Enter' && !event.shiftKey) void go();
    else return;
    event.preventDefault();
  };

  return {
    node,
    focus: () => box.focus(),
    show(state, placeholder) {
      commands = state.commands;
      box.placeholder = placeholder;
      box.setAttribute('aria-label', placeholder.replace(/[…,].*$/, ''));
      fill(
        moreRow,
        ...state.shortcuts
          .filter((shortcut) => shortcut.type === 'global')
          .map((shortcut) =>
            pushButton(
              {
                class: 'tool',
                'data-test': 'shortcut',
                'data-callback-id': shortcut.callback_id,
                onclick: () => actions.shortcut?.(shortcut.callback_id),
              },
              shortcut.name,
            ),
          ),
      );
      changed();
    },
    close(why) {
      frame.hidden = why !== undefined;
      closed.hidden = why === undefined;
      closed.textContent = why ?? '';
    },
    write(text) {
      box.value = text;
      dismissed = true;
      box.focus();
      box.setSelectionRange(text.length, text.length);
      changed();
    },
  };
}
