/** The page's event stream, reopened after it breaks, and a refresher that never queues more than one request. */
import type { StreamEvent } from '../api.js';

export interface Live {
  close(): void;
}

/** Listens to the stream. `onAgain`: called when the stream is back after a gap, in which anything may have changed. */
export function listen(
  as: string,
  handlers: { onEvent(event: StreamEvent): void; onLost(): void; onAgain(): void },
): Live {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lost = false;
  let closed = false;
  const open = (): void => {
    source = new EventSource(`/sandbox/stream?as=${encodeURIComponent(as)}`);
    source.onopen = () => {
      if (lost) handlers.onAgain();
      lost = false;
    };
    source.onmessage = (message: MessageEvent<string>) => handlers.onEvent(JSON.parse(message.data) as StreamEvent);
    source.onerror = () => {
      if (closed) return;
      if (!lost) handlers.onLost();
      lost = true;
      // The browser reconnects by itself, except after a response that was not a stream.
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(open, 2000);
    };
  };
  open();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      source?.close();
    },
  };
}

/** Runs `work` now, or once more after the current run: however many calls, at most one is pending. */
export function createRefresher(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = (): Promise<void> => {
    if (!running) {
      running = work().finally(() => {
        running = undefined;
      });
      return running;
    }
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return run();
      });
    return next;
  };
  return run;
}
