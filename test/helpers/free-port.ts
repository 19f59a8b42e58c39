/**
 * A port for a process that must know it beforehand, or keeps it over a restart. It lies below those that the system
 * gives to outgoing connections and to `listen(0)`: no other test takes it in between.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';

const lowest = 20_000;
const highest = 32_000;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (await isFree(port)) {
      return port;
    }
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
