/**
 * A proxy that can go silent as networks do: open connections stay open but pass no data in either direction, without
 * an error; new connections work.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface SilentProxy {
  /** The server's URL through the proxy. */
  readonly url: string;
  /** The number of open connections to the server. */
  open(): number;
  /** Stops all data on the current connections. The next call, and `close`, throw if nobody sent anything meanwhile. */
  silence(): void;
  close(): Promise<void>;
}

export async function startSilentProxy(target: string): Promise<SilentProxy> {
  const to = new URL(target);
  const pairs = new Set<{ here: Socket; there: Socket; silent: boolean }>();
  /** How many bytes the current silence swallowed; infinite without a silence. */
  let swallowed = Number.POSITIVE_INFINITY;
  const server = createServer((here) => {
    const pair = { here, there: connect(Number(to.port), to.hostname), silent: false };
    pairs.add(pair);
    const pass = (from: Socket, into: Socket) => {
      from.on('data', (bytes) => {
        if (pair.silent) {
          swallowed += bytes.length;
        } else {
          into.write(bytes);
        }
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        if (!pair.silent) {
          into.destroy();
          pairs.delete(pair);
        }
      });
    };
    pass(here, pair.there);
    pass(pair.there, here);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const expectSwallowed = () => {
    if (swallowed === 0) {
      throw new Error('nobody sent anything into the silence');
    }
  };
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    open: () => [...pairs].filter(({ silent }) => !silent).length,
    silence: () => {
      expectSwallowed();
      swallowed = 0;
      for (const pair of pairs) {
        pair.silent = true;
      }
    },
    close: async () => {
      for (const { here, there } of pairs) {
        here.destroy();
        there.destroy();
      }
      server.close();
      await once(server, 'close');
      expectSwallowed();
    },
  };
}
