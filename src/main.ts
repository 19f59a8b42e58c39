/**
 * The process: reads the environment, starts the app, handles signals. Exit codes: 0 stopped as asked, 70 uncaught
 * error, 78 a wrong setting, 1 anything else: a start or stop that failed, a second signal.
 */
import { existsSync, readFileSync } from 'node:fs';
import { systemRandom } from './clock.js';
import { ConfigError, misspelledSettings, readConfig } from './config.js';
import { codeOf, newReference } from './errors.js';
import { createLog, prettyDestination } from './log.js';
import {
  failedStart,
  needsOperator,
  runningWith,
  settingBehind,
  settingSlackRefuses,
  unreadableSettings,
} from './start-screen.js';

/** The exit code that supervisors know as a configuration error (`EX_CONFIG`): starting again is of no use. */
const wrongSetting = 78;

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
  try {
    if (existsSync('.env')) {
      // `process.loadEnvFile` does not say why it cannot read a file.
      readFileSync('.env');
      process.loadEnvFile('.env');
    }
  } catch (error) {
    process.stderr.write(unreadableSettings(error));
    process.exitCode = wrongSetting;
    return;
  }
  const misspelled = misspelledSettings(process.env);
  let config: ReturnType<typeof readConfig>;
  try {
    config = readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) {
      const others = error.problems.filter(({ name }) => !misspelled.some((known) => known.name === name));
      process.stderr.write(failedStart([...others, ...misspelled], process.env));
      process.exitCode = wrongSetting;
      return;
    }
    throw error;
  }

  const log = createLog({
    level: config.LOG_LEVEL,
    ...(config.LOG_FORMAT === 'pretty' ? { destination: prettyDestination() } : {}),
  });
  const fatal = (error: unknown) => {
    const reference = newReference(systemRandom);
    log.fatal({ reference, err: error, code: codeOf(error) }, 'uncaught error: exiting');
    process.exit(70);
  };
  process.on('uncaughtException', fatal);
  process.on('unhandledRejection', fatal);

  const openFiles = openFilesLimit();
  if (openFiles !== undefined && openFiles < enoughOpenFiles) {
    const advice = `raise the limit on open files (ulimit -n) to at least ${enoughOpenFiles}`;
    log.warn({ openFiles }, `only ${openFiles} files and connections can be open at once: ${advice}`);
  }

  /** Says why the start failed: a setting where one explains it, else a reference to the line of the log. */
  const logFailedStart = (error: unknown): void => {
    process.exitCode = needsOperator(error, config) ? wrongSetting : 1;
    const problem = settingBehind(error, config);
    if (problem) {
      process.stderr.write(failedStart([problem, ...misspelled], process.env));
      return;
    }
    const reference = newReference(systemRandom);
    log.fatal({ reference, err: error, code: codeOf(error) }, 'start failed');
    process.stderr.write(failedStart(misspelled, process.env, reference));
  };

  // The app is loaded only now: where too few files can be open, the line above explains why this fails.
  const { createApp } = await import('./app.js');
  const app = await createApp(config, { log }).catch(logFailedStart);
  if (!app) {
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
    const { port, slack } = await app.start();
    log.info({ port, url: config.PUBLIC_URL }, 'Scandesk is listening');
    const problem = settingSlackRefuses(await slack, config, process.env);
    const problems = [...(problem ? [problem] : []), ...misspelled];
    if (problems.length > 0 && !stopping) {
      process.stderr.write(runningWith(problems, process.env));
    }
  } catch (error) {
    logFailedStart(error);
    await app.stop();
  }
}

await main();
