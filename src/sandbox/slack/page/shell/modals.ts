/**
 * The modal stack: the top modal in a dialog with its title and validation errors; inputs of those below are preserved.
 * Escape closes the top one. The dialog covers Slack's part of the page only.
 */
import type { ShownView, SubmitResult } from '../../api.js';
import type { Surface } from '../context.js';
import { el, fill, freshId, pushButton } from '../dom.js';
import type { FormState } from '../form-state.js';
import { record, str } from '../json.js';
import { drawText } from '../mrkdwn.js';
import { formFailed } from './error-messages.js';
import { createNotice } from './notice.js';
import { createViewBody, type ViewBody } from './view-body.js';

export interface ModalActions {
  surface(view: ShownView, form: FormState): Surface;
  submit(viewId: string, form: FormState): Promise<SubmitResult>;
  /** Closes a modal. `all`: closes those below it too, as the X does. */
  close(viewId: string, all: boolean): Promise<void>;
  /** Whether the dialog makes the page below it inert. */
  cover(is: boolean): void;
}

export interface Modals {
  readonly node: HTMLElement;
  show(stack: readonly ShownView[]): void;
  /** Shows an error in the open modal; false if none is open. */
  say(text: string): boolean;
  /** Tells whether a click in the top modal is waiting for the app's acknowledgement. */
  busy(is: boolean): void;
}

interface OpenModal {
  readonly body: ViewBody;
  /** Validation errors by block id, until the view or the input changes. */
  errors: Readonly<Record<string, string>>;
  signature: string;
}

const focusable = '[data-focus-on-load], .view-blocks input:not([type=file]), .view-blocks textarea';

