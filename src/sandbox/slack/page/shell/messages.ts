/**
 * A scrolling list of messages: a channel's, by day, or a thread's. It follows new messages at its end; further up, it
 * keeps the position and says that there are new ones.
 */
import type { WorkspaceState } from '../../api.js';
import type { Directory } from '../context.js';
import { dayName } from '../dates.js';
import { el, pushButton } from '../dom.js';
import { createFormState, type FormState } from '../form-state.js';
import { createKeyedList, type KeyedPart } from '../keyed-list.js';
import { blocksOf, drawMessage, type MessageActions } from './message.js';
import { type PlacedMessage, secondsOf } from './message-order.js';

export interface MessageList {
  readonly node: HTMLElement;
  /** `place`: the channel or thread; a new one starts at its end. */
  show(place: string, line: readonly PlacedMessage[], state: WorkspaceState, directory: Directory): void;
  /** Scrolls to the end, and on with new messages: the person has just written one. */
  follow(): void;
}

const separator = (words: string): HTMLElement =>
  el('div', { class: 'day', role: 'separator', 'aria-label': words }, el('span', {}, words));

export function createMessageList(kind: 'channel' | 'thread', actions: MessageActions): MessageList {
  const label = kind === 'channel' ? 'Messages' : 'Replies';
  const column = el('div', { class: 'messages-column', role: 'log', 'aria-label': label });
  /** The scroll position at the end; if the last message is higher than the window, at its beginning. */
  const end = (): number => {
    const last = column.lastElementChild;
    const rest = last instanceof HTMLElement ? column.offsetTop + column.offsetHeight - last.offsetTop : 0;
    return node.scrollHeight - Math.max(node.clientHeight, rest);
  };
  const toEnd = (): void => {
    node.scrollTop = Math.max(node.scrollTop, end());
  };
  const newest = pushButton({ class: 'button to-newest', onclick: toEnd }, 'New messages ↓');
  newest.hidden = true;
  const node = el(
    'div',
    { class: 'messages', role: 'region', tabindex: '0', 'aria-label': label, onscroll: () => onScroll() },
    column,
  );
  const list = createKeyedList(column);
  const forms = new Map<string, FormState>();
  let shownConversation = '';
  let lastTs = '';

  let isAtEnd = true;
  const onScroll = (): void => {
    isAtEnd = end() - node.scrollTop < 80;
    if (isAtEnd) newest.hidden = true;
  };
  // At its end, the list stays there when a notice, a longer text in the composer or a loaded image changes the height.
  const resizeObserver = new ResizeObserver(() => {
    if (isAtEnd) toEnd();
  });
  for (const one of [node, column]) resizeObserver.observe(one);

  const formOf = ({ message }: PlacedMessage): FormState => {
    const key = `${message.channel} ${message.ts}`;
    const form = forms.get(key) ?? createFormState();
    forms.set(key, form);
    form.keepOnly(blocksOf(message));
    return form;
  };

  const partsOf = (
    place: string,
    line: readonly PlacedMessage[],
    state: WorkspaceState,
    directory: Directory,
  ): KeyedPart[] => {
    const around = JSON.stringify([
      state.people,
      state.channels.map(({ id, name }) => [id, name]),
      state.shortcuts,
      directory.me.id,
    ]);
    const parts: KeyedPart[] = [];
    const divide = (words: string): void => {
      parts.push({ key: `divider ${words}`, signature: '', draw: () => separator(words) });
    };
    let day = '';
    for (const [index, item] of line.entries()) {
      const name = dayName(directory.me.tz, secondsOf(item.message) * 1000, directory.now());
      const begins = kind === 'channel' && name !== day;
      if (begins) divide(name);
      day = name;
      if (kind === 'thread' && index === 1) divide(line.length === 2 ? '1 reply' : `${line.length - 1} replies`);
      const drawn = begins ? { ...item, follows: false } : item;
      parts.push({
        key: `${place} ${item.message.ts}`,
        signature: JSON.stringify([drawn, around]),
        draw: () => drawMessage(drawn, formOf(item), state, directory, actions),
      });
    }
    return parts;
  };

  const emptyPart = (place: string): KeyedPart => ({
    key: `empty ${place}`,
    signature: '',
    draw: () =>
      el(
        'p',
        { class: 'empty' },
        kind === 'channel' ? 'No messages yet.' : 'This message and its thread were deleted.',
      ),
  });

  return {
    node: el('div', { class: 'messages-holder' }, node, newest),
    follow() {
      isAtEnd = true;
      toEnd();
    },
    show(place, line, state, directory) {
      const staysAtEnd = place !== shownConversation || isAtEnd;
      const parts = partsOf(place, line, state, directory);
      list.show(parts.length > 0 ? parts : [emptyPart(place)]);
      const newestTs = line.at(-1)?.message.ts ?? '';
      if (place !== shownConversation) node.scrollTop = 0;
      if (staysAtEnd) {
        toEnd();
        newest.hidden = true;
      } else if (newestTs > lastTs) newest.hidden = false;
      isAtEnd = staysAtEnd;
      lastTs = newestTs;
      shownConversation = place;
    },
  };
}
