/**
 * Owns the built app as a process of its own, for what only a process can show: that it is killed and started again. Needs
 * `npm run build` first.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';

const main = resolve(import.meta.dirname, '../../dist/main.js');

export interface AppProcess {
  /** Resolves once it listens; rejects when it ends before. */
  readonly listening: Promise<void>;
  /** kill -9. Resolves once it is gone; also when it had ended by itself. */
  kill(): Promise<void>;
  /** Asks it to stop, as an operator does. Resolves with its exit code. */
  stop(): Promise<number | null>;
}

export function startApp(settings: Readonly<Record<string, string>>): AppProcess {
  if (!existsSync(main)) {
    throw new Error('there is no dist/main.js: run npm run build first');
  }
  // Nothing of this process's environment but where programs are: a setting that leaks in would be believed.
  const child: ChildProcess = spawn(process.execPath, [main], {
    cwd: resolve(import.meta.dirname, '../helpers'),
    env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'info', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  const listening = new Promise<void>((done, fail) => {
    const hear = (chunk: Buffer): void => {
      output = `${output}${chunk}`.slice(-100_000);
      if (output.includes('Scandesk is listening')) {
        done();
      }
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    ended.then((code) => fail(new Error(`the app ended with ${code} before it listened:\n${output}`)), fail);
  });
  // Whoever kills it early does not wait for it.
  listening.catch(() => undefined);
  return {
    listening,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      child.kill('SIGTERM');
      return await ended;
    },
  };
}

/** A port that nobody listens on, so that an app that was killed comes back where its senders look for it. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
