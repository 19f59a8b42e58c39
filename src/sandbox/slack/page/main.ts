/**
 * The page: a workspace in which one chats, runs slash commands and fills in modals, with a scanner beside it. This is the
 * wiring only; what is drawn comes from shell/, blocks/ and elements/, and everything it does goes through the workspace's
 * own API (../api.ts), so that a script can do the same.
 *
 * `?as=U…` names who one is, `&channel=C…` (or `home`) where.
 *
 * Hooks that tests use, and which therefore stay:
 *   body[data-ready]                          the page has drawn everything once
 *   [data-test=person-menu], person-option[data-user]                  who one is
 *   [data-test=channel][data-channel], app-home, app-tab[data-tab], add-app      where one is (aria-current on the open one)
 *   [data-test=new-channel], channel-name, channel-private             making a channel; confirm-yes makes it
 *   [data-test=composer], send, suggestion[data-command], notice, composer-closed       saying something
 *   [data-test=message][data-ts][data-user][data-ephemeral][data-thread], with only-you, edited, reply, replies, file,
 *     reaction[data-emoji], message-shortcut[data-callback-id] in it; shortcut[data-callback-id] under the composer
 *   [data-test=thread] with messages, thread-composer, thread-send, thread-close in it
 *   [data-test=modal][data-view-id][data-callback-id], modal-submit, modal-cancel, modal-close, field-error
 *   [data-test=home][data-view-id]
 *   [data-test=confirm], confirm-yes, confirm-no
 *   [data-block-id][data-block-type]          a block; [data-action-id] in it is the control one clicks, types into or opens:
 *     the input, textarea or button itself; for a select its combobox, whose list has option[data-value]; for an overflow
 *     menu its button, likewise; for checkboxes and radio buttons the group, with choice[data-value] labels in it. Messages
 *     behind a modal can have blocks of the same ids: begin the selector with the modal, the home or the message
 *   [data-test=chip][data-value]              a choice of a multi-select; [data-test=file][data-file] an uploaded file
 *   [data-test=cannot-draw]                   a block or element that this page has no picture of
 *   [data-test=guide], guide-step[data-step] (class done), guide-command, guide-key, guide-copy, guide-scanner, guide-home,
 *     guide-toggle
 *   [data-test=scanner-service], scanner-device, scanner-user, scanner-value, scanner-sample[data-value],
 *     scanner-answer[data-question], scanner-scan, scanner-result[data-kind], scanner-title, scanner-text[data-as],
 *     scanner-barcode, scanner-posted, scanner-send-answers, scanner-kept[data-count], scanner-upload, scanner-uploaded,
 *     scanner-url-edit, scanner-url, scanner-url-receiver, scanner-url-save, scanner-trouble
 *   [data-test=tab][data-tab]                 on narrow windows: channels, chat, scanner
 */

import { RequestFailed } from './client.js';
import { el } from './dom.js';
import { startWorkspace } from './workspace.js';

startWorkspace(new URL(location.href)).catch((error: unknown) => {
  const why = error instanceof RequestFailed ? error.message : 'The page could not start.';
  document.body.replaceChildren(
    el(
      'main',
      { class: 'broken' },
      el('h1', {}, 'The workspace is not there'),
      el('p', {}, why),
      el('button', { type: 'button', class: 'button button-primary', onclick: () => location.reload() }, 'Try again'),
    ),
  );
  console.error(error);
});
