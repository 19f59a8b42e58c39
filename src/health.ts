/**
 * Health endpoints: `/healthz` (the store can be read) and `/readyz` (the process can take requests: Slack accepts the
 * bot token too). The server listens only after the migrations have run.
 */
import { codeOf } from './errors.js';
import type { Log } from './log.js';
import type { RequestHandler } from './server.js';
import type { Store } from './workspaces/types.js';

export interface Health {
  readonly healthz: RequestHandler;
  /** Answers 503 also while the process starts and stops. */
  readonly readyz: RequestHandler;
  phase: 'starting' | 'serving' | 'stopping';
}

export function createHealth(deps: {
  readonly store: Pick<Store, 'db'>;
  readonly log: Log;
  /** Slack's error where it refuses the bot token. */
  readonly refusal: () => string | undefined;
}): Health {
  const { store, log } = deps;

  const healthz: RequestHandler = async (_req, res) => {
    try {
      await store.db.selectFrom('keyv').select('key').limit(1).execute();
      res.writeHead(200, headers).end('ok\n');
    } catch (error) {
      log.error({ err: error, code: codeOf(error) }, 'the database cannot be read');
      res.writeHead(503, headers).end('the database cannot be read\n');
    }
  };

  const health: Health = {
    phase: 'starting',
    healthz,
    readyz(req, res) {
      const refusal = deps.refusal();
      if (health.phase === 'serving' && refusal === undefined) {
        return healthz(req, res);
      }
      const why = refusal === undefined ? health.phase : `Slack refuses the bot token: ${refusal}`;
      res.writeHead(503, headers).end(`${why}\n`);
      return undefined;
    },
  };
  return health;
}

const headers = { 'content-type': 'text/plain', 'cache-control': 'no-store' };
