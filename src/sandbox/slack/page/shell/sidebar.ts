/** The sidebar: the workspace, the acting person, channels, direct messages, and one entry for the app. */
import type { Channel, Person, WorkspaceState } from '../../api.js';
import { el, fill, pushButton } from '../dom.js';
import { createPopup } from '../elements/popup.js';
import { appMark, avatar, lockMark } from './avatar.js';
import { copyButton } from './copy.js';

export type PagePlace = { readonly kind: 'channel'; readonly id: string } | { readonly kind: 'home' };

export interface SidebarActions {
  go(where: PagePlace): void;
  become(person: Person): void;
  createChannel(): void;
}

function role(person: Person): string {
  if (person.is_owner) return 'Workspace owner';
  if (person.is_admin) return 'Workspace admin';
  if (person.is_external) return 'From another organization';
  return person.is_guest ? 'Guest' : 'Member';
}

/** The sign before a channel's name: a hash, a lock, or nothing before a person. */
export function channelSign(channel: Channel): Node | string {
  return channel.is_im ? '' : channel.is_private ? lockMark() : '#';
}

function personMenu(state: WorkspaceState, actions: SidebarActions): HTMLElement {
  const { me } = state;
  const button = pushButton(
    {
      class: 'me',
      'data-test': 'person-menu',
      'data-user': me.id,
      'aria-haspopup': 'menu',
      'aria-expanded': 'false',
      onclick: () => {
        if (popup.isOpen) popup.close();
        else {
          popup.box.replaceChildren(...items);
          popup.open();
          button.setAttribute('aria-expanded', 'true');
          popup.box.querySelector('button')?.focus();
        }
      },
    },
    avatar(me),
    el('span', { class: 'me-name' }, me.real_name || me.name, el('small', {}, role(me))),
    el('span', { class: 'select-arrow', 'aria-hidden': 'true' }),
  );
  const popup = createPopup(button, { class: 'options menu', role: 'menu', 'aria-label': 'Switch person' }, () => {
    button.setAttribute('aria-expanded', 'false');
    popup.box.replaceChildren();
  });
  const others = state.people.filter((person) => !person.is_bot);
  const items = [
    el('div', { class: 'option-group' }, 'Use this workspace as'),
    ...others.map((person) =>
      pushButton(
        {
          class: 'option option-person',
          role: 'menuitemradio',
          'aria-checked': String(person.id === me.id),
          'data-test': 'person-option',
          'data-user': person.id,
          onclick: () => {
            popup.close();
            actions.become(person);
          },
        },
        avatar(person),
        el('span', { class: 'me-name' }, person.real_name || person.name, el('small', {}, role(person))),
      ),
    ),
  ];
  popup.box.addEventListener('keydown', (event) => {
    const items = [...popup.box.querySelectorAll('button')];
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    if (event.key === 'ArrowDown') items[(at + 1) % items.length]?.focus();
    else if (event.key === 'ArrowUp') items[(at - 1 + items.length) % items.length]?.focus();
    else if (event.key === 'Escape') {
      popup.close();
      button.focus();
    } else return;
    event.preventDefault();
  });
  return el('div', {}, button, popup.box);
}

const unreadDot = (): HTMLElement => el('span', { class: 'nav-dot', role: 'img', 'aria-label': 'new messages' });

export interface Sidebar {
  readonly node: HTMLElement;
  show(state: WorkspaceState, where: PagePlace, unread: ReadonlySet<string>): void;
}

