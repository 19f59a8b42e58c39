/** Starts a second process that uses the store, for what one process cannot show. It needs `npm run build:test` first. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../dist/test/store-process.js', import.meta.url));

/** `open`: opens the store, writes one key, closes. `write`: writes until killed, printing each committed row. */
export function startStoreProcess(url: string, task: 'open' | 'write'): ChildProcessByStdio<null, Readable, Readable> {
  if (!existsSync(script)) {
    throw new Error('this test starts a process of the store: run `npm run build:test` first');
  }
  return spawn(process.execPath, [script, url, task], { stdio: ['ignore', 'pipe', 'pipe'] });
}
