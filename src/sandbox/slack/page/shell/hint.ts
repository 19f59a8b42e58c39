/** Draws the three steps of the first minute; each puts its command in the box, and is ticked off once it was sent. */
import { el, fill } from '../dom.js';

export interface Hint {
  readonly node: HTMLElement;
  /** `barcode`: one that the account knows. */
  show(apiKey: string | undefined, barcode: string | undefined): void;
  /** A command went out. */
  sent(text: string): void;
}

interface Step {
  /** What the box remembers it by. */
  readonly name: string;
  readonly command: (barcode: string) => string;
  readonly done: RegExp;
  readonly words: string;
}

const steps: readonly Step[] = [
  { name: 'connect', command: () => '/scandesk connect', done: /^\/scandesk\s+connect\b/, words: 'with this API key:' },
  {
    name: 'lookup',
    command: (barcode) => `/barcode ${barcode}`,
    done: /^\/barcode\s+\S/,
    words: 'looks a barcode up.',
  },
  {
    name: 'relay',
    command: () => '/scandesk relay',
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
  let barcode = '00123';
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
            { class: done.has(step.name) ? 'done' : undefined },
            el(
              'button',
              {
                type: 'button',
                class: 'command',
                'data-test': 'hint-step',
                'data-step': String(index + 1),
                onclick: () => write(step.command(barcode)),
              },
              step.command(barcode),
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
    show(apiKey, known) {
      if (apiKey === key && (known ?? barcode) === barcode) return;
      key = apiKey;
      barcode = known ?? barcode;
      draw();
    },
    sent(text) {
      const step = steps.find((one) => one.done.test(text));
      if (step) remember(step.name);
    },
  };
}
