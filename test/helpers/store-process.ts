/** Starts a second process that uses the store, for what one process cannot show. It needs `npm run build` first. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('./store-process.mjs', import.meta.url));
const built = fileURLToPath(new URL('../../dist/workspaces/store.js', import.meta.url));

/** `open`: opens the store, writes one key, closes. `write`: writes until killed, printing each committed row. */
export function startStoreProcess(url: string, task: 'open' | 'write'): ChildProcessByStdio<null, Readable, Readable> {
  if (!existsSync(built)) {
    throw new Error('this test starts a process of the built store: run `npm run build` first');
  }
  return spawn(process.execPath, [script, url, task], { stdio: ['ignore', 'pipe', 'pipe'] });
}
