/** Draws the three steps of the first minute; each puts its command in the box, and is ticked off once it was sent. */
import { el, fill } from '../dom.js';

export interface Hint {
  readonly node: HTMLElement;
  show(apiKey: string | undefined): void;
  /** A command went out. */
  sent(text: string): void;
}

interface Step {
  readonly command: string;
  readonly done: RegExp;
  readonly words: string;
}

const steps: readonly Step[] = [
  { command: '/scandesk connect', done: /^\/scandesk\s+connect\b/, words: 'with this API key:' },
  { command: '/barcode 00123', done: /^\/barcode\s+\S/, words: 'looks a barcode up.' },
  {
    command: '/scandesk relay',
    done: /^\/scandesk\s+relay\b/,
    words: 'gives a URL: enter it at the service below, and scan.',
  },
];

const memory = 'scandesk-demo-hint';

function remembered(): Set<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(memory) ?? '[]');
    return new Set(Array.isArray(kept) ? kept.map(String) : []);
  } catch {
    return new Set();
  }
}

export function createHint(write: (text: string) => void): Hint {
  const done = remembered();
  let key: string | undefined;
  const node = el('section', { class: 'hint-box', 'data-test': 'hint', 'aria-label': 'First steps' });
  const remember = (what: string): void => {
    done.add(what);
    try {
      localStorage.setItem(memory, JSON.stringify([...done]));
    } catch {
      // Without storage the hint is only forgotten by the next visit.
    }
    draw();
  };
  const draw = (): void => {
    node.hidden = done.has('closed');
    if (node.hidden) return;
    fill(
      node,
      el(
        'div',
        { class: 'hint-head' },
        el('h2', {}, 'Your first minute'),
        el(
          'button',
          {
            type: 'button',
            class: 'icon-button',
            'aria-label': 'Close the hint',
            'data-test': 'hint-close',
            onclick: () => remember('closed'),
          },
          '×',
        ),
      ),
      el(
        'ol',
        {},
        ...steps.map((step, index) =>
          el(
            'li',
            { class: done.has(step.command) ? 'done' : undefined },
            el(
              'button',
              {
                type: 'button',
                class: 'command',
                'data-test': 'hint-step',
                'data-step': String(index + 1),
                onclick: () => write(step.command),
              },
              step.command,
            ),
            el('span', {}, step.words),
            index === 0 &&
              key !== undefined &&
              el('span', { class: 'hint-key' }, el('code', { 'data-test': 'hint-key' }, key)),
          ),
        ),
      ),
    );
  };
  draw();
  return {
    node,
    show(apiKey) {
      key = apiKey;
      draw();
    },
    sent(text) {
      const step = steps.find((one) => one.done.test(text));
      if (step) remember(step.command);
    },
  };
}
