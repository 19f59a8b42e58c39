/** Request body reader with limits on size and time. One watch serves all bodies, so that a fast one costs no timer. */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../clock.js';
import { RelayError } from './errors.js';

export interface BodyReader {
  /** @throws RelayError `relay.body_too_large`, `relay.body_slow`, `relay.body_cut` */
  read(req: IncomingMessage): Promise<Buffer>;
}

export interface BodyLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

interface Reading {
  readonly since: number;
  readonly chunks: Buffer[];
  size: number;
  readonly resolve: (body: Buffer) => void;
  readonly reject: (error: RelayError) => void;
}

export function createBodyReader(deps: { clock: Clock } & BodyLimits): BodyReader {
  const { clock, maxBytes, timeoutMs } = deps;
  const reading = new Map<IncomingMessage, Reading>();
  let watching = false;

  const leave = (req: IncomingMessage): Reading | undefined => {
    const found = reading.get(req);
    reading.delete(req);
    req.off('data', onData).off('end', onEnd).off('close', onCut);
    return found;
  };
  const fail = (req: IncomingMessage, error: RelayError): void => leave(req)?.reject(error);

  // Shared by all requests, which are `this`: a closure for each would be most of a scan's garbage.
  function onData(this: IncomingMessage, chunk: Buffer): void {
    const one = reading.get(this);
    if (!one) {
      return;
    }
    one.size += chunk.length;
    if (one.size > maxBytes) {
      fail(this, new RelayError('relay.body_too_large', 'the body is larger than a scan can be'));
    } else {
      one.chunks.push(chunk);
    }
  }
  function onEnd(this: IncomingMessage): void {
    const one = leave(this);
    one?.resolve(one.chunks.length === 1 ? one.chunks[0]! : Buffer.concat(one.chunks, one.size));
  }
  function onCut(this: IncomingMessage, cause?: unknown): void {
    if (reading.has(this)) {
      fail(this, new RelayError('relay.body_cut', 'the sender went away', { cause }));
    }
  }

  const watch = async (): Promise<void> => {
    while (reading.size > 0) {
      await clock.sleep(Math.min(timeoutMs, 1_000));
      const now = clock.now();
      for (const [req, { since }] of reading) {
        if (now - since >= timeoutMs) {
          fail(req, new RelayError('relay.body_slow', 'the body did not come in time'));
        }
      }
    }
  };

  const startWatch = (): void => {
    if (!watching) {
      watching = true;
      watch().then(
        () => {
          watching = false;
        },
        () => {
          watching = false;
        },
      );
    }
  };

  return {
    read: (req) =>
      new Promise((resolve, reject) => {
        const announced = Number(req.headers['content-length']);
        if (announced > maxBytes) {
          reject(new RelayError('relay.body_too_large', 'the body is larger than a scan can be'));
          return;
        }
        reading.set(req, { since: clock.now(), chunks: [], size: 0, resolve, reject });
        // An error without a listener would end the process, even after the body was given up.
        req.on('error', onCut);
        req.on('data', onData).on('end', onEnd).on('close', onCut);
        startWatch();
      }),
  };
}
