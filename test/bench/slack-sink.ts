/** A stub of Slack for the benchmarks of commands: accepts everything at once, so that it slows neither side. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const answers: Readonly<Record<string, unknown>> = {
  '/api/auth.test': { ok: true, team_id: 'T0BENCH', user_id: 'U0BOT', bot_id: 'B0BOT' },
  '/api/users.info': { ok: true, user: { id: 'U0ONE', team_id: 'T0BENCH', is_admin: true, is_owner: false } },
};

export async function startSink(): Promise<{ url: string; close(): void }> {
  const server = createServer((req, res) => {
    req.resume();
    req.on('end', () => {
      const body = JSON.stringify(answers[req.url ?? ''] ?? { ok: true });
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
