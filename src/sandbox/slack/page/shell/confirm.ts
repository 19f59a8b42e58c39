/** Small dialogs: the app's confirmation, and the page's own questions with fields. */
import type { Directory } from '../context.js';
import { type Child, el, freshId, pushButton } from '../dom.js';
import { type Json, record } from '../json.js';
import { drawText } from '../mrkdwn.js';

interface Question {
  readonly title: Child;
  readonly body: readonly Child[];
  readonly yes: Child;
  readonly no: Child;
  readonly danger: boolean;
}

/** Asks a question in a dialog. True: confirmed. False: canceled, Escape or a click outside. */
function askInDialog(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    const titleId = freshId('title');
    let answer = false;
    const dialog = el(
      'dialog',
      {
        class: 'small-dialog',
        'data-test': 'confirm',
        'aria-labelledby': titleId,
        onclose: () => {
          dialog.remove();
          resolve(answer);
        },
        onclick: (event: Event) => {
          if (event.target === dialog) dialog.close();
        },
      },
      el(
        'form',
        {
          method: 'dialog',
          onsubmit: () => {
            answer = true;
          },
        },
        el('h2', { id: titleId }, question.title),
        el('div', { class: 'small-dialog-body' }, ...question.body),
        el(
          'div',
          { class: 'dialog-foot' },
          pushButton({ class: 'button', 'data-test': 'confirm-no', onclick: () => dialog.close() }, question.no),
          el(
            'button',
            {
              type: 'submit',
              class: question.danger ? 'button button-danger' : 'button button-primary',
              'data-test': 'confirm-yes',
            },
            question.yes,
          ),
        ),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Shows a Block Kit confirmation object. */
export function confirmDialog(object: Json, directory: Directory): Promise<boolean> {
  return askInDialog({
    title: drawText(record(object, 'title') ?? { type: 'plain_text', text: 'Are you sure?' }, directory),
    body: [drawText(record(object, 'text'), directory)],
    yes: drawText(record(object, 'confirm') ?? { type: 'plain_text', text: 'Yes' }, directory),
    no: drawText(record(object, 'deny') ?? { type: 'plain_text', text: 'No' }, directory),
    danger: object.style === 'danger',
  });
}

/** The name and kind of a new channel; undefined if the person cancels. */
export async function askForChannel(): Promise<{ name: string; isPrivate: boolean } | undefined> {
  const nameId = freshId('name');
  const name = el('input', {
    id: nameId,
    class: 'box',
    type: 'text',
    required: true,
    pattern: '[a-z0-9_\\-]{1,80}',
    title: 'Use lowercase letters, numbers, - and _',
    placeholder: 'for example, back-office',
    autocomplete: 'off',
    'data-test': 'channel-name',
  });
  const isPrivate = el('input', { type: 'checkbox', 'data-test': 'channel-private' });
  const yes = await askInDialog({
    title: 'New channel',
    body: [
      el('label', { class: 'label', for: nameId }, 'Name'),
      name,
      el('label', { class: 'choice' }, isPrivate, el('span', {}, 'Private')),
    ],
    yes: 'Create',
    no: 'Cancel',
    danger: false,
  });
  return yes && name.value !== '' ? { name: name.value, isPrivate: isPrivate.checked } : undefined;
}
