/** Draws the page's frame: workspace, conversation and scanner side by side, or one at a time on a narrow window. */
import { el } from '../dom.js';
import { appMark } from './avatar.js';

type Tab = 'channels' | 'chat' | 'scanner';

interface Part {
  readonly node: HTMLElement;
}

export interface Frame {
  readonly node: HTMLElement;
  readonly head: HTMLElement;
  showPlace(kind: 'channel' | 'home'): void;
  showTab(tab: Tab): void;
  setOnline(online: boolean): void;
}

export function drawFrame(parts: {
  sidebar: Part;
  messages: Part;
  home: Part;
  composer: Part;
  hint: Part;
  scanner: Part;
}): Frame {
  const head = el('header', { class: 'head' });
  const offline = el('div', { class: 'offline', role: 'status' }, 'The workspace does not answer. Trying again…');
  offline.hidden = true;
  const names: Readonly<Record<Tab, string>> = { channels: 'Channels', chat: 'Chat', scanner: 'Scanner' };
  const buttons = (Object.keys(names) as Tab[]).map((tab) =>
    el(
      'button',
      { type: 'button', class: 'tab', 'data-test': 'tab', 'data-tab': tab, onclick: () => showTab(tab) },
      names[tab],
    ),
  );
  const node = el(
    'div',
    { class: 'frame' },
    parts.sidebar.node,
    el('main', { class: 'main' }, head, offline, parts.messages.node, parts.home.node, parts.composer.node),
    el(
      'aside',
      { class: 'aside', 'aria-label': 'Scanner' },
      parts.hint.node,
      el('h2', { class: 'aside-head' }, appMark(), 'Scanner'),
      parts.scanner.node,
    ),
    el('nav', { class: 'tabs', 'aria-label': 'Parts of the page' }, ...buttons),
  );
  const showTab = (tab: Tab): void => {
    node.setAttribute('data-tab', tab);
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.tab === tab));
  };
  showTab('chat');
  return {
    node,
    head,
    showTab,
    showPlace(kind) {
      parts.messages.node.hidden = kind !== 'channel';
      parts.composer.node.hidden = kind !== 'channel';
      parts.home.node.hidden = kind !== 'home';
    },
    setOnline(online) {
      offline.hidden = online;
    },
  };
}
