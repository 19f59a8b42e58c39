/**
 * Owns the entry point of the account service on its own: `npm run sandbox:account`. Prints its address, an API key and
 * three things to try; Ctrl-C stops it cleanly. Settings: ACCOUNT_PORT (default: a free one), ACCOUNT_DATA (the folder).
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { systemClock, systemRandom } from '../../clock.js';
import { createLog } from '../../log.js';
import { createAccountService } from './service.js';

async function main(): Promise<void> {
  const file = join(resolve(process.env.ACCOUNT_DATA ?? 'data/account'), 'account.db');
  const log = createLog({ level: 'warn' });
  const service = await createAccountService({ file, clock: systemClock, random: systemRandom, log });
  const server = createServer((request, response) => {
    void service.handle(request, response);
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(Number(process.env.ACCOUNT_PORT ?? 0), '127.0.0.1', done);
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.stdout.write(welcome(address, service.keys.demo));

  const stop = (): void => {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    server.close(() => {
      service.close().then(
        () => process.stdout.write('Stopped.\n'),
        (error: unknown) => log.error({ err: error }, 'the account service did not stop cleanly'),
      );
    });
    server.closeAllConnections();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
}

function welcome(address: string, key: string): string {
  const call = (variables: string) => `  curl ${address}/api/ -d api_key=${key} ${variables}`;
  return [
    `The scanning account's API is at ${address}/api/`,
    `API key: ${key}`,
    '',
    'Try:',
    call('-d section=services -d action=retrieve'),
    call('-d section=databases -d action=showvalues -d database_id=1021 -d value=HLF-000001'),
    `  curl ${address}/barcode/api/ -d api_key=${key} -d section=barcode -d action=generate -d value=HLF-000001 -o barcode.gif`,
    '',
    `Its scanner answers under ${address}/scanner/. Ctrl-C stops it.`,
    '',
  ].join('\n');
}

main().catch((error: unknown) => {
  process.stderr.write(
    `The account service could not start: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
});
