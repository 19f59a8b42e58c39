/** An HTTP server in place of Slack's webhook triggers: it keeps its requests, and sends the replies it was given. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `hang up`: the request is taken, and its answer lost. */
export type Reply = readonly [status: number, body?: string, headers?: Record<string, string>] | 'hang up';

export interface Receiver {
  /** The value for `SLACK_API_URL`. */
  readonly apiUrl: string;
  url(name: string): string;
  /** The requests in order, each with the name of its trigger. */
  readonly received: { readonly name: string; readonly body: string; readonly type: string | undefined }[];
  /** Sets the replies to the next requests; later requests are answered with OK. */
  answer(...replies: Reply[]): void;
  readonly most: { atOnce: number };
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const replies: Reply[] = [];
  let open = 0;
  const respond = (res: ServerResponse, reply: Reply = [200, '{"ok":true}']) => {
    if (reply === 'hang up') {
      res.destroy();
      return;
    }
    const [status, body = `{"ok":${status < 300}}`, headers = {}] = reply;
    res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };
  const server = createServer({ keepAliveTimeout: 65_000 }, (req, res) => {
    open += 1;
    receiver.most.atOnce = Math.max(receiver.most.atOnce, open);
    let body = '';
    req.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    req.on('end', () => {
      receiver.received.push({ name: req.url?.split('/').at(-1) ?? '', body, type: req.headers['content-type'] });
      open -= 1;
      respond(res, replies.shift());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receiver: Receiver = {
    apiUrl: `${origin}/api/`,
    url: (name) => `${origin}/triggers/T1/1/${name}`,
    received: [],
    answer: (...next) => void replies.push(...next),
    most: { atOnce: 0 },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}
