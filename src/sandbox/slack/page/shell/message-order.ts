/**
 * The order and grouping of messages in a channel and in a thread: pure functions. Replies show in the thread only,
 * unless they were sent to the channel too; the channel shows their count.
 */
import type { ShownMessage } from '../../api.js';

export interface PlacedMessage {
  readonly message: ShownMessage;
  /** Whether the message follows one of the same author closely enough to share its heading. */
  readonly follows: boolean;
  /** The summary of the thread that a channel shows below its first message. */
  readonly thread?: { readonly replies: number; readonly lastTs: string };
}

const groupingSeconds = 5 * 60;

export const secondsOf = (message: ShownMessage): number => Number.parseFloat(message.ts);

function follows(message: ShownMessage, last: PlacedMessage | undefined): boolean {
  return (
    last !== undefined &&
    last.thread === undefined &&
    last.message.user === message.user &&
    last.message.ephemeral_for === message.ephemeral_for &&
    secondsOf(message) - secondsOf(last.message) < groupingSeconds
  );
}

/** The thread of a reply; undefined also where the parent is gone or not loaded: the channel then shows the reply. */
function threadOf(message: ShownMessage, roots: ReadonlySet<string>): string | undefined {
  const { ts, thread_ts: thread } = message;
  return thread !== undefined && thread !== ts && roots.has(thread) ? thread : undefined;
}

const rootsOf = (messages: readonly ShownMessage[]): ReadonlySet<string> =>
  new Set(messages.filter((one) => one.thread_ts === undefined || one.thread_ts === one.ts).map((one) => one.ts));

export function channelLine(messages: readonly ShownMessage[]): readonly PlacedMessage[] {
  const roots = rootsOf(messages);
  const threads = new Map<string, { replies: number; lastTs: string }>();
  for (const message of messages) {
    const root = threadOf(message, roots);
    if (root === undefined) continue;
    // Others cannot see an ephemeral message, so it does not count as a reply.
    const counted = message.ephemeral_for === undefined ? 1 : 0;
    threads.set(root, { replies: (threads.get(root)?.replies ?? 0) + counted, lastTs: message.ts });
  }
  const line: PlacedMessage[] = [];
  for (const message of messages) {
    if (threadOf(message, roots) !== undefined && message.subtype !== 'thread_broadcast') continue;
    const thread = threads.get(message.ts);
    line.push({ message, follows: follows(message, line.at(-1)), ...(thread ? { thread } : {}) });
  }
  return line;
}

/** The thread's parent and its replies; empty if the parent is gone. */
export function threadLine(messages: readonly ShownMessage[], root: string): readonly PlacedMessage[] {
  const first = messages.find((one) => one.ts === root);
  if (!first) return [];
  const line: PlacedMessage[] = [{ message: first, follows: false }];
  for (const message of messages) {
    if (message.thread_ts !== root || message.ts === root) continue;
    line.push({ message, follows: line.length > 1 && follows(message, line.at(-1)) });
  }
  return line;
}
