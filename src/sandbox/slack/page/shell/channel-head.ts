/** Draws the line above the messages: where one is, who else is, and whether the app is there too. */
import type { WorkspaceState } from '../../api.js';
import { el, fill } from '../dom.js';

export function drawChannelHead(
  head: HTMLElement,
  state: WorkspaceState,
  channelId: string,
  name: string,
  sign: Node | string,
  addApp: () => void,
): void {
  const channel = state.channels.find((one) => one.id === channelId);
  const members = channel ? channel.members.filter((id) => id !== state.app.bot_user_id).length : 0;
  fill(
    head,
    el('h1', {}, sign && el('span', { class: 'nav-sign', 'aria-hidden': 'true' }, sign), name),
    channel?.is_ext_shared && el('span', { class: 'badge badge-shared' }, 'Shared with another organisation'),
    channel && !channel.is_im && el('span', { class: 'muted' }, members === 1 ? '1 person' : `${members} people`),
    channel?.app_is_member && !channel.is_im && el('span', { class: 'muted' }, `${state.app.name} is here`),
    channel &&
      !channel.is_im &&
      !channel.app_is_member &&
      el(
        'button',
        { type: 'button', class: 'button button-small', 'data-test': 'add-app', onclick: addApp },
        `Add ${state.app.name}`,
      ),
  );
}
