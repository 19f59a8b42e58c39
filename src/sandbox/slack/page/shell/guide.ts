/**
 * The getting-started guide: four steps, each checked off when it has succeeded, then what to try next. The guide is
 * outside Slack's part of the page, so that it stays usable while a modal is open.
 */
import type { ScannerState } from '../../../codereadr/api.js';
import type { ShownMessage, ShownView } from '../../api.js';
import { type Child, el, fill, freshId, pushButton } from '../dom.js';
import { copyButton } from './copy.js';
import { createProgress, type StepName, stepNames } from './guide-progress.js';

export interface GuideActions {
  /** Puts a command in a channel's composer. */
  write(text: string): void;
  openScanner(): void;
  openHome(): void;
}

export interface Guide {
  readonly node: HTMLElement;
  installed(at: number | undefined, done: readonly StepName[], me: { readonly is_admin: boolean }): void;
  sawViews(stack: readonly ShownView[]): void;
  sawMessages(messages: readonly ShownMessage[]): void;
  sawScanner(state: ScannerState): void;
  scanned(barcode: string): void;
}

/** The barcode of the README's example; the sample data has it. */
const example = '0012345';

const strong = (words: string): HTMLElement => el('strong', {}, words);

export function createGuide(actions: GuideActions): Guide {
  const titleId = freshId('guide');
  const listId = freshId('steps');
  let key: string | undefined;
  let lastScanned: string | undefined;
  /** While a modal covers the channel, there is no composer to put a command in. */
  let covered = false;
  /** Whether the person may connect the account and make relays. */
  let isAdmin = true;
  let open = !matchMedia('(max-width: 880px)').matches;

  const command = (text: string): HTMLElement =>
    pushButton(
      { class: 'command', 'data-test': 'guide-command', disabled: covered, onclick: () => actions.write(text) },
      text,
    );
  const go = (words: string, test: string, onclick: () => void): HTMLElement =>
    pushButton({ class: 'command', 'data-test': test, disabled: covered, onclick }, words);

  const forAdmin = (): Child[] =>
    isAdmin ? [] : [el('span', {}, 'An admin does this: switch to ', strong('Ada Admin'), ' above the channels. ')];

  const steps: Readonly<Record<StepName, () => Child[]>> = {
    connect: () => [
      ...forAdmin(),
      el('span', {}, 'Run '),
      command('/scandesk connect'),
      el('span', {}, 'and paste this API key:'),
      key !== undefined &&
        el(
          'span',
          { class: 'guide-key' },
          el('code', { 'data-test': 'guide-key' }, key),
          copyButton(key, 'Copy the API key', 'guide-copy'),
        ),
    ],
    lookup: () => [el('span', {}, 'Run '), command(`/barcode ${example}`), el('span', {}, 'to look up a barcode.')],
    relay: () => [
      ...forAdmin(),
      el('span', {}, 'Run '),
      command('/scandesk relay'),
      el(
        'span',
        {},
        'and choose ',
        strong('New relay'),
        ', a service and a channel. Press ',
        strong('Create'),
        ', ',
        strong('Set up a service'),
        ' and ',
        strong('Set up'),
        '.',
      ),
    ],
    scan: () => [
      el('span', {}, 'Open the '),
      go('Scanner', 'guide-scanner', () => actions.openScanner()),
      el('span', {}, 'and pick a barcode. Press ', strong('Scan'), ': it appears in your channel.'),
    ],
  };

  const next = (): HTMLElement[] => {
    const barcode = lastScanned ?? example;
    return [
      [command(`/barcode ${barcode}`), 'shows all of its scans.'],
      [command(`/scandesk watch ${barcode}`), 'mentions you.'],
      [command('/scandesk inside'), 'counts who is inside.'],
      ...(isAdmin
        ? [
            [command('/scandesk relay'), 'sets rules and alerts.'],
            [command('/scandesk databases'), 'changes values.'],
          ]
        : []),
      [go('Scandesk’s Home', 'guide-home', () => actions.openHome()), 'shows today and alerts.'],
      ['Switch to ', strong(isAdmin ? 'Mia Member' : 'Ada Admin'), ' at the top left.'],
    ].map((parts) => el('li', {}, ...parts.map((part) => (typeof part === 'string' ? el('span', {}, part) : part))));
  };

  const node = el('section', { class: 'guide', 'data-test': 'guide', 'aria-labelledby': titleId });
  const draw = (): void => {
    const current = progress.current();
    const count = stepNames.filter((step) => progress.has(step)).length;
    const focused = node.contains(document.activeElement) ? document.activeElement?.getAttribute('data-test') : null;
    node.toggleAttribute('data-open', open);
    node.toggleAttribute('data-finished', current === undefined);
    fill(
      node,
      el(
        'div',
        { class: 'guide-head' },
        el('h2', { id: titleId }, current === undefined ? 'What to try next' : 'Get started'),
        current !== undefined && el('span', { class: 'muted', role: 'status' }, `${count} of ${stepNames.length} done`),
        pushButton(
          {
            class: 'tool',
            'data-test': 'guide-toggle',
            'aria-expanded': String(open),
            'aria-controls': listId,
            onclick: () => {
              open = !open;
              draw();
            },
          },
          open ? 'Less' : 'More',
        ),
      ),
      current === undefined
        ? el('ul', { id: listId }, ...next())
        : el(
            'ol',
            { id: listId },
            ...stepNames.map((step, index) =>
              el(
                'li',
                {
                  class: progress.has(step) ? 'done' : undefined,
                  value: index + 1,
                  'data-test': 'guide-step',
                  'data-step': step,
                  'aria-current': step === current ? 'step' : undefined,
                },
                progress.has(step) && el('span', { class: 'for-readers' }, 'Done: '),
                ...steps[step](),
              ),
            ),
          ),
      el('p', { class: 'muted guide-note' }, 'A click fills the message box: press Send.'),
    );
    if (focused) node.querySelector<HTMLElement>(`[data-test="${focused}"]`)?.focus();
  };
  const progress = createProgress(() => draw());
  draw();

  return {
    node,
    installed(at, done, me) {
      const isAnother = me.is_admin !== isAdmin;
      isAdmin = me.is_admin;
      progress.installed(at, done);
      if (isAnother) draw();
    },
    sawMessages: (messages) => progress.sawMessages(messages),
    sawViews(stack) {
      progress.sawViews(stack);
      if (covered === stack.length > 0) return;
      covered = stack.length > 0;
      draw();
    },
    sawScanner(state) {
      progress.sawServices(state.services);
      if (state.api_key === key) return;
      key = state.api_key;
      draw();
    },
    scanned(barcode) {
      lastScanned = /^\S+$/.test(barcode) ? barcode : lastScanned;
      progress.scanned(barcode);
      draw();
    },
  };
}
