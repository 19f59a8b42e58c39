/** A server that all files of a test run share: it starts when the first file asks for it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RunServer<Found> {
  /** The facts by which a test file reaches the server, as JSON. */
  readonly found: Found;
  stop(): Promise<void>;
}

/** `url`: where files ask, with `askFor`. `stop` ends the server if it was started. */
export async function offerServer<Found>(
  start: () => Promise<RunServer<Found>>,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  let starting: Promise<RunServer<Found>> | undefined;
  const listener = createServer((_request, response) => {
    starting ??= start();
    starting.then(
      ({ found }) => response.end(JSON.stringify(found)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => listener.once('listening', listening));
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    stop: async () => {
      listener.close();
      const started = await starting?.catch(() => undefined);
      await started?.stop();
    },
  };
}

export async function askFor<Found>(url: string): Promise<Found> {
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(`a server of the test run did not start: ${await response.text()}`);
  }
  return (await response.json()) as Found;
}
