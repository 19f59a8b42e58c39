/**
 * Owns the built app as a process of its own, for what only a process can show: that it is killed and started again, that its
 * disk is full, that somebody sets its clock. Needs `npm run build` first.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';

const main = resolve(import.meta.dirname, '../../dist/main.js');
const movableClock = resolve(import.meta.dirname, 'movable-clock.mjs');

export interface AppProcess {
  readonly pid: number;
  /** Resolves once it listens; rejects when it ends before. */
  readonly listening: Promise<void>;
  readonly hasEnded: boolean;
  /** kill -9. Resolves once it is gone; also when it had ended by itself. */
  kill(): Promise<void>;
  /** Asks it to stop, as an operator does. Resolves with its exit code. */
  stop(): Promise<number | null>;
  /** From now on its clock is wrong by so many milliseconds; only with `clockWrongBy`. */
  moveClock(byMs: number): Promise<void>;
}

export interface AppProcessOptions {
  /** Hears everything it prints. */
  readonly print?: (text: string) => void;
  /** Its clock is wrong by so many milliseconds from the start, and can be set. */
  readonly clockWrongBy?: number;
}

/** None of them outlives the tests. */
const living = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of living) {
    child.kill('SIGKILL');
  }
});

export function startApp(settings: Readonly<Record<string, string>>, options: AppProcessOptions = {}): AppProcess {
  if (!existsSync(main)) {
    throw new Error('there is no dist/main.js: run npm run build first');
  }
  const { print, clockWrongBy } = options;
  const movable = clockWrongBy !== undefined;
  // Nothing of this process's environment but where programs are: a setting that leaks in would be believed.
  const child: ChildProcess = spawn(process.execPath, [...(movable ? ['--import', movableClock] : []), main], {
    cwd: resolve(import.meta.dirname, './'),
    env: {
      PATH: process.env.PATH ?? '',
      LOG_LEVEL: 'info',
      ...(movable ? { CLOCK_WRONG_BY_MS: String(clockWrongBy) } : {}),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe', ...(movable ? (['ipc'] as const) : [])],
  });
  living.add(child);
  let output = '';
  const ended = new Promise<number | null>((done) =>
    child.once('exit', (code) => {
      living.delete(child);
      done(code);
    }),
  );
  const listening = new Promise<void>((done, fail) => {
    const hear = (chunk: string): void => {
      print?.(chunk);
      output = `${output}${chunk}`.slice(-100_000);
      if (output.includes('Scandesk is listening')) {
        done();
      }
    };
    child.stdout?.setEncoding('utf8').on('data', hear);
    child.stderr?.setEncoding('utf8').on('data', hear);
    ended.then((code) => fail(new Error(`the app ended with ${code} before it listened:\n${output}`)), fail);
  });
  // Whoever kills it early does not wait for it.
  listening.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    listening,
    get hasEnded() {
      return child.exitCode !== null || child.signalCode !== null;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      child.kill('SIGTERM');
      return await ended;
    },
    async moveClock(byMs) {
      const moved = once(child, 'message');
      child.send({ moveClock: byMs });
      await moved;
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
