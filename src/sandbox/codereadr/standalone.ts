/** The account service on a server of its own: start, welcome text, stop. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AccountServiceOptions, createAccountService } from './service.js';

export interface Standalone {
  /** The service's URL, `http://127.0.0.1:PORT`, without a slash. */
  readonly address: string;
  /** The welcome text for a person at a terminal: the URL, a key, three calls to try. */
  readonly welcome: string;
  /** Stops the server. Calls in progress are aborted. */
  stop(): Promise<void>;
}

/** Starts the service. @param options `port`: 0 picks a free one */
export async function startStandalone(options: AccountServiceOptions & { readonly port: number }): Promise<Standalone> {
  const service = await createAccountService(options);
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    void service.handle(request, response);
  });
  try {
    await new Promise<void>((done, fail) => {
      server.once('error', fail);
      server.listen(options.port, '127.0.0.1', done);
    });
  } catch (error) {
    await service.close();
    throw error;
  }
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    welcome: welcome(address, service.keys.demo),
    stop: async () => {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
      await service.close();
    },
  };
}

function welcome(address: string, key: string): string {
  const call = (path: string, variables: string) => `  curl ${address}${path} -d api_key=${key} ${variables}`;
  return [
    `The scanning account's API is at ${address}/api/`,
    `API key: ${key}`,
    '',
    'Try:',
    call('/api/', '-d section=services -d action=retrieve'),
    call('/api/', '-d section=databases -d action=showvalues -d database_id=1021 -d value=HLF-000001'),
    call('/barcode/api/', '-d section=barcode -d action=generate -d value=HLF-000001 -o barcode.gif'),
    '',
    `The scanner's API is at ${address}/scanner/. Ctrl-C stops it.`,
    '',
  ].join('\n');
}
