import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { startStoreProcess } from '../helpers/store-process.js';

const rounds = 20;

onEachDatabase('a process killed while it writes', ({ fresh }) => {
  it(`a process killed while it writes loses nothing committed and leaves nothing half written, ${rounds} times`, async () => {
    for (let round = 0; round < rounds; round++) {
      const url = await fresh();
      const child = startStoreProcess(url, 'write');
      const exited = once(child, 'exit');
      const committed: string[] = [];
      const lines = createInterface(child.stdout).on('line', (line) => committed.push(line));
      const read = once(lines, 'close');
      await once(lines, 'line');
      await wait(Math.random() * 150);
      child.kill('SIGKILL');
      expect((await exited)[1], 'it was killed while it wrote').toBe('SIGKILL');
      await read;

      const store = await openTestStore(url);
      const rows = await store.db.selectFrom('keyv').select('key').where('namespace', '=', 'writes').execute();
      const there = new Set(rows.map((row) => row.key));
      expect(committed.filter((n) => !there.has(n) || !there.has(`${n}-twin`))).toEqual([]);
      expect([...there].filter((key) => !there.has(key.endsWith('-twin') ? key.slice(0, -5) : `${key}-twin`))).toEqual(
        [],
      );
      if (store.kind === 'sqlite') {
        const check = await sql`pragma integrity_check`.execute(store.db);
        expect(check.rows).toEqual([{ integrity_check: 'ok' }]);
      }
      await store.close();
    }
  });
});
