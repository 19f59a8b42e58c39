/**
 * Owns taking a request's body off the wire: bounded in size while it comes, and in time. One watch looks after all bodies
 * that are on their way, so that a body that comes at once costs no timer.
 */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../clock.js';
import { RelayError } from './errors.js';

export interface BodyReader {
  /** @throws RelayError `relay.body_too_large`, `relay.body_slow`, `relay.body_cut` */
  read(req: IncomingMessage): Promise<Buffer>;
}

export interface BodyLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

export function createBodyReader(deps: { clock: Clock } & BodyLimits): BodyReader {
  const { clock, maxBytes, timeoutMs } = deps;
  const reading = new Map<(error: RelayError) => void, number>();
  let watching = false;

  const watch = async (): Promise<void> => {
    while (reading.size > 0) {
      await clock.sleep(Math.min(timeoutMs, 1_000));
      const now = clock.now();
      for (const [fail, since] of reading) {
        if (now - since >= timeoutMs) {
          fail(new RelayError('relay.body_slow', 'the body did not come in time'));
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
        const chunks: Buffer[] = [];
        let size = 0;

        const onData = (chunk: Buffer): void => {
          size += chunk.length;
          if (size > maxBytes) {
            fail(new RelayError('relay.body_too_large', 'the body is larger than a scan can be'));
          } else {
            chunks.push(chunk);
          }
        };
        const onEnd = (): void => {
          leave();
          resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size));
        };
        const onCut = (cause?: unknown): void => {
          fail(new RelayError('relay.body_cut', 'the sender went away', { cause }));
        };
        const leave = (): void => {
          reading.delete(fail);
          req.off('data', onData).off('end', onEnd).off('close', onCut);
        };
        const fail = (error: RelayError): void => {
          leave();
          reject(error);
        };

        // An error without a listener would end the process, also after the body was given up.
        req.on('error', onCut);
        req.on('data', onData).on('end', onEnd).on('close', onCut);
        reading.set(fail, clock.now());
        startWatch();
      }),
  };
}
