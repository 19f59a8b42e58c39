/** A copy button. If the browser denies clipboard access, the text is selected for the person to copy. */
import { el, pushButton } from '../dom.js';

export function copyButton(text: string, label: string, test: string): HTMLElement {
  const words = el('span', { 'aria-live': 'polite' }, 'Copy');
  const button = pushButton(
    { class: 'button button-small copy', 'aria-label': label, 'data-test': test, onclick: () => void copy() },
    words,
  );
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      words.textContent = 'Copied';
      button.setAttribute('aria-label', 'Copied');
    } catch {
      const textElement = button.previousElementSibling;
      if (textElement) getSelection()?.selectAllChildren(textElement);
      words.textContent = 'Press Ctrl+C';
      button.setAttribute('aria-label', 'Selected. Press Ctrl+C to copy.');
    }
  };
  return button;
}
