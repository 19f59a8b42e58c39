/**
 * Health endpoints: `/healthz` (the store can be read) and `/readyz` (the process can take requests: Slack has answered
 * once, and takes the bot token). The server listens only after the migrations have run.
 */
import { codeOf } from './errors.js';
import type { Log } from './log.js';
import type { RequestHandler } from './server.js';
import type { SlackState } from './slack/index.js';
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
  readonly slackState: () => SlackState;
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
      const slack = deps.slackState();
      if (health.phase === 'serving' && slack.kind === 'answered') {
        return healthz(req, res);
      }
      res.writeHead(503, headers).end(`${health.phase === 'serving' ? whyNotReady(slack) : health.phase}\n`);
      return undefined;
    },
  };
  return health;
}

const headers = { 'content-type': 'text/plain', 'cache-control': 'no-store' };

function whyNotReady(slack: SlackState): string {
  return slack.kind === 'refused' ? `Slack refuses the bot token: ${slack.code}` : 'Slack has not answered yet';
}
