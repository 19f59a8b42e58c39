/**
 * The open channel: its messages, an open thread and their composers. Channel and thread are drawn from the same
 * response, so that they never disagree.
 */
import type { ShownMessage, WorkspaceState } from '../api.js';
import { type Client, RequestFailed } from './client.js';
import type { Directory } from './context.js';
import { el } from './dom.js';
import type { FormState } from './form-state.js';
import { createRefresher } from './live.js';
import { type Composer, createComposer } from './shell/composer.js';
import { commandFailed, messageFailed, notInChannel } from './shell/error-messages.js';
import { channelLine } from './shell/message-order.js';
import { createMessageList, type MessageList } from './shell/messages.js';
import { createNotice, type Notice } from './shell/notice.js';
import { createThread } from './shell/thread.js';
import type { SurfaceOf } from './surfaces.js';

export interface Conversation {
  readonly node: HTMLElement;
  readonly notice: Notice;
  readonly composer: Pick<Composer, 'focus' | 'write'>;
  /** Opens another channel, or none: clears the notice of the last one and closes its thread. */
  turnTo(channel: string | undefined): void;
  /** Shows the channel. `locked`: why the person cannot post in it. */
  show(state: WorkspaceState, placeholder: string, locked: string | undefined): void;
  /** Reloads the messages. */
  refresh(): Promise<void>;
}

export interface ConversationDeps {
  readonly client: Client;
  state(): WorkspaceState;
  directory(): Directory;
  readonly surface: SurfaceOf;
  shortcut(callbackId: string, message?: ShownMessage): void;
  attempt(work: () => Promise<void>): Promise<void>;
  /** Waits for a request whose failure its caller reports, so that the page does not report it again. */
  waitFor<T>(work: Promise<T>): Promise<T>;
  /** Called when a thread opens or closes: the frame makes room for an open one. */
  onThread(open: boolean): void;
  onMessages(messages: readonly ShownMessage[]): void;
}

export function createConversation(deps: ConversationDeps): Conversation {
  const { client } = deps;
  let channel: string | undefined;
  let thread: string | undefined;
  let messages: readonly ShownMessage[] = [];
  let cameFrom: string | undefined;
  const notice = createNotice();
  const threadNotice = createNotice();

  const send =
    (where: Notice, place: () => MessageList, threadTs: () => string | undefined) =>
    async (text: string, newFiles: readonly File[]): Promise<boolean> => {
      if (channel === undefined) return false;
      const command = /^\s*(\/[a-z]\S*)/i.exec(text)?.[1];
      try {
        const files: string[] = [];
        for (const file of newFiles) files.push((await client.upload(file)).id);
        const result = await deps.waitFor(client.say(channel, text, threadTs(), files.length > 0 ? files : undefined));
        if (!result.ok) {
          const code = result.error ?? 'unknown';
          where.say(command ? commandFailed(command, code) : messageFailed(code));
          return false;
        }
        if (result.app_not_in_channel) where.say(notInChannel(deps.state().app.name));
        place().follow();
        await refresh();
        return true;
      } catch (error) {
        const why = error instanceof RequestFailed ? error.message : 'Something went wrong on this page.';
        where.say(`${why} Your text is back in the message box.`);
        return false;
      }
    };

  const actions = {
    surface: (message: ShownMessage, form: FormState) =>
      deps.surface('message', { type: 'message', channel: message.channel, ts: message.ts }, form),
    shortcut: (callbackId: string, message?: ShownMessage) => deps.shortcut(callbackId, message),
  };
  const openThread = (root: string | undefined): void => {
    thread = root;
    threadPane.node.hidden = root === undefined;
    threadNotice.clear();
    deps.onThread(root !== undefined);
    draw();
  };
  const list = createMessageList('channel', {
    ...actions,
    openThread(message, reply) {
      cameFrom = message.ts;
      openThread(message.ts);
      if (reply) threadPane.focus();
    },
  });
  const composer = createComposer('', notice, {
    ...actions,
    send: send(
      notice,
      () => list,
      () => undefined,
    ),
  });
  const threadPane = createThread(threadNotice, {
    ...actions,
    send: send(
      threadNotice,
      () => threadPane.list,
      () => thread,
    ),
    close() {
      openThread(undefined);
      // The focus returns to the message from which the thread was opened.
      const from = cameFrom && list.node.querySelector<HTMLElement>(`[data-ts="${CSS.escape(cameFrom)}"] button`);
      if (from) from.focus();
      else composer.focus();
    },
  });

  const draw = (): void => {
    if (channel === undefined) return;
    const state = deps.state();
    list.show(channel, channelLine(messages), state, deps.directory());
    if (thread !== undefined) threadPane.show(thread, messages, state, deps.directory());
  };

  const refresh = createRefresher(async () => {
    const askedChannel = channel;
    if (askedChannel === undefined) return;
    const found = await client.messages(askedChannel);
    if (channel !== askedChannel) return;
    messages = found;
    deps.onMessages(found);
    draw();
  });

  return {
    node: el('div', { class: 'conversation' }, el('div', { class: 'talk' }, list.node, composer.node), threadPane.node),
    notice,
    composer,
    turnTo(next) {
      notice.clear();
      if (next === channel) return;
      openThread(undefined);
      channel = next;
      messages = [];
    },
    show(state, placeholder, locked) {
      composer.show(state, placeholder);
      composer.close(locked);
      threadPane.lock(locked);
    },
    refresh,
  };
}
