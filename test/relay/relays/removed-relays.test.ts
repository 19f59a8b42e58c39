import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.js';
import { createRelaysById } from '../../../src/relay/record/by-id.js';
import { createRelayStore } from '../../../src/relay/relays/relay-rows.js';
import { createRemovedRelayPurge } from '../../../src/relay/relays/removed-relays.js';
import { createWatchPurge } from '../../../src/watches/expired.js';
import { createWatchAndMuteStore } from '../../../src/watches/watch-and-mute-rows.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { owner, relayRecord } from '../../helpers/relay.js';

const stop = new AbortController().signal;
/** More rows than one slice deletes. */
const many = 300;

onEachDatabase('upkeep of relays', ({ fresh }) => {
  let store: Store;
  beforeAll(async () => {
    store = await openTestStore(await fresh());
  });
  afterAll(() => store.close());

  const rows = async (table: 'counters' | 'admissions' | 'relay_secrets', relayId: string) => {
    const found = await store.db.selectFrom(table).select('relay_id').where('relay_id', '=', relayId).execute();
    return found.length;
  };

  it('upkeep deletes a removed relay’s counters, admissions and secrets, and nothing of another relay', async () => {
    const relays = createRelayStore(store.db);
    const left = async (id: string) => [
      await rows('counters', id),
      await rows('admissions', id),
      await rows('relay_secrets', id),
    ];
    for (const id of ['gone', 'stays']) {
      await relays.add(relayRecord({ id }), { id: `${id}-s`, hash: 'a'.repeat(64) });
      const counted = Array.from({ length: many }, (_, n) => ({ relay_id: id, subject: 'value', key: `${n}` }));
      await store.db
        .insertInto('counters')
        .values(counted.map((row) => ({ ...row, seen: 1, first_at: 1, last_at: 1, accepted: 1 })))
        .execute();
      await store.db
        .insertInto('admissions')
        .values(counted.map((row) => ({ ...row, at: 1, scan_id: row.key })))
        .execute();
    }
    const purge = createRemovedRelayPurge(store, systemClock);
    await purge(stop);
    expect(await left('gone')).toEqual([many, many, 1]);
    await relays.remove(owner, 'gone', 1);
    await purge(stop);
    expect(await left('gone')).toEqual([0, 0, 0]);
    expect(await left('stays')).toEqual([many, many, 1]);
    expect(await createRelaysById(store.db).find('stays')).toBeDefined();
  });

  it('upkeep deletes watches and mutes that have expired', async () => {
    const listed = createWatchAndMuteStore(store.db);
    for (const [id, until] of [
      ['early', 100],
      ['late', 200],
    ] as const) {
      const made = { id, channel: 'C1', who: 'U1', madeAt: 1, until };
      await listed.watches.add(owner, { ...made, value: id }, 10);
      await listed.mutes.add(owner, { ...made, what: { kind: 'value', value: id } }, 10);
    }
    const at = async (now: number) => {
      await createWatchPurge(store, { ...systemClock, now: () => now })(stop);
      const kept = [];
      for (const table of ['watches', 'mutes'] as const) {
        kept.push((await store.db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id));
      }
      return kept;
    };
    expect(await at(99)).toEqual([
      ['early', 'late'],
      ['early', 'late'],
    ]);
    expect(await at(100)).toEqual([['late'], ['late']]);
    expect(await at(200)).toEqual([[], []]);
  });
});
