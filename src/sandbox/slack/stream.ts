/**
 * Server-sent events to open pages. Except for a notice, an event says only what kind of record changed: the page
 * requests the content, so that nobody receives data from a channel they cannot see.
 */
import type { ServerResponse } from 'node:http';
import type { StreamEvent } from './api.js';

export interface Streams {
  open(person: string, res: ServerResponse): void;
  /** Sends an event to one person's pages. */
  tell(person: string, event: StreamEvent): void;
  /** Sends an event to everybody for whom `isRecipient` returns true. */
  tellAll(event: StreamEvent, isRecipient: (person: string) => boolean): void;
  close(): void;
}

export function createStreams(): Streams {
  const pages = new Map<ServerResponse, string>();
  const writeEvent = (res: ServerResponse, event: StreamEvent): void => {
    res.write(`data: ${JSON.stringify(event)}\n\n`);
  };
  return {
    open(person, res) {
      res.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        connection: 'keep-alive',
        'x-accel-buffering': 'no',
      });
      res.write('retry: 1000\n\n');
      pages.set(res, person);
      res.on('close', () => pages.delete(res));
    },
    tell(person, event) {
      for (const [res, viewer] of pages) {
        if (viewer === person) {
          writeEvent(res, event);
        }
      }
    },
    tellAll(event, isRecipient) {
      for (const [res, person] of pages) {
        if (isRecipient(person)) {
          writeEvent(res, event);
        }
      }
    },
    close() {
      for (const res of pages.keys()) {
        res.end();
      }
      pages.clear();
    },
  };
}
