/** The error line for a person's last action. It stays until they close it or act again. */
import { el, pushButton } from '../dom.js';

export interface Notice {
  readonly node: HTMLElement;
  say(text: string): void;
  clear(): void;
}

export function createNotice(): Notice {
  const words = el('span', { class: 'notice-text' });
  const node = el(
    'div',
    { class: 'notice', role: 'alert', 'data-test': 'notice' },
    words,
    pushButton({ class: 'icon-button', 'aria-label': 'Dismiss', onclick: () => clear() }, '×'),
  );
  const clear = (): void => {
    node.hidden = true;
    words.textContent = '';
  };
  clear();
  return {
    node,
    clear,
    say(text) {
      words.textContent = text;
      node.hidden = false;
    },
  };
}
