/** A service's postback URL and a form to change it, as on the account's own pages. */
import type { ScannerState } from '../../../codereadr/api.js';
import { el, fill, freshId, pushButton } from '../dom.js';

type Service = ScannerState['services'][number];

/** Draws the URL. `save` resolves with the account's message if the account rejects the URL. */
export function drawServiceUrl(
  service: Service,
  save: (url: string, receiverOnly: boolean) => Promise<string | undefined>,
): HTMLElement {
  const validatesItself = service.validation_method !== 'postback';
  const box = el('div', { class: 'service-url' });
  const edit = (): void => {
    const id = freshId('url');
    const note = el('div', { class: 'field-error', role: 'alert' });
    const input = el('input', {
      id,
      class: 'box',
      type: 'text',
      inputmode: 'url',
      placeholder: 'Webhook URL from /scandesk relay',
      'data-test': 'scanner-url',
      autocomplete: 'off',
      spellcheck: 'false',
      onkeydown: (event: KeyboardEvent) => {
        if (event.key === 'Escape') show();
        if (event.key !== 'Enter') return;
        event.preventDefault();
        void keep();
      },
    });
    // The account masks secrets in the URL; a masked URL must not be saved again.
    input.value = service.postback_url.includes('…') ? '' : service.postback_url;
    const receiverOnly = el('input', { type: 'checkbox', checked: true, 'data-test': 'scanner-url-receiver' });
    const keep = async (): Promise<void> => {
      const refused = await save(input.value.trim(), receiverOnly.checked).catch(
        () => 'The scanning account is not responding.',
      );
      if (refused !== undefined) note.textContent = refused;
    };
    fill(
      box,
      el('div', { class: 'scanner-row' }, el('label', { for: id }, 'Postback URL'), input),
      validatesItself &&
        el('label', { class: 'choice' }, receiverOnly, el('span', {}, 'Show the service’s own response on the device')),
      note,
      el(
        'div',
        { class: 'row-end' },
        pushButton({ class: 'button button-small', onclick: () => show() }, 'Cancel'),
        pushButton(
          { class: 'button button-small button-primary', 'data-test': 'scanner-url-save', onclick: () => void keep() },
          'Save',
        ),
      ),
    );
    input.focus();
    input.select();
  };
  const show = (): void => {
    fill(
      box,
      el(
        'span',
        { class: 'muted', title: service.postback_url },
        service.postback_url === ''
          ? 'No postback URL yet.'
          : `Posts to ${service.postback_url.replace(/^https?:\/\//, '')}`,
      ),
      pushButton(
        { class: 'tool', 'data-test': 'scanner-url-edit', onclick: () => edit() },
        service.postback_url === '' ? 'Add URL' : 'Edit',
      ),
    );
  };
  show();
  return box;
}