export function createModals(actions: ModalActions): Modals {
  const titleId = freshId('modal-title');
  const notice = createNotice();
  const title = el('h2', { id: titleId });
  const scroll = el('div', { class: 'modal-scroll', tabindex: '-1' });
  const foot = el('div', { class: 'dialog-foot' });
  const dialog = el(
    'dialog',
    {
      class: 'modal',
      'data-test': 'modal',
      'aria-labelledby': titleId,
    },
    el(
      'form',
      {
        class: 'modal-form',
        novalidate: true,
        onsubmit: (event: Event) => {
          event.preventDefault();
          void submit();
        },
      },
      el(
        'header',
        { class: 'modal-head' },
        title,
        pushButton(
          { class: 'icon-button', 'aria-label': 'Close', 'data-test': 'modal-close', onclick: () => void leave(true) },
          '×',
        ),
      ),
      el('div', { class: 'modal-progress', 'aria-hidden': 'true' }),
      scroll,
      notice.node,
      foot,
    ),
  );

  const layer = el('div', { class: 'modal-layer' }, dialog);
  layer.hidden = true;
  document.addEventListener('keydown', (event) => {
    const at = event.target;
    const here = at === document.body || (at instanceof Node && dialog.contains(at));
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || !top || !here) return;
    event.preventDefault();
    void leave();
  });

  const open = new Map<string, OpenModal>();
  let top: ShownView | undefined;
  let sending = false;
  let leaving = false;
  let cameFrom: HTMLElement | null = null;

  const busy = (is: boolean): void => {
    dialog.classList.toggle('modal-busy', is);
  };

  const focusFirst = (): void => {
    const wrong = scroll.querySelector<HTMLElement>('[aria-invalid="true"]');
    const first =
      wrong ??
      scroll.querySelector<HTMLElement>('[data-focus-on-load]') ??
      scroll.querySelector<HTMLElement>(focusable);
    (first ?? scroll).focus();
  };

  const draw = (view: ShownView): void => {
    const entry = open.get(view.id);
    if (!entry) return;
    const submitText = record(view.view, 'submit');
    dialog.setAttribute('data-view-id', view.id);
    dialog.setAttribute('data-callback-id', view.callback_id);
    const { directory } = actions.surface(view, entry.body.form);
    fill(title, drawText(record(view.view, 'title'), directory));
    if (scroll.firstChild !== entry.body.node) fill(scroll, entry.body.node);
    const closeText = record(view.view, 'close');
    fill(
      foot,
      pushButton(
        { class: 'button', 'data-test': 'modal-cancel', onclick: () => void leave() },
        closeText ? drawText(closeText, directory) : submitText ? 'Cancel' : 'Close',
      ),
      submitText &&
        el(
          'button',
          {
            type: 'submit',
            class: 'button button-primary',
            'data-test': 'modal-submit',
            'aria-busy': sending ? 'true' : undefined,
          },
          drawText(submitText, directory),
        ),
    );
  };

  const setErrors = (viewId: string, errors: Readonly<Record<string, string>>): void => {
    const entry = open.get(viewId);
    // By now another modal may be on top, or a newer version of this one.
    const view = top?.id === viewId ? top : undefined;
    if (!entry || !view) return;
    entry.errors = errors;
    entry.body.show(view, errors);
    const unseen = Object.entries(errors).filter(
      ([blockId]) => !entry.body.blocks.some((block) => block.type === 'input' && str(block, 'block_id') === blockId),
    );
    // An error for a block that is not on screen would otherwise not be shown at all.
    if (unseen.length > 0) notice.say(unseen.map(([, text]) => text).join(' '));
    if (Object.keys(errors).length > 0) focusFirst();
  };

  const submit = async (): Promise<void> => {
    const view = top;
    const entry = view && open.get(view.id);
    if (!view || !entry || sending || !foot.querySelector('[data-test="modal-submit"]')) return;
    notice.clear();
    sending = true;
    busy(true);
    foot.querySelector('[data-test="modal-submit"]')?.setAttribute('aria-busy', 'true');
    try {
      const result = await actions.submit(view.id, entry.body.form);
      if (result.errors) setErrors(view.id, result.errors);
      else if (!result.ok) {
        notice.say(formFailed(result.error ?? 'unknown', result.why));
      }
    } finally {
      sending = false;
      busy(false);
      foot.querySelector('[data-test="modal-submit"]')?.removeAttribute('aria-busy');
    }
  };

  const leave = async (all = false): Promise<void> => {
    const view = top;
    if (!view || sending || leaving) return;
    leaving = true;
    try {
      await actions.close(view.id, all);
    } finally {
      leaving = false;
    }
  };

  return {
    node: layer,
    busy,
    say(text) {
      if (!top) return false;
      notice.say(text);
      return true;
    },
    show(stack) {
      const next = stack.at(-1);
      for (const id of open.keys()) if (!stack.some((view) => view.id === id)) open.delete(id);
      if (!next) {
        top = undefined;
        notice.clear();
        if (!dialog.open) return;
        dialog.close();
        layer.hidden = true;
        actions.cover(false);
        fill(scroll);
        if (cameFrom?.isConnected) cameFrom.focus();
        cameFrom = null;
        return;
      }
      const another = top?.id !== next.id;
      const entry: OpenModal = open.get(next.id) ?? {
        body: createViewBody(next, (form) => actions.surface(next, form)),
        errors: {},
        signature: '',
      };
      open.set(next.id, entry);
      const signature = JSON.stringify([next.view, next.errors ?? null]);
      const changed = entry.signature !== signature;
      if (changed) {
        // An updated view removes the old errors.
        entry.signature = signature;
        entry.errors = next.errors ?? {};
        notice.clear();
      }
      top = next;
      entry.body.show(next, entry.errors);
      draw(next);
      if (!dialog.open) {
        cameFrom = document.activeElement instanceof HTMLElement ? document.activeElement : null;
        layer.hidden = false;
        actions.cover(true);
        dialog.show();
      }
      const lost = !scroll.contains(document.activeElement);
      if (another || (changed && lost && !dialog.querySelector('.small-dialog'))) focusFirst();
    },
  };
}
