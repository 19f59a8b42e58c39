/**
 * The page's entry point: a Slack workspace with a scanner next to it, wired from shell/, blocks/ and elements/.
 * It acts only through the workspace's own API (../api.ts), so that a script can do the same.
 * `?as=U…` selects the acting person, `&channel=C…` (or `home`) the place.
 */

/*
 * Selectors that tests rely on:
 *   body[data-ready]                          the page has drawn everything once
 *   [data-test=person-menu], person-option[data-user]                  the acting person
 *   [data-test=channel][data-channel], app-home, app-tab[data-tab], add-app      the place (aria-current on the open one)
 *   [data-test=new-channel], channel-name, channel-private             creating a channel; confirm-yes creates it
 *   [data-test=composer], send, attach (the file input), suggestion[data-command], notice, composer-closed       posting
 *   [data-test=message][data-ts][data-user][data-ephemeral][data-thread], with only-you, edited, reply, replies, file,
 *     reaction[data-emoji], message-shortcut[data-callback-id] in it; shortcut[data-callback-id] under the composer
 *   [data-test=thread] with messages, thread-composer, thread-send, thread-close in it
 *   [data-test=modal][data-view-id][data-callback-id], modal-submit, modal-cancel, modal-close, field-error
 *   [data-test=home][data-view-id]
 *   [data-test=confirm], confirm-yes, confirm-no
 *   [data-block-id][data-block-type]          a block; [data-action-id] in it is its control:
 *     the input, textarea or button itself; for a select its combobox, whose list has option[data-value]; for an overflow
 *     menu its button, likewise; for checkboxes and radio buttons the group, with choice[data-value] labels in it. Messages
 *     behind a modal can have blocks with the same ids: begin the selector with the modal, the home or the message
 *   [data-test=chip][data-value]              a choice of a multi-select; [data-test=file][data-file] an uploaded file
 *   [data-test=cannot-draw]                   an unsupported block or element
 *   [data-test=guide], guide-step[data-step] (class done), guide-command, guide-key, guide-copy, guide-scanner, guide-home,
 *     guide-toggle
 *   [data-test=scanner-service], scanner-device, scanner-user, scanner-value, scanner-sample[data-value],
 *     scanner-answer[data-question], scanner-scan, scanner-result[data-kind], scanner-title, scanner-text[data-as],
 *     scanner-barcode, scanner-posted, scanner-send-answers, scanner-kept[data-count], scanner-upload, scanner-uploaded,
 *     scanner-url-edit, scanner-url, scanner-url-receiver, scanner-url-save, scanner-trouble
 *   [data-test=tab][data-tab]                 on narrow windows: channels, chat, scanner
 */

import { RequestFailed } from './client.js';
import { el, pushButton } from './dom.js';
import { startWorkspace } from './workspace.js';

startWorkspace(new URL(location.href)).catch((error: unknown) => {
  const why = error instanceof RequestFailed ? error.message : 'The page could not start.';
  document.body.replaceChildren(
    el(
      'main',
      { class: 'broken' },
      el('h1', {}, 'The workspace can’t be reached'),
      el('p', {}, why),
      pushButton({ class: 'button button-primary', onclick: () => location.reload() }, 'Try again'),
    ),
  );
  console.error(error);
});
