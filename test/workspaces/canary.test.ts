import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createLog } from '../../src/log.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';

const apiKey = 'canary-api-key-7f3a9c';
const botToken = 'xoxb-canary-bot-5d1e';
const userToken = 'xoxp-canary-user-88b0';
const secrets = [apiKey, botToken, userToken];

/** Each secret as it is, and in the spellings in which it could hide from a search. */
const spellings = secrets.flatMap((secret) => [
  secret,
  Buffer.from(secret).toString('hex'),
  // Base64 without its ends, which depend on the bytes beside the secret.
  ...[0, 1, 2].map((shift) => Buffer.from(secret.slice(shift)).toString('base64').slice(0, 24)),
  Buffer.from(secret, 'utf16le').toString('latin1'),
]);

function expectNoSecretIn(bytes: Buffer | string, where: string) {
  const text = typeof bytes === 'string' ? bytes : bytes.toString('latin1');
  for (const spelling of spellings) {
    expect(text.includes(spelling), `${spelling} in ${where}`).toBe(false);
  }
}

onEachDatabase('secrets', ({ fresh }) => {
  async function everyByte(store: Store, url: string): Promise<[string, Buffer | string][]> {
    if (store.kind === 'sqlite') {
      const folder = dirname(url.slice('file:'.length));
      const names = await readdir(folder);
      expect(names).toContain('scandesk.db-wal');
      return await Promise.all(
        names.map(async (name): Promise<[string, Buffer]> => [name, await readFile(join(folder, name))]),
      );
    }
    const tables = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'`.execute(store.db);
    expect(tables.rows.map((row) => row.name)).toContain('keyv');
    return await Promise.all(
      tables.rows.map(async ({ name }): Promise<[string, string]> => {
        const rows = await sql`select row_to_json(t)::text as row from ${sql.table(name)} t`.execute(store.db);
        return [name, JSON.stringify(rows.rows)];
      }),
    );
  }

  it('no API key or token is in any byte of the database, log line or error', async () => {
    const lines: string[] = [];
    const log = createLog({ level: 'trace', destination: { write: (line) => void lines.push(line) } });
    const url = await fresh();
    const store = await openTestStore(url, { log });
    const owner = { installation: 'T1', team: 'T1' };
    const installation = { bot: { token: botToken }, user: { token: userToken } };
    const errors: unknown[] = [];
    const failing = async (work: () => Promise<unknown>) => {
      await work().then(
        () => expect.fail('it was to fail'),
        (error: unknown) => errors.push(error),
      );
    };

    await store.workspaces.connect(owner, apiKey, { connectedBy: 'U1', connectedAt: 5 });
    await store.installations.save('T1', installation, 5);
    expect(await store.workspaces.apiKey(owner)).toBe(apiKey);
    expect((await store.installations.find('T1'))?.installation).toEqual(installation);
    for (const [where, bytes] of await everyByte(store, url)) {
      expectNoSecretIn(bytes, where);
    }

    // Failures of storing and of reading the secrets.
    await failing(() =>
      store.workspaces.connect({ ...owner, team: 'T1:x' }, apiKey, { connectedBy: '', connectedAt: 5 }),
    );
    await failing(() => store.installations.save('', installation, 5));
    await store.db
      .updateTable('keyv')
      .set({ value: `{"value":{"botToken":"${botToken}` })
      .where('namespace', '<>', 'seal-check')
      .execute();
    await failing(() => store.installations.find('T1'));
    await failing(() => store.workspaces.apiKey(owner));
    await store.db
      .updateTable('keyv')
      .set({ value: `{"value":{"sealed":"${botToken}","installedAt":1}}` })
      .where('namespace', '<>', 'seal-check')
      .execute();
    await failing(() => store.installations.find('T1'));
    await failing(() => store.workspaces.apiKey(owner));

    // A secret that is stored in clear text is not quoted when it cannot be resealed.
    await store.close();
    const resealing = await openTestStore(url, { log, secretKeys: [Buffer.alloc(32, 'n'), Buffer.alloc(32, 's')] });
    await resealing.close();
    for (const error of errors) {
      expectNoSecretIn(inspect(error, { depth: null }), 'an error');
      log.error({ err: error }, 'as it is logged');
    }
    expect(lines.length).toBeGreaterThan(errors.length);
    expectNoSecretIn(lines.join('\n'), 'the log');
  });
});
