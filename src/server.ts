/** The HTTP server: routes a path to its part of the app, otherwise 404. A failed request never ends the process. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from './clock.js';
import { codeOf } from './errors.js';
import type { Log } from './log.js';
import { withTimeout } from './timeout.js';

export type RequestHandler = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>;

export interface Route {
  /** `/relay/` matches every path that begins so; `/` and a path without the last slash match only themselves. */
  readonly path: string;
  readonly handle: RequestHandler;
}

export function createHttpServer(deps: { routes: readonly Route[]; log: Log; clock: Clock }) {
  const isPrefix = ({ path }: Route) => path !== '/' && path.endsWith('/');
  const routes = new Map(deps.routes.filter((route) => !isPrefix(route)).map((route) => [route.path, route.handle]));
  const prefixes = deps.routes.filter(isPrefix);

  const server = createServer(
    { requestTimeout: 60_000, headersTimeout: 20_000, keepAliveTimeout: 65_000 },
    (req, res) => {
      const path = pathOf(req.url);
      const handle = routes.get(path) ?? prefixes.find((route) => path.startsWith(route.path))?.handle;
      if (!handle) {
        answerNotFound(res);
        return;
      }
      const logFailure = (error: unknown): void => {
        deps.log.error({ err: error, code: codeOf(error), route: prefixOf(path) }, 'a request failed');
        if (res.headersSent) {
          res.destroy();
        } else {
          res.writeHead(500).end();
        }
      };
      // A listener may throw synchronously as well as reject: both end here, and neither ends the process.
      try {
        handle(req, res)?.catch(logFailure);
      } catch (error) {
        logFailure(error);
      }
    },
  );

  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });

  /** Closes idle connections, also those that never sent a request: Node does not count them as idle. */
  const closeIdle = (): void => {
    server.closeIdleConnections();
    for (const socket of connections) {
      if (socket.bytesRead === 0) {
        socket.destroy();
      }
    }
  };

  /** Logs a connection that was not accepted, as when no file descriptor was free; a later one may be accepted. */
  const logNotAccepted = (error: Error): void => {
    deps.log.error({ err: error, code: codeOf(error) }, 'a connection was not accepted');
  };

  return {
    server,
    listen: (port: number, host: string): Promise<number> =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject).on('error', logNotAccepted);
          resolve((server.address() as AddressInfo).port);
        });
      }),
    /** Accepts no more connections, drains requests in flight for at most `graceMs`, then closes the rest. */
    close: async (graceMs: number): Promise<void> => {
      if (!server.listening) {
        return;
      }
      let isOpen = true;
      const closing = new Promise<void>((resolve) => {
        server.close(() => {
          isOpen = false;
          resolve();
        });
      });
      // Clients keep a connection alive after its last request, so idle connections are closed until none is left.
      const until = deps.clock.now() + graceMs;
      while (isOpen && deps.clock.now() < until) {
        // Requests that have already arrived are read first.
        await withTimeout(deps.clock, 20, () => closing, undefined);
        closeIdle();
      }
      server.closeAllConnections();
      await closing;
    },
  };
}

export type HttpServer = ReturnType<typeof createHttpServer>;

function answerNotFound(res: ServerResponse): void {
  res.writeHead(404).end();
}

function pathOf(url: string | undefined): string {
  const path = url ?? '/';
  const end = path.indexOf('?');
  return end === -1 ? path : path.slice(0, end);
}

/** The first segment of a path, for the log: a relay's path contains its secret. */
function prefixOf(path: string): string {
  return `/${path.split('/')[1] ?? ''}`;
}
