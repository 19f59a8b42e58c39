/**
 * The process: reads the environment, starts the app, handles signals. Exit codes: 0 stopped as asked, 1 settings
 * missing or start failed, 70 uncaught error.
 */
import { existsSync, readFileSync } from 'node:fs';
import { ConfigError, readConfig, type SettingProblem, settings } from './config.js';
import { codeOf } from './errors.js';
import { createLog } from './log.js';

function explain(problems: readonly SettingProblem[]): string {
  const width = Math.max(...problems.map((p) => p.name.length));
  const lines = problems.map((p) => {
    const what = p.problem === 'missing' ? p.why : `is set, but not right: ${p.why}.`;
    return `  ${p.name.padEnd(width)}  ${what}\n  ${' '.repeat(width)}  Example: ${settings[p.name].example}`;
  });
  const count = problems.length === 1 ? 'one setting needs' : `${problems.length} settings need`;
  return [
    `Scandesk cannot start yet: ${count} you.`,
    '',
    ...lines,
    '',
    'Put them into the environment or into a file named .env here, then: npm start',
    'To see Scandesk work without any account or setting:              npm run demo',
    '',
  ].join('\n');
}

const otherKey: SettingProblem = {
  name: 'SCANDESK_SECRET',
  problem: 'invalid',
  why: 'what is in the database was sealed with another key. Put that one back, or behind the new one with a comma between them',
};

/** Each sender holds a connection until a minute after its last request. */
const enoughOpenFiles = 4_096;

/** The limit on open files, where the system reports it (Linux). Node has raised it to the hard limit by now. */
function openFilesLimit(): number | undefined {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}

async function main(): Promise<void> {
  if (existsSync('.env')) {
    process.loadEnvFile('.env');
  }
  let config: ReturnType<typeof readConfig>;
  try {
    config = readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) {
      process.stderr.write(explain(error.problems));
      process.exitCode = 1;
      return;
    }
    throw error;
  }

  const log = createLog({ level: config.LOG_LEVEL });
  const fatal = (error: unknown) => {
    log.fatal({ err: error, code: codeOf(error) }, 'an error nobody caught: stopping');
    process.exit(70);
  };
  process.on('uncaughtException', fatal);
  process.on('unhandledRejection', fatal);

  const openFiles = openFilesLimit();
  if (openFiles !== undefined && openFiles < enoughOpenFiles) {
    const advice = `raise the limit on open files (ulimit -n) to ${enoughOpenFiles} at least`;
    log.warn({ openFiles }, `only ${openFiles} files and connections can be open at once: ${advice}`);
  }

  // Loaded only now: where too few files can be open, the line above explains why this fails.
  const { createApp } = await import('./app.js');
  const app = await createApp(config, { log }).catch((error: unknown) => {
    if (codeOf(error) === 'store.seal_key') {
      process.stderr.write(explain([otherKey]));
    }
    log.fatal({ err: error, code: codeOf(error) }, 'could not start');
    return undefined;
  });
  if (!app) {
    process.exitCode = 1;
    return;
  }

  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) {
      log.warn({ signal }, 'asked twice: stopping at once');
      process.exit(1);
    }
    stopping = true;
    log.info({ signal }, 'stopping');
    app
      .stop()
      .then(() => log.info('stopped'))
      .catch((error: unknown) => {
        log.error({ err: error, code: codeOf(error) }, 'could not stop cleanly');
        process.exitCode = 1;
      });
  };
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('SIGTERM', () => stop('SIGTERM'));

  try {
    const { port } = await app.start();
    log.info({ port, url: config.PUBLIC_URL }, 'Scandesk is listening');
  } catch (error) {
    log.fatal({ err: error, code: codeOf(error) }, 'could not start');
    await app.stop();
    process.exitCode = 1;
  }
}

await main();
