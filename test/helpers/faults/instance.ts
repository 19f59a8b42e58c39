/**
 * Owns Scandesk as a process of its own, started from what `npm run build` made, the way `npm start` starts it: it can be
 * killed in the middle of anything, stopped politely, and its clock can be set.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const entry = resolve(import.meta.dirname, '../../../dist/main.js');
const movableClock = resolve(import.meta.dirname, 'movable-clock.mjs');

export interface InstanceOptions {
  /** Settings as in the environment; nothing else of the test's environment reaches it but PATH. */
  readonly settings: Readonly<Record<string, string>>;
  /** Where it runs: no `.env` of a developer lies there. */
  readonly folder: string;
  /** Everything it prints goes here, too. */
  readonly print: (text: string) => void;
  /** Its clock can be set, and is wrong by so many milliseconds from the start. */
  readonly clockWrongBy?: number;
  /** A program and its arguments that become the process: limits, for example. */
  readonly through?: readonly string[];
}

export interface Instance {
  readonly pid: number;
  /** Resolves when it serves requests; rejects when it ended before. */
  listening(): Promise<void>;
  readonly ended: boolean;
  /** kill -9; resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** From now on its clock is wrong by so many milliseconds. */
  moveClock(byMs: number): Promise<void>;
}

const living = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of living) {
    child.kill('SIGKILL');
  }
});

export function startInstance(options: InstanceOptions): Instance {
  if (!existsSync(entry)) {
    throw new Error('this test starts the built app: run `npm run build` first');
  }
  const movable = options.clockWrongBy !== undefined;
  const node = [process.execPath, '--enable-source-maps', ...(movable ? ['--import', movableClock] : []), entry];
  const [program, ...rest] = [...(options.through ?? []), ...node] as [string, ...string[]];
  const child = spawn(program, rest, {
    cwd: options.folder,
    env: {
      PATH: process.env.PATH ?? '',
      ...(movable ? { CLOCK_WRONG_BY_MS: String(options.clockWrongBy) } : {}),
      ...options.settings,
    },
    stdio: ['ignore', 'pipe', 'pipe', ...(movable ? (['ipc'] as const) : [])],
  });
  living.add(child);
  const exited = once(child, 'exit').then(() => living.delete(child));
  // A killed process's channel breaks; that is what the test is about.
  child.on('error', () => undefined);

  let last = '';
  const ready = new Promise<void>((done, fail) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        options.print(text);
        last = (last + text).slice(-4_000);
        if (last.includes('Scandesk is listening')) {
          done();
        }
      });
    }
    exited.then(
      () => fail(new Error(`the app ended before it served anybody: ${last}`)),
      () => undefined,
    );
  });
  // Whoever kills it while it starts does not wait for it to listen.
  ready.catch(() => undefined);

  const ended = () => child.exitCode !== null || child.signalCode !== null;
  const end = async (signal: NodeJS.Signals) => {
    if (!ended()) {
      child.kill(signal);
    }
    await exited;
  };

  return {
    pid: child.pid ?? 0,
    listening: () => ready,
    get ended() {
      return ended();
    },
    kill: () => end('SIGKILL'),
    stop: async () => {
      await end('SIGTERM');
      return child.exitCode;
    },
    moveClock: async (byMs) => {
      const answer = once(child, 'message');
      child.send({ moveClock: byMs });
      await answer;
    },
  };
}
