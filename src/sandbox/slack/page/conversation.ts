/**
 * The channel that is open: its messages, a thread of it at the side, and what one says in either. Both are drawn from one
 * answer of the workspace, so that they never disagree.
 */
import type { ShownMessage, WorkspaceState } from '../api.js';
import { type Client, RequestFailed } from './client.js';
import type { Directory } from './context.js';
import { el } from './dom.js';
import type { FormState } from './form-state.js';
import { createRefresher } from './live.js';
import { type Composer, createComposer } from './shell/composer.js';
import { channelLine } from './shell/message-order.js';
import { createMessageList } from './shell/messages.js';
import { createNotice, type Notice } from './shell/notice.js';
import { createThread } from './shell/thread.js';
import { commandFailed, messageFailed } from './shell/words.js';
import type { SurfaceOf } from './surfaces.js';

export interface Conversation {
  readonly node: HTMLElement;
  readonly notice: Notice;
  readonly composer: Pick<Composer, 'focus' | 'write'>;
  /** Another channel, or none: what was said of the last one goes, and its thread closes. */
  turnTo(channel: string | undefined): void;
  /** `locked`: why nobody may write here. */
  show(state: WorkspaceState, invites: string, locked: string | undefined): void;
  /** Asks the workspace again. */
  refresh(): Promise<void>;
}

export interface ConversationDeps {
  readonly client: Client;
  state(): WorkspaceState;
  directory(): Directory;
  readonly surface: SurfaceOf;
  shortcut(callbackId: string, message?: ShownMessage): void;
  attempt(work: () => Promise<void>): Promise<void>;
  /** Tells of its own failures while `work` is under way. */
  asked<T>(work: Promise<T>): Promise<T>;
  /** The frame makes room for a thread. */
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
    (where: Notice, threadTs: () => string | undefined) =>
    async (text: string): Promise<boolean> => {
      if (channel === undefined) return false;
      const command = /^\s*(\/[a-z]\S*)/i.exec(text)?.[1];
      try {
        const result = await deps.asked(client.say(channel, text, threadTs()));
        if (!result.ok) {
          const code = result.error ?? 'unknown';
          where.say(command ? commandFailed(command, code) : messageFailed(code));
          return false;
        }
        await refresh();
        return true;
      } catch (error) {
        const why = error instanceof RequestFailed ? error.message : 'Something went wrong on this page.';
        where.say(`${why} Your text is back in the box.`);
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
    side.node.hidden = root === undefined;
    threadNotice.clear();
    deps.onThread(root !== undefined);
    draw();
  };
  const list = createMessageList('channel', {
    ...actions,
    openThread(message, reply) {
      cameFrom = message.ts;
      openThread(message.ts);
      if (reply) side.focus();
    },
  });
  const composer = createComposer('', notice, { ...actions, send: send(notice, () => undefined) });
  const side = createThread(threadNotice, {
    ...actions,
    send: send(threadNotice, () => thread),
    close() {
      openThread(undefined);
      // Back to where one was reading.
      const from = cameFrom && list.node.querySelector<HTMLElement>(`[data-ts="${CSS.escape(cameFrom)}"] button`);
      if (from) from.focus();
      else composer.focus();
    },
  });

  const draw = (): void => {
    if (channel === undefined) return;
    const state = deps.state();
    list.show(channel, channelLine(messages), state, deps.directory());
    if (thread !== undefined) side.show(thread, messages, state, deps.directory());
  };

  const refresh = createRefresher(async () => {
    const asked = channel;
    if (asked === undefined) return;
    const found = await client.messages(asked);
    if (channel !== asked) return;
    messages = found;
    deps.onMessages(found);
    draw();
  });

  return {
    node: el('div', { class: 'conversation' }, el('div', { class: 'talk' }, list.node, composer.node), side.node),
    notice,
    composer,
    turnTo(next) {
      notice.clear();
      if (next === channel) return;
      openThread(undefined);
      channel = next;
      messages = [];
    },
    show(state, invites, locked) {
      composer.show(state, invites);
      composer.close(locked);
      side.lock(locked);
    },
    refresh,
  };
}
