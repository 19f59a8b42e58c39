/**
 * The demo as a child process in its own folder, started as `npm run demo` does but without the build, which `npm test`
 * has already done.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

const entry = resolve(import.meta.dirname, '../../dist/demo.js');

export interface Demo {
  /** The page's URL, with its trailing slash. */
  readonly url: string;
  /** The demo's output so far, standard output and standard error. */
  output(): string;
  /** Sends Ctrl-C; resolves with the exit code. */
  stop(): Promise<number | null>;
}

export async function startDemo(folder: string, environment: Record<string, string> = {}): Promise<Demo> {
  const child = spawn(process.execPath, ['--enable-source-maps', entry], {
    env: { ...process.env, DEMO_DATA: folder, DEMO_LOG: 'debug', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const url = await addressOf(child, () => output);
  return {
    url,
    output: () => output,
    stop: async () => {
      if (child.exitCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGINT');
        await ended;
      }
      return child.exitCode;
    },
  };
}

function addressOf(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((done, fail) => {
    const look = () => {
      const found = /Scandesk demo: open (http:\/\/\S+)/.exec(output());
      if (found?.[1]) {
        done(found[1]);
      }
    };
    child.stdout?.on('data', look);
    child.once('exit', (code) => fail(new Error(`the demo ended with ${code} before it was there:\n${output()}`)));
  });
}
