/**
 * Draws a channel's messages: by day, grouped by who wrote them, answers in a thread under what they answer, and what only
 * this person sees marked as such.
 */
import type { ShownMessage, WorkspaceState } from '../../api.js';
import { blocksIn, drawBlock } from '../blocks/index.js';
import type { Directory, Surface } from '../context.js';
import { dayName, fullTime, timeOfDay } from '../dates.js';
import { el } from '../dom.js';
import { createFormState, type FormState } from '../form-state.js';
import { isRecord } from '../json.js';
import { createKeyedList, type KeyedPart } from '../keyed-list.js';
import { drawMrkdwn } from '../mrkdwn.js';
import { avatar } from './avatar.js';
import { drawExtras } from './message-extras.js';

export interface MessageActions {
  /** The surface a message's blocks are drawn for. */
  surface(message: ShownMessage, form: FormState): Surface;
  reply(message: ShownMessage): void;
  shortcut(callbackId: string, message: ShownMessage): void;
}

export interface MessageList {
  readonly node: HTMLElement;
  show(channel: string, messages: readonly ShownMessage[], state: WorkspaceState, directory: Directory): void;
}

const together = 5 * 60;

const seconds = (message: ShownMessage): number => Number.parseFloat(message.ts);

/** A card stands by itself; only lines of talk share a name. */
const isWords = (message: ShownMessage): boolean => blocksIn(message.blocks).length === 0;

interface Placed {
  readonly message: ShownMessage;
  readonly reply: boolean;
  /** Follows one of the same writer closely enough to share its name. */
  readonly follows: boolean;
  readonly replies: number;
}

/** Messages in their order, each thread's answers right after its first message. */
function placed(messages: readonly ShownMessage[]): Placed[] {
  const roots = new Set(messages.filter((one) => !one.thread_ts || one.thread_ts === one.ts).map((one) => one.ts));
  const isReply = (one: ShownMessage): boolean =>
    one.thread_ts !== undefined && one.thread_ts !== one.ts && roots.has(one.thread_ts);
  const threads = new Map<string | undefined, ShownMessage[]>();
  for (const one of messages.filter(isReply)) {
    threads.set(one.thread_ts, [...(threads.get(one.thread_ts) ?? []), one]);
  }
  const result: Placed[] = [];
  let last: ShownMessage | undefined;
  const add = (message: ShownMessage, reply: boolean, replies: number): void => {
    const follows =
      last !== undefined &&
      last.user === message.user &&
      last.ephemeral_for === message.ephemeral_for &&
      isWords(last) &&
      isWords(message) &&
      seconds(message) - seconds(last) < together &&
      (!reply || result.at(-1)?.reply === true);
    result.push({ message, reply, follows, replies });
    last = message;
  };
  for (const message of messages) {
    if (isReply(message)) continue;
    const answers = threads.get(message.ts) ?? [];
    add(message, false, answers.length);
    for (const answer of answers) add(answer, true, 0);
    if (answers.length > 0) last = undefined;
  }
  return result;
}

