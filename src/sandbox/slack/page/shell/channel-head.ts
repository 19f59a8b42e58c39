/** The channel header: its name, its members and whether the app is one of them; for the app, its two tabs. */
import type { Channel, WorkspaceState } from '../../api.js';
import { el, fill, pushButton } from '../dom.js';
import { appChannel, channelSign, imName, type PagePlace } from './sidebar.js';

export interface HeadActions {
  go(where: PagePlace): void;
  addApp(channel: string): void;
}

function drawAppHead(head: HTMLElement, state: WorkspaceState, where: PagePlace, actions: HeadActions): void {
  const messages = appChannel(state);
  const tab = (words: string, to: PagePlace | undefined): HTMLElement =>
    pushButton(
      {
        class: 'app-tab',
        'data-test': 'app-tab',
        'data-tab': words.toLowerCase(),
        'aria-current': to?.kind === where.kind ? 'page' : undefined,
        disabled: to === undefined,
        onclick: () => to && actions.go(to),
      },
      words,
    );
  fill(
    head,
    el('h2', {}, state.app.name),
    el(
      'nav',
      { class: 'app-tabs', 'aria-label': state.app.name },
      tab('Home', { kind: 'home' }),
      tab('Messages', messages && { kind: 'channel', id: messages.id }),
    ),
  );
}

export function drawHead(head: HTMLElement, state: WorkspaceState, where: PagePlace, actions: HeadActions): void {
  const channel = where.kind === 'home' ? undefined : state.channels.find((one) => one.id === where.id);
  if (where.kind === 'home' || (channel && channel === appChannel(state))) {
    drawAppHead(head, state, where, actions);
    return;
  }
  const name = channel?.is_im ? imName(state, channel) : (channel?.name ?? where.id);
  const sign = channel && channelSign(channel);
  const members = channel ? channel.members.filter((id) => id !== state.app.bot_user_id).length : 0;
  fill(
    head,
    el('h2', {}, sign && el('span', { class: 'nav-sign', 'aria-hidden': 'true' }, sign), name),
    channel?.is_ext_shared && el('span', { class: 'badge badge-shared' }, 'Shared with another organization'),
    channel && !channel.is_im && el('span', { class: 'muted' }, members === 1 ? '1 person' : `${members} people`),
    channel?.app_is_member && !channel.is_im && el('span', { class: 'muted' }, `${state.app.name} is here`),
    channel &&
      !channel.is_im &&
      !channel.app_is_member &&
      pushButton(
        { class: 'button button-small', 'data-test': 'add-app', onclick: () => actions.addApp(channel.id) },
        `Add ${state.app.name}`,
      ),
  );
}

/** Why the person cannot post in the channel; undefined if they can. */
export function lockOf(state: WorkspaceState, channel: Channel | undefined, name: string): string | undefined {
  if (channel && channel === appChannel(state) && state.app.read_only) {
    return 'Sending messages to this app has been turned off.';
  }
  if (channel?.is_archived) return `${name} is archived, so no one can post here.`;
  return channel?.members.includes(state.me.id)
    ? undefined
    : `You are not in ${name}. You can read messages, but not post.`;
}
