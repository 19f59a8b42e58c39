/**
 * A process that uses the store, for tests of concurrent starts and of a kill during a write.
 * Usage: store-process.mjs URL open | write
 */
import { systemClock, systemRandom } from '../../src/clock.ts';
import { silentLog } from '../../src/log.ts';
import { openStore } from '../../src/workspaces/store.ts';

const [url, task] = process.argv.slice(2);
const store = await openStore({
  url,
  secretKeys: [Buffer.alloc(32, 's')],
  clock: systemClock,
  random: systemRandom,
  log: silentLog,
});

if (task === 'open') {
  await store.keyv('processes').set(String(process.pid), true);
  await store.close();
}

// Writes until killed, and prints each row once it is committed, so that the test knows which rows must exist.
if (task === 'write') {
  const keyv = store.keyv('writes');
  for (let n = 0; ; n++) {
    if (n % 2 === 0 && store.sqlite) {
      await store.sqlite.transaction((prepare) => {
        const insert = prepare('insert into keyv (namespace, key, value) values (?, ?, ?)');
        insert.run('writes', `${n}`, '{"value":1}');
        insert.run('writes', `${n}-twin`, '{"value":1}');
      });
    } else {
      await keyv.setMany([
        { key: `${n}`, value: 1 },
        { key: `${n}-twin`, value: 1 },
      ]);
    }
    process.stdout.write(`${n}\n`);
  }
}
