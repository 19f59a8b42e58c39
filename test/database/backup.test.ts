/** The backup of a SQLite file as docs/operating.md has it, taken by another process while scans are committed. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { systemClock, systemRandom } from '../../src/clock.js';
import { createRelays, relaySettingsSchema } from '../../src/relay/index.js';
import { openTestStore, sqliteDatabases } from '../helpers/databases.js';
import { fillScans } from '../helpers/many-scans.js';
import { gate, postScan, scanForm, startIntake } from '../helpers/relay.js';
import { wideIt } from '../helpers/tier/wide-it.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

/** The statement of the command `sqlite3 FILE "…"` in the docs, which writes `backup.db`. */
function documented(): string {
  const docs = readFileSync(join(root, 'docs/operating.md'), 'utf8');
  return /^sqlite3 data\/scandesk\.db "(.+)"$/m.exec(docs)?.[1] ?? '';
}

const { fresh } = sqliteDatabases();

wideIt(
  'the documented backup of a SQLite file ends while scans are committed, and has all scans from before it',
  async () => {
    const url = await fresh();
    const store = await openTestStore(url);
    await fillScans(store, { scans: 20_000, newest: Date.UTC(2026, 3, 1), everyMs: 60_000 });
    const intake = await startIntake(store);
    const relays = createRelays({ store, clock: systemClock, random: systemRandom, onPosts: () => undefined });
    const { path } = await relays.create({ ...gate, settings: relaySettingsSchema.parse({}) });
    const scan = async (tid: string) =>
      expect((await postScan(`${intake.url}${path}`, scanForm({ tid }))).status).toBe(200);
    await scan('before');

    let isOver = false;
    let committed = 0;
    const committing = (async () => {
      for (; !isOver; committed += 1) {
        await scan(`during-${committed}`);
      }
    })();
    await expect.poll(() => committed).toBeGreaterThan(3);
    const file = fileURLToPath(url);
    const code = `new (require('@photostructure/sqlite').DatabaseSync)(process.argv[1]).exec(process.argv[2])`;
    const backup = join(dirname(file), 'backup.db');
    const statement = documented().replace('backup.db', backup);
    expect(statement).toContain(backup);
    const committedBefore = committed;
    await run(process.execPath, ['-e', code, file, statement], { cwd: root, timeout: 30_000 });
    isOver = true;
    await committing;
    expect(committed).toBeGreaterThan(committedBefore);
    await intake.close();
    await store.close();

    const restored = await openTestStore(`file:${backup}`);
    const tids = (await restored.db.selectFrom('received_scans').select('tid').execute()).map((row) => row.tid);
    expect(tids).toEqual(expect.arrayContaining(['before', 'during-0']));
    expect(await restored.db.selectFrom('account_scans').select('scan_id').limit(1).execute()).toHaveLength(1);
    await restored.close();
  },
);
