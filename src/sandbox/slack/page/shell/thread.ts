/** The thread pane: the parent message, its replies and a composer. Commands do not work in it, as in Slack. */
import type { ShownMessage, WorkspaceState } from '../../api.js';
import type { Directory } from '../context.js';
import { el, freshId, pushButton } from '../dom.js';
import { createComposer } from './composer.js';
import type { MessageActions } from './message.js';
import { threadLine } from './message-order.js';
import { createMessageList, type MessageList } from './messages.js';
import type { Notice } from './notice.js';

export interface Thread {
  readonly node: HTMLElement;
  readonly list: MessageList;
  show(root: string, messages: readonly ShownMessage[], state: WorkspaceState, directory: Directory): void;
  /** Closes the composer, and says why the person cannot reply; undefined opens it again. */
  lock(why: string | undefined): void;
  focus(): void;
}

export function createThread(
  notice: Notice,
  actions: Omit<MessageActions, 'openThread'> & {
    send(text: string, files: readonly File[]): Promise<boolean>;
    close(): void;
  },
): Thread {
  const titleId = freshId('thread');
  const list = createMessageList('thread', actions);
  const composer = createComposer('thread-', notice, { send: actions.send });
  const node = el(
    'section',
    {
      class: 'thread',
      'data-test': 'thread',
      'aria-labelledby': titleId,
      onkeydown: (event: KeyboardEvent) => {
        if (event.key === 'Escape' && !event.defaultPrevented) actions.close();
      },
    },
    el(
      'header',
      { class: 'thread-head' },
      el('h2', { id: titleId }, 'Thread'),
      pushButton(
        {
          class: 'icon-button',
          'aria-label': 'Close the thread',
          'data-test': 'thread-close',
          onclick: () => actions.close(),
        },
        '×',
      ),
    ),
    list.node,
    composer.node,
  );
  node.hidden = true;
  return {
    node,
    list,
    show(root, messages, state, directory) {
      list.show(root, threadLine(messages, root), state, directory);
      composer.show({ ...state, commands: [], shortcuts: [] }, 'Reply…');
    },
    lock: (why) => composer.close(why),
    focus: () => composer.focus(),
  };
}
