/** Request body reader with limits on size and time. */
import type { IncomingMessage } from 'node:http';
import readRaw from 'raw-body';
import type { Clock } from '../../clock.js';
import { RelayError } from '../record/errors.js';
import { createWatch } from './watch.js';

/** Reads a body. @throws RelayError `relay.body_too_large`, `relay.body_slow`, `relay.body_cut` */
export type ReadBody = (req: IncomingMessage) => Promise<Buffer>;

export interface BodyLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

interface OpenBody {
  readonly since: number;
  readonly fail: (error: RelayError) => void;
}

export function createReadBody(deps: { clock: Clock } & BodyLimits): ReadBody {
  const { clock, maxBytes, timeoutMs } = deps;
  const openBodies = new Set<OpenBody>();

  const watch = createWatch(clock, Math.min(timeoutMs, 1_000), () => {
    const now = clock.now();
    for (const body of openBodies) {
      if (now - body.since >= timeoutMs) {
        openBodies.delete(body);
        body.fail(new RelayError('relay.body_slow', 'the body did not arrive in time'));
      }
    }
    return openBodies.size > 0;
  });

  return (req) =>
    new Promise((resolve, reject) => {
      const body = { since: clock.now(), fail: reject };
      openBodies.add(body);
      readRaw(req, { limit: maxBytes, length: req.headers['content-length'] ?? null })
        .then(resolve, (error: readRaw.RawBodyError) => reject(toRelayError(error)))
        .finally(() => openBodies.delete(body));
      watch();
    });
}

function toRelayError(cause: readRaw.RawBodyError): RelayError {
  return cause.type === 'entity.too.large'
    ? new RelayError('relay.body_too_large', 'the body is larger than a scan can be')
    : new RelayError('relay.body_cut', 'the sender disconnected', { cause });
}