export function createSidebar(actions: SidebarActions): Sidebar {
  const node = el('nav', { class: 'sidebar', 'aria-label': 'Workspace' });
  const row = (state: WorkspaceState, where: PagePlace, channel: Channel, unread: boolean): HTMLElement => {
    const here = where.kind === 'channel' && where.id === channel.id;
    return el(
      'li',
      {},
      pushButton(
        {
          class: `nav-item${unread ? ' nav-unread' : ''}`,
          'data-test': 'channel',
          'data-channel': channel.id,
          'aria-current': here ? 'page' : undefined,
          onclick: () => actions.go({ kind: 'channel', id: channel.id }),
        },
        el('span', { class: 'nav-sign', 'aria-hidden': 'true' }, channel.is_im ? '•' : channelSign(channel)),
        el('span', { class: 'nav-name' }, channel.is_im ? imName(state, channel) : channel.name),
        unread && unreadDot(),
      ),
    );
  };
  return {
    node,
    show(state, where, unread) {
      const held = document.activeElement?.closest('[data-test]');
      const focus = node.contains(held ?? null)
        ? `[data-test="${held?.getAttribute('data-test')}"]${held?.getAttribute('data-channel') ? `[data-channel="${CSS.escape(held.getAttribute('data-channel') ?? '')}"]` : ''}`
        : undefined;
      const rooms = state.channels.filter((channel) => !channel.is_im);
      const app = appChannel(state);
      const ims = state.channels.filter((channel) => channel.is_im && channel !== app);
      const appUnread = app !== undefined && unread.has(app.id);
      const inApp = where.kind === 'home' || where.id === app?.id;
      fill(
        node,
        el('div', { class: 'team' }, state.team.name),
        personMenu(state, actions),
        el(
          'div',
          { class: 'nav-head' },
          el('h2', {}, 'Channels'),
          pushButton(
            {
              class: 'icon-button',
              'aria-label': 'New channel',
              'data-test': 'new-channel',
              onclick: () => actions.createChannel(),
            },
            '+',
          ),
        ),
        el('ul', {}, ...rooms.map((channel) => row(state, where, channel, unread.has(channel.id)))),
        ims.length > 0 && el('div', { class: 'nav-head' }, el('h2', {}, 'Direct messages')),
        ims.length > 0 && el('ul', {}, ...ims.map((channel) => row(state, where, channel, unread.has(channel.id)))),
        el('div', { class: 'nav-head' }, el('h2', {}, 'Apps')),
        el(
          'ul',
          {},
          el(
            'li',
            {},
            pushButton(
              {
                class: `nav-item${appUnread ? ' nav-unread' : ''}`,
                'data-test': 'app-home',
                'aria-current': inApp ? 'page' : undefined,
                // If the app has unread messages, its entry opens them instead of its Home tab.
                onclick: () => actions.go(appUnread ? { kind: 'channel', id: app.id } : { kind: 'home' }),
              },
              el('span', { class: 'nav-sign nav-app' }, appMark()),
              el('span', { class: 'nav-name' }, state.app.name),
              state.app.installed_at === undefined && el('small', { class: 'muted' }, 'not installed'),
              appUnread && unreadDot(),
            ),
          ),
        ),
        state.workflows.length > 0 && el('div', { class: 'nav-head' }, el('h2', {}, 'Workflows')),
        ...state.workflows.map(({ name, url }) =>
          el(
            'div',
            { class: 'nav-workflow', 'data-test': 'workflow' },
            el('span', { class: 'nav-name' }, name, el('small', {}, 'starts from this webhook:')),
            el('code', {}, url),
            copyButton(url, `Copy the webhook URL of ${name}`, 'workflow-url'),
          ),
        ),
      );
      if (focus) node.querySelector<HTMLElement>(focus)?.focus();
    },
  };
}

/** The app's direct message channel with this person, which the app's one entry stands for. */
export function appChannel(state: WorkspaceState): Channel | undefined {
  return state.channels.find((channel) => channel.is_im && channel.members.includes(state.app.bot_user_id));
}

/** The name of the other person in a direct message. */
export function imName(state: WorkspaceState, channel: Channel): string {
  const other = channel.members.find((id) => id !== state.me.id);
  const person = state.people.find((one) => one.id === other);
  return person?.real_name || person?.name || channel.name;
}