export function createMessageList(actions: MessageActions): MessageList {
  const column = el('div', { class: 'messages-column', role: 'log', 'aria-label': 'Messages' });
  const newest = el(
    'button',
    {
      type: 'button',
      class: 'button to-newest',
      onclick: () => {
        node.scrollTop = node.scrollHeight;
      },
    },
    'New messages ↓',
  );
  newest.hidden = true;
  const node = el(
    'div',
    { class: 'messages', role: 'region', tabindex: '0', 'aria-label': 'Messages', onscroll: () => seen() },
    column,
  );
  const holder = el('div', { class: 'messages-holder' }, node, newest);
  const list = createKeyedList(column);
  const forms = new Map<string, FormState>();
  let channelShown = '';
  let lastTs = '';

  const atBottom = (): boolean => node.scrollHeight - node.scrollTop - node.clientHeight < 80;
  let stuck = true;
  const seen = (): void => {
    stuck = atBottom();
    if (stuck) newest.hidden = true;
  };
  // A notice or a longer text in the composer takes height: who was at the newest message stays there.
  new ResizeObserver(() => {
    if (stuck) node.scrollTop = node.scrollHeight;
  }).observe(node);

  const content = (message: ShownMessage, directory: Directory): HTMLElement[] => {
    const blocks = blocksIn(message.blocks);
    const attached = (message.attachments ?? []).filter(isRecord).flatMap((one) => blocksIn(one.blocks));
    const key = `${message.channel} ${message.ts}`;
    const form = forms.get(key) ?? createFormState();
    forms.set(key, form);
    form.keepOnly([...blocks, ...attached]);
    const surface = actions.surface(message, form);
    const main =
      blocks.length > 0
        ? blocks.map((block) => drawBlock(block, surface))
        : message.text === ''
          ? []
          : [drawMrkdwn(message.text, directory)];
    return [...main, ...drawExtras(message, surface)];
  };

  const toolbar = (message: ShownMessage, state: WorkspaceState): HTMLElement | false => {
    if (message.ephemeral_for) return false;
    return el(
      'div',
      { class: 'message-tools', role: 'toolbar', 'aria-label': 'Message actions' },
      el(
        'button',
        { type: 'button', class: 'tool', 'data-test': 'reply', onclick: () => actions.reply(message) },
        'Reply',
      ),
      ...state.shortcuts
        .filter((shortcut) => shortcut.type === 'message')
        .map((shortcut) =>
          el(
            'button',
            {
              type: 'button',
              class: 'tool',
              'data-test': 'message-shortcut',
              'data-callback-id': shortcut.callback_id,
              onclick: () => actions.shortcut(shortcut.callback_id, message),
            },
            shortcut.name,
          ),
        ),
    );
  };

  const draw = (item: Placed, state: WorkspaceState, directory: Directory): HTMLElement => {
    const { message } = item;
    const person = state.people.find((one) => one.id === message.user);
    const isApp = person?.is_bot === true || message.user === state.app.bot_user_id;
    const name = isApp ? state.app.name : person?.real_name || person?.name || message.user;
    const ms = seconds(message) * 1000;
    const zone = directory.me.tz;
    const time = el('time', { datetime: new Date(ms).toISOString(), title: fullTime(zone, ms) }, timeOfDay(zone, ms));
    const classes = [
      'message',
      item.follows && 'message-follows',
      item.reply && 'message-reply',
      message.ephemeral_for && 'message-only-you',
    ];
    return el(
      'article',
      {
        class: classes.filter(Boolean).join(' '),
        'data-test': 'message',
        'data-ts': message.ts,
        'data-user': message.user,
        'data-ephemeral': message.ephemeral_for ? 'true' : undefined,
        'data-thread': message.thread_ts,
        'aria-label': `${name}, ${timeOfDay(zone, ms)}`,
      },
      el(
        'div',
        { class: 'message-side' },
        item.follows ? time : avatar(isApp ? { ...(person ?? state.me), is_bot: true } : person),
      ),
      el(
        'div',
        { class: 'message-main' },
        !item.follows &&
          message.ephemeral_for &&
          el('div', { class: 'only-you', 'data-test': 'only-you' }, 'Only visible to you'),
        !item.follows && el('header', {}, el('strong', {}, name), isApp && el('span', { class: 'badge' }, 'APP'), time),
        el('div', { class: 'blocks' }, ...content(message, directory)),
        message.edited && el('span', { class: 'edited', 'data-test': 'edited' }, '(edited)'),
        item.replies > 0 &&
          el('div', { class: 'muted replies' }, item.replies === 1 ? '1 reply' : `${item.replies} replies`),
      ),
      toolbar(message, state),
    );
  };

  return {
    node: holder,
    show(channel, messages, state, directory) {
      const stick = channel !== channelShown || stuck;
      const people = JSON.stringify([
        state.people,
        state.channels.map((one) => [one.id, one.name]),
        state.shortcuts,
        directory.me.id,
      ]);
      const parts: KeyedPart[] = [];
      let day = '';
      for (const item of placed(messages)) {
        const name = dayName(directory.me.tz, seconds(item.message) * 1000, directory.now());
        if (name !== day && !item.reply) {
          day = name;
          parts.push({
            key: `day ${name}`,
            signature: name,
            draw: () => el('div', { class: 'day', role: 'separator' }, el('span', {}, name)),
          });
        }
        parts.push({
          key: `${channel} ${item.message.ts}`,
          signature: JSON.stringify([item, people]),
          draw: () => draw(item, state, directory),
        });
      }
      if (parts.length === 0) {
        parts.push({
          key: `empty ${channel}`,
          signature: '',
          draw: () => el('p', { class: 'empty' }, 'Nothing here yet. Say something, or type / to see the commands.'),
        });
      }
      list.show(parts);
      const newestTs = messages.at(-1)?.ts ?? '';
      if (stick) node.scrollTop = node.scrollHeight;
      else if (newestTs > lastTs) newest.hidden = false;
      if (stick) newest.hidden = true;
      stuck = stick;
      lastTs = newestTs;
      channelShown = channel;
    },
  };
}
