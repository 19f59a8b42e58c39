/**
 * The measured child processes: each server has its own, is configured by environment variables, and reports its port
 * and its resource usage over IPC.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

export interface Measured {
  readonly port: number;
  /** The values that the process reported at its start, its port among them. */
  readonly told: Readonly<Record<string, string>>;
  /** Resident memory after a collection, in MB. */
  memory(): Promise<number>;
  /** Processor time used, in milliseconds. */
  cpuMs(): Promise<number>;
  /** Runs one of the `deeds` that the process serves. */
  order(deed: string): void;
  stop(): Promise<void>;
}

/** `entry`: a module in this folder, without its extension. */
export async function startMeasured(entry: string, settings: Readonly<Record<string, string>> = {}): Promise<Measured> {
  const child: ChildProcess = fork(new URL(`./${entry}.js`, import.meta.url), {
    // The young generation is as large as with `npm start`.
    execArgv: ['--expose-gc', '--max-semi-space-size=32'],
    env: { ...process.env, ...settings },
  });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`${entry} ended with ${code} before it was there`);
  });
  const [ready] = (await Promise.race([once(child, 'message'), failed])) as [Record<string, string>];
  failed.catch(() => undefined);
  const usage = async () => {
    child.send('usage');
    const [taken] = (await once(child, 'message')) as [{ mb: number; cpuMs: number }];
    return taken;
  };
  return {
    port: Number(ready.port),
    told: ready,
    memory: async () => (await usage()).mb,
    cpuMs: async () => (await usage()).cpuMs,
    order: (deed) => void child.send(deed),
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The child's side: reports that it is ready, answers usage requests, runs deeds, and exits on SIGTERM. */
export function serveMeasured(
  told: Readonly<Record<string, string>>,
  stop: () => Promise<void>,
  deeds: Readonly<Record<string, () => void>> = {},
): void {
  process.on('message', (asked) => {
    if (asked === 'usage') {
      const { user, system } = process.cpuUsage();
      globalThis.gc?.();
      process.send?.({ mb: process.memoryUsage().rss / 1e6, cpuMs: (user + system) / 1e3 });
    } else {
      deeds[String(asked)]?.();
    }
  });
  process.once('SIGTERM', () => {
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
  process.send?.(told);
}
