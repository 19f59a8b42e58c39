/**
 * The entry point of the standalone account service: `npm run sandbox:account`. Settings: ACCOUNT_PORT (default: a free
 * one), ACCOUNT_DATA (the folder of its data, default data/account).
 */
import { join, resolve } from 'node:path';
import { systemClock, systemRandom } from '../../clock.js';
import { createLog } from '../../log.js';
import { startStandalone } from './standalone.js';

async function main(): Promise<void> {
  const log = createLog({ level: 'warn' });
  const standalone = await startStandalone({
    file: join(resolve(process.env.ACCOUNT_DATA ?? 'data/account'), 'account.db'),
    port: Number(process.env.ACCOUNT_PORT ?? 0),
    clock: systemClock,
    random: systemRandom,
    log,
  });
  process.stdout.write(standalone.welcome);
  const stop = (): void => {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    standalone.stop().then(
      () => process.stdout.write('Stopped.\n'),
      (error: unknown) => log.error({ err: error }, 'the account service did not stop cleanly'),
    );
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
}

main().catch((error: unknown) => {
  const why = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The account service could not start: ${why}\n`);
  process.exitCode = 1;
});
