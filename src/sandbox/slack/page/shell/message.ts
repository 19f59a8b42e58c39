/** One message: author, time, blocks and actions. An ephemeral message is marked as visible to this person only. */
import type { ShownMessage, WorkspaceState } from '../../api.js';
import { blocksIn, drawBlock } from '../blocks/index.js';
import type { Directory, Surface } from '../context.js';
import { dayName, fullTime, timeOfDay } from '../dates.js';
import { el, pushButton } from '../dom.js';
import type { FormState } from '../form-state.js';
import { isRecord, type Json } from '../json.js';
import { drawMrkdwn } from '../mrkdwn.js';
import { avatar } from './avatar.js';
import { drawExtras } from './message-extras.js';
import { type PlacedMessage, secondsOf } from './message-order.js';

export interface MessageActions {
  /** The surface on which a message's blocks are drawn. */
  surface(message: ShownMessage, form: FormState): Surface;
  shortcut(callbackId: string, message: ShownMessage): void;
  /** Opens the message's thread, in its composer if `reply`; absent in a thread. */
  openThread?(message: ShownMessage, reply: boolean): void;
}

/** All blocks that can have inputs or controls, including those of attachments. */
export function blocksOf(message: ShownMessage): readonly Json[] {
  const attached = (message.attachments ?? []).filter(isRecord).flatMap((one) => blocksIn(one.blocks));
  return [...blocksIn(message.blocks), ...attached];
}

function content(message: ShownMessage, surface: Surface): HTMLElement[] {
  const blocks = blocksIn(message.blocks);
  const main =
    blocks.length > 0
      ? blocks.map((block) => drawBlock(block, surface))
      : message.text === ''
        ? []
        : [drawMrkdwn(message.text, surface.directory)];
  return [...main, ...drawExtras(message, surface)];
}

function toolbar(message: ShownMessage, state: WorkspaceState, actions: MessageActions): HTMLElement | false {
  if (message.ephemeral_for) return false;
  const tool = (test: string, words: string, onclick: () => void, callbackId?: string): HTMLElement =>
    pushButton({ class: 'tool', 'data-test': test, 'data-callback-id': callbackId, onclick }, words);
  const { openThread } = actions;
  const tools = [
    ...(openThread ? [tool('reply', 'Reply in thread', () => openThread(message, true))] : []),
    ...state.shortcuts
      .filter(({ type }) => type === 'message')
      .map(({ callback_id: id, name }) => tool('message-shortcut', name, () => actions.shortcut(id, message), id)),
  ];
  return (
    tools.length > 0 && el('div', { class: 'message-tools', role: 'group', 'aria-label': 'Message actions' }, ...tools)
  );
}

function replies(item: PlacedMessage, directory: Directory, actions: MessageActions): HTMLElement | false {
  const { message, thread } = item;
  if (!thread) return false;
  const zone = directory.me.tz;
  const last = Number.parseFloat(thread.lastTs) * 1000;
  const day = dayName(zone, last, directory.now());
  const count = thread.replies === 1 ? '1 reply' : `${thread.replies} replies`;
  return pushButton(
    { class: 'replies', 'data-test': 'replies', onclick: () => actions.openThread?.(message, false) },
    el('span', {}, thread.replies === 0 ? 'Thread' : count),
    el('span', { class: 'replies-last' }, `Last reply ${day === 'Today' ? '' : `${day}, `}${timeOfDay(zone, last)}`),
  );
}

export function drawMessage(
  item: PlacedMessage,
  form: FormState,
  state: WorkspaceState,
  directory: Directory,
  actions: MessageActions,
): HTMLElement {
  const { message } = item;
  const person = state.people.find((one) => one.id === message.user);
  const isApp = person?.is_bot === true || message.user === state.app.bot_user_id;
  const slackbot = message.user === 'USLACKBOT' ? { ...state.me, name: 'Slackbot', real_name: 'Slackbot' } : undefined;
  const author = person ?? slackbot;
  const name = isApp
    ? state.app.name
    : (slackbot && message.from_app) || author?.real_name || author?.name || message.user;
  const ms = secondsOf(message) * 1000;
  const zone = directory.me.tz;
  const time = el('time', { datetime: new Date(ms).toISOString(), title: fullTime(zone, ms) }, timeOfDay(zone, ms));
  return el(
    'article',
    {
      class: ['message', item.follows && 'message-follows', message.ephemeral_for && 'message-only-you']
        .filter(Boolean)
        .join(' '),
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
      item.follows ? time : avatar(isApp ? { ...(person ?? state.me), is_bot: true } : author),
    ),
    el(
      'div',
      { class: 'message-main' },
      message.ephemeral_for && el('div', { class: 'only-you', 'data-test': 'only-you' }, 'Only visible to you'),
      message.subtype === 'thread_broadcast' &&
        el('div', { class: 'only-you', 'data-test': 'broadcast' }, 'replied to a thread'),
      !item.follows && el('header', {}, el('strong', {}, name), isApp && el('span', { class: 'badge' }, 'APP'), time),
      el('div', { class: 'blocks' }, ...content(message, actions.surface(message, form))),
      message.edited && el('span', { class: 'edited', 'data-test': 'edited' }, '(edited)'),
      replies(item, directory, actions),
    ),
    toolbar(message, state, actions),
  );
}
