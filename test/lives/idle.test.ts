/** A world in which nothing happens: its open alerts, its list and their timers commit nothing. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openTestStore, sqliteDatabases } from '../helpers/databases.js';
import { createChance } from '../helpers/faults/chance.js';
import { openLent } from './lent.js';
import { allWeek, createReader } from './reader.js';
import { hour, minute, openWorld } from './world.js';

const databases = sqliteDatabases();

it('a relay with open alerts, and a list with an overdue thing, commit nothing in a minute without scans', async () => {
  const url = await databases.fresh();
  const world = await openWorld({ ...databases, fresh: async () => url });
  const watcher = await openTestStore(url);
  try {
    const common = { on: true, channel: 'C1', mention: { users: ['U1'], groups: [] } };
    const silence = { kind: 'silence', of: 'service', ids: ['999'], minutes: 30, hours: { ...allWeek } };
    await world.edit([
      { ...common, id: 'burst', name: 'burst', when: { kind: 'burst', n: 3, minutes: 300 } },
      {
        ...{ ...common, id: 'silence', name: 'silence' },
        when: { ...silence, hours: { ...allWeek, from: '00:00', to: '00:00' } },
      },
    ]);
    const lent = await openLent(world, createChance(1), createReader([]));
    await lent.deeds.lend!();
    // No quiet hours of the list are at seven in the morning.
    await world.pass(19 * hour);
    for (const tid of ['a', 'b', 'c']) {
      await world.scan(tid);
      await world.pass(minute);
    }
    await world.pass(20 * minute);
    for (let n = 0; n < 10; n++) {
      await world.pass(1_000);
    }
    const open = await world.store.db.selectFrom('incidents').select('kind').where('ended_at', 'is', null).execute();
    expect(open.map(({ kind }) => kind).sort()).toEqual(['burst', 'overdue', 'silence']);
    const version = async () => (await sql`pragma data_version`.execute(watcher.db)).rows;
    const before = await version();
    for (let passed = 0; passed < 60; passed++) {
      await world.pass(0);
    }
    expect(await version()).toEqual(before);
    await world.scan('d');
    expect(await version(), 'a scan').not.toEqual(before);
  } finally {
    await watcher.close();
    await world.close();
  }
});
