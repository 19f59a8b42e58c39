/**
 * The process: reads the environment, starts the app, handles signals. Exit codes: 0 stopped as asked, 70 uncaught
 * error, 1 anything else: bad settings, a start or stop that failed, a second signal.
 */
import { existsSync, readFileSync } from 'node:fs';
import { ConfigError, exampleOf, readConfig, type SettingProblem } from './config.js';
import { plural } from './english.js';
import { codeOf } from './errors.js';
import { createLog, prettyDestination } from './log.js';

function explain(problems: readonly SettingProblem[]): string {
  const width = Math.max(...problems.map((p) => p.name.length));
  const lines = problems.map((p) => {
    const explanation = p.problem === 'missing' ? p.why : `is set, but invalid: ${p.why}.`;
    return `  ${p.name.padEnd(width)}  ${explanation}\n  ${' '.repeat(width)}  Example: ${exampleOf(p.name)}`;
  });
  const count = plural(problems.length, 'one setting is', `${problems.length} settings are`);
  return [
    `Scandesk can’t start: ${count} missing or invalid.`,
    '',
    ...lines,
    '',
    'Set them in the environment or in a file named .env in this folder, then run: npm start',
    'To try Scandesk without accounts or settings, run:                          npm run demo',
    '',
  ].join('\n');
}

const otherKeyProblem: SettingProblem = {
  name: 'SCANDESK_SECRET',
  problem: 'invalid',
  why: 'the database was encrypted with a different key. Restore that key, or add it after the new one, separated by a comma',
};

/** The limit of open files that is enough: each sender holds a connection until a minute after its last request. */
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

  const log = createLog({
    level: config.LOG_LEVEL,
    ...(config.LOG_FORMAT === 'pretty' ? { destination: prettyDestination() } : {}),
  });
  const fatal = (error: unknown) => {
    log.fatal({ err: error, code: codeOf(error) }, 'uncaught error: exiting');
    process.exit(70);
  };
  process.on('uncaughtException', fatal);
  process.on('unhandledRejection', fatal);

  const openFiles = openFilesLimit();
  if (openFiles !== undefined && openFiles < enoughOpenFiles) {
    const advice = `raise the limit on open files (ulimit -n) to at least ${enoughOpenFiles}`;
    log.warn({ openFiles }, `only ${openFiles} files and connections can be open at once: ${advice}`);
  }

  // The app is loaded only now: where too few files can be open, the line above explains why this fails.
  const { createApp } = await import('./app.js');
  const app = await createApp(config, { log }).catch((error: unknown) => {
    if (codeOf(error) === 'store.seal_key') {
      process.stderr.write(explain([otherKeyProblem]));
    }
    log.fatal({ err: error, code: codeOf(error) }, 'start failed');
    return undefined;
  });
  if (!app) {
    process.exitCode = 1;
    return;
  }

  let stopping = false;
  const stopApp = (signal: string) => {
    if (stopping) {
      log.warn({ signal }, 'second signal: exiting now');
      process.exit(1);
    }
    stopping = true;
    log.info({ signal }, 'stopping');
    app
      .stop()
      .then(() => log.info('stopped'))
      .catch((error: unknown) => {
        log.error({ err: error, code: codeOf(error) }, 'shutdown failed');
        process.exitCode = 1;
      });
  };
  process.on('SIGINT', () => stopApp('SIGINT'));
  process.on('SIGTERM', () => stopApp('SIGTERM'));

  try {
    const { port } = await app.start();
    log.info({ port, url: config.PUBLIC_URL }, 'Scandesk is listening');
  } catch (error) {
    log.fatal({ err: error, code: codeOf(error) }, 'start failed');
    await app.stop();
    process.exitCode = 1;
  }
}

await main();
