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

interface OpenBody {
  readonly since: number;
  readonly fail: (error: RelayError) => void;
}

export function createBodyReader(deps: { clock: Clock } & BodyLimits): BodyReader {
  const { clock, maxBytes, timeoutMs } = deps;
  const open = new Set<OpenBody>();
  let watching = false;

  const watch = async (): Promise<void> => {
    watching = true;
    try {
      while (open.size > 0) {
        await clock.sleep(Math.min(timeoutMs, 1_000));
        const now = clock.now();
        for (const { since, fail } of open) {
          if (now - since >= timeoutMs) {
            fail(new RelayError('relay.body_slow', 'the body did not arrive in time'));
          }
        }
      }
    } finally {
      watching = false;
    }
  };

  return {
    read: (req) =>
      new Promise((resolve, reject) => {
        const tooLarge = () => new RelayError('relay.body_too_large', 'the body is larger than a scan can be');
        if (Number(req.headers['content-length']) > maxBytes) {
          reject(tooLarge());
          return;
        }
        const chunks: Buffer[] = [];
        let size = 0;
        const fail = (error: RelayError): void => {
          close();
          reject(error);
        };
        const body = { since: clock.now(), fail };
        const onData = (chunk: Buffer): void => {
          size += chunk.length;
          if (size > maxBytes) {
            fail(tooLarge());
          } else {
            chunks.push(chunk);
          }
        };
        const onEnd = (): void => {
          close();
          resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size));
        };
        const onCut = (cause?: unknown): void =>
          fail(new RelayError('relay.body_cut', 'the sender disconnected', { cause }));
        const close = (): void => {
          open.delete(body);
          req.off('data', onData).off('end', onEnd).off('close', onCut);
        };
        open.add(body);
        // An error without a listener would end the process, even after the body was given up.
        req.on('error', onCut);
        req.on('data', onData).on('end', onEnd).on('close', onCut);
        if (!watching) {
          watch().catch(() => undefined);
        }
      }),
  };
}
