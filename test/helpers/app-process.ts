/**
 * The built app as a child process, for tests of what only a process can show: a kill and restart, a full disk, a clock
 * that is changed. Needs `npm run build` first.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const main = resolve(import.meta.dirname, '../../dist/main.js');
const movableClock = resolve(import.meta.dirname, 'movable-clock.mjs');

export interface AppProcess {
  readonly pid: number;
  /** Resolves once the app listens; rejects if the app exits before. */
  readonly listening: Promise<void>;
  readonly hasEnded: boolean;
  /** Sends SIGKILL. Resolves once the app has exited; rejects if the app had exited by itself. */
  kill(): Promise<void>;
  /** Sends the signal that an operator would. Resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Sets how many milliseconds the app's clock is ahead of the machine's; only with `clockWrongBy`. */
  moveClock(aheadMs: number): Promise<void>;
  /** Lets so many milliseconds pass by the app's clocks, unless the app ends meanwhile; only with `clockWrongBy`. */
  passTime(byMs: number): Promise<void>;
}

export interface AppProcessOptions {
  /** Receives all output of the app. */
  readonly print?: (text: string) => void;
  /** How many milliseconds the app's clock is ahead from the start; makes the clock adjustable. */
  readonly clockWrongBy?: number;
  /** Whether the clock stands still until `moveClock` or `passTime`. */
  readonly clockHeld?: boolean;
}

/** The running apps, which are killed at exit, so that none outlives the tests. */
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
  // Of this process's environment only the search path is passed on: a leaked setting would take effect.
  const child: ChildProcess = spawn(process.execPath, [...(movable ? ['--import', movableClock] : []), main], {
    cwd: resolve(import.meta.dirname, './'),
    env: {
      PATH: process.env.PATH ?? '',
      LOG_LEVEL: 'info',
      ...(movable ? { CLOCK_WRONG_BY_MS: String(clockWrongBy), CLOCK_HELD: options.clockHeld ? '1' : '0' } : {}),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe', ...(movable ? (['ipc'] as const) : [])],
  });
  living.add(child);
  let output = '';
  let isEnding = false;
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
  // A test that kills the app early does not await `listening`, whose rejection must not go unhandled.
  listening.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    listening,
    get hasEnded() {
      return child.exitCode !== null || child.signalCode !== null;
    },
    async kill() {
      const late = !isEnding && (child.exitCode !== null || child.signalCode !== null);
      isEnding = true;
      child.kill('SIGKILL');
      await ended;
      if (late) {
        throw new Error(`the app had ended with ${child.exitCode ?? child.signalCode} before the kill:\n${output}`);
      }
    },
    async stop() {
      isEnding = true;
      child.kill('SIGTERM');
      return await ended;
    },
    async moveClock(aheadMs) {
      const moved = once(child, 'message');
      child.send({ moveClock: aheadMs });
      await moved;
    },
    async passTime(byMs) {
      const passed = once(child, 'message');
      child.send({ passTime: byMs }, () => undefined);
      await Promise.race([passed, ended]);
    },
  };
}
