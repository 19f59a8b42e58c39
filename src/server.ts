/**
 * Owns the one HTTP server and which part of the app a path belongs to; what belongs to none is 404. Refuses to let one request's failure end the process.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from './clock.js';
import { codeOf } from './errors.js';
import type { Log } from './log.js';

export type RequestHandler = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>;

export interface Route {
  /** `/relay/` takes every path that begins so; `/` and a path without the last slash only themselves. */
  readonly path: string;
  readonly handle: RequestHandler;
}

export interface HttpServer {
  readonly server: Server;
  /** Resolves with the port it listens on. */
  listen(port: number, host: string): Promise<number>;
  /** Takes no more connections, lets the requests in flight end for at most `graceMs`, then closes what is left. */
  close(graceMs: number): Promise<void>;
}

export function createHttpServer(deps: { routes: readonly Route[]; log: Log; clock: Clock }): HttpServer {
  const isPrefix = ({ path }: Route) => path !== '/' && path.endsWith('/');
  const exact = new Map(deps.routes.filter((route) => !isPrefix(route)).map((route) => [route.path, route.handle]));
  const prefixes = deps.routes.filter(isPrefix);

  const server = createServer(
    { requestTimeout: 60_000, headersTimeout: 20_000, keepAliveTimeout: 65_000 },
    (req, res) => {
      const path = pathOf(req.url);
      const handle = exact.get(path) ?? prefixes.find((route) => path.startsWith(route.path))?.handle;
      if (!handle) {
        notFound(res);
        return;
      }
      const failed = (error: unknown): void => {
        deps.log.error({ err: error, code: codeOf(error), route: prefixOf(path) }, 'a request failed');
        if (res.headersSent) {
          res.destroy();
        } else {
          res.writeHead(500).end();
        }
      };
      // A listener may throw at once as well as reject: both end here, and neither ends the process.
      try {
        handle(req, res)?.catch(failed);
      } catch (error) {
        failed(error);
      }
    },
  );

  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });

  /** Also those that never said anything: for Node they are not idle. */
  const closeIdle = (): void => {
    server.closeIdleConnections();
    for (const socket of connections) {
      if (socket.bytesRead === 0) {
        socket.destroy();
      }
    }
  };

  /** No descriptor was free, for one: the next connection may find one. */
  const notAccepted = (error: Error): void => {
    deps.log.error({ err: error, code: codeOf(error) }, 'a connection was not accepted');
  };

  return {
    server,
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject).on('error', notAccepted);
          resolve((server.address() as AddressInfo).port);
        });
      }),
    close: async (graceMs) => {
      if (!server.listening) {
        return;
      }
      let open = true;
      const closed = new Promise<void>((resolve) => {
        server.close(() => {
          open = false;
          resolve();
        });
      });
      // A connection whose last request has ended is kept alive by its client: it is looked for until none is left.
      const until = deps.clock.now() + graceMs;
      while (open && deps.clock.now() < until) {
        // What has arrived is read first.
        await Promise.race([closed, deps.clock.sleep(20)]);
        closeIdle();
      }
      server.closeAllConnections();
      await closed;
    },
  };
}

export function notFound(res: ServerResponse): void {
  res.writeHead(404).end();
}

function pathOf(url: string | undefined): string {
  const path = url ?? '/';
  const end = path.indexOf('?');
  return end === -1 ? path : path.slice(0, end);
}

/** The first segment only: a relay's path holds its secret. */
function prefixOf(path: string): string {
  return `/${path.split('/')[1] ?? ''}`;
}
