/**
 * The page's layout. A modal covers Slack's part (workspace and conversation) and makes it inert; the guide and the
 * scanner are not part of Slack and stay usable. A narrow window shows one part at a time.
 */
import { el, pushButton } from '../dom.js';
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
  /** Whether a modal covers Slack's part. */
  cover(is: boolean): void;
  /** Whether a thread needs room next to the channel. */
  widen(is: boolean): void;
}

export function drawFrame(parts: {
  sidebar: Part;
  conversation: Part;
  home: Part;
  modals: Part;
  guide: Part;
  scanner: Part;
  /** Moves the focus to the message box, or to Home. */
  skip(): void;
}): Frame {
  const head = el('header', { class: 'head' });
  const offline = el('div', { class: 'offline', role: 'status' }, 'The workspace is not responding. Reconnecting…');
  offline.hidden = true;
  const names: Readonly<Record<Tab, string>> = { channels: 'Channels', chat: 'Chat', scanner: 'Scanner' };
  const buttons = (Object.keys(names) as Tab[]).map((tab) =>
    pushButton({ class: 'tab', 'data-test': 'tab', 'data-tab': tab, onclick: () => showTab(tab) }, names[tab]),
  );
  const main = el('main', { class: 'main' }, head, offline, parts.conversation.node, parts.home.node);
  const skip = pushButton({ class: 'button skip', 'data-test': 'skip', onclick: () => skipping() });
  const node = el(
    'div',
    { class: 'frame' },
    el(
      'section',
      { class: 'first', 'aria-label': document.title },
      el('h1', { class: 'for-readers' }, document.title),
      skip,
    ),
    parts.sidebar.node,
    main,
    parts.modals.node,
    parts.guide.node,
    el(
      'aside',
      { class: 'aside', 'aria-label': 'Scanner' },
      el('h2', { class: 'aside-head' }, appMark(), 'Scanner'),
      parts.scanner.node,
    ),
    el('nav', { class: 'tabs', 'aria-label': 'Parts of the page' }, ...buttons),
  );
  const showTab = (tab: Tab): void => {
    node.setAttribute('data-tab', tab);
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.tab === tab));
  };
  const skipping = (): void => {
    showTab('chat');
    parts.skip();
  };
  showTab('chat');
  return {
    node,
    head,
    showTab,
    showPlace(kind) {
      parts.conversation.node.hidden = kind !== 'channel';
      parts.home.node.hidden = kind !== 'home';
      skip.textContent = `Skip to ${kind === 'home' ? 'Home' : 'the message box'}`;
    },
    setOnline(online) {
      offline.hidden = online;
    },
    cover(is) {
      for (const part of [skip, parts.sidebar.node, main]) part.inert = is;
      if (is) showTab('chat');
    },
    widen(is) {
      node.toggleAttribute('data-thread', is);
    },
  };
}
