import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Schema } from '../../../src/database/schema.js';
import { createRelayStore } from '../../../src/relay/relays/relay-rows.js';
import type { Store } from '../../../src/workspaces/types.js';
import { openTestStore, postgresDatabases } from '../databases.js';
import { addPost } from '../outbox.js';
import { owner, relayRecord } from '../relay.js';
import { reportLocks } from './watch.js';

type Work = (trx: Transaction<Schema>) => Promise<unknown>;

describe('the watch over locks', () => {
  const databases = postgresDatabases();
  let store: Store;

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    for (const id of ['r1', 'r2']) {
      await createRelayStore(store.db).add(relayRecord({ id }), { id: `${id}-s`, hash: 'a' });
      await addPost(store, { relayId: id, channel: `C${id}`, state: 'delivered' });
    }
    await sql`insert into message_updates (post_seq, revision, due_at) select seq, 1, 1 from outbox`.execute(store.db);
  });
  afterAll(() => store.close());

  const relay =
    (id: string): Work =>
    (trx) =>
      trx.updateTable('relays').set({ scans: 1 }).where('id', '=', id).execute();
  const queue =
    (channel: string): Work =>
    (trx) =>
      trx
        .insertInto('channel_queues')
        .values({ ...owner, channel, next_at: 1 })
        .onConflict((on) => on.columns(['installation', 'team', 'channel']).doUpdateSet({ next_at: 1 }))
        .execute();
  const updates: Work = (trx) => trx.updateTable('message_updates').set({ due_at: 2 }).execute();
  const posts: Work = (trx) => trx.updateTable('outbox').set({ next_at: 2 }).execute();
  const found = async (...works: readonly Work[]): Promise<string> => {
    await store.db.transaction().execute(async (trx) => {
      for (const work of works) {
        await work(trx);
      }
    });
    try {
      reportLocks();
      return 'nothing';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('the check of lock order reports nothing where relays, queues, posts and updates are locked in order', async () => {
    expect(await found(relay('r1'), relay('r2'), queue('Cr1'), queue('Cr2'), posts, updates)).toBe('nothing');
    expect(await found(relay('r1'), queue('Cr1'), updates, queue('Cr1'), relay('r1'))).toBe('nothing');
    expect(await found(queue('Cr1'), (trx) => sql`select id from relays for update skip locked`.execute(trx))).toBe(
      'nothing',
    );
  });

  it.each<[string, string, readonly Work[]]>([
    ['a queue after an update', 'channel_queues after message_updates', [updates, queue('Cr1')]],
    ['a post after an update', 'outbox after message_updates', [updates, posts]],
    ['a relay after a queue', 'relays after channel_queues', [queue('Cr1'), relay('r1')]],
    ['relays against the order of their ids', 'relays r1 after r2', [relay('r2'), relay('r1')]],
    ['queues against their order', 'channel_queues T0HARBOUR:T0HARBOUR:Cr1 after', [queue('Cr2'), queue('Cr1')]],
    [
      'several relays in no order',
      'several rows of relays in no order',
      [(trx) => trx.updateTable('relays').set({ scans: 1 }).execute()],
    ],
    [
      'two tables in no order',
      'in one statement, in no order',
      [
        (trx) =>
          sql`with part0 as (update outbox set next_at = ${1}), part1 as (update message_updates set due_at = ${1})
            select 1`.execute(trx),
      ],
    ],
  ])('the check of lock order reports %s, with the statements of the transaction', async (_, problem, works) => {
    const said = await found(...works);
    expect(said).toContain(problem);
    expect(said.split('\n').length).toBeGreaterThan(works.length);
  });

  it('the check of lock order also reports to a later test file of the same worker', async () => {
    vi.resetModules();
    const anew = await import('./watch.js');
    anew.watchLocks();
    await store.db.transaction().execute(async (trx) => {
      await updates(trx);
      await queue('Cr1')(trx);
    });
    expect(() => anew.reportLocks()).toThrow('channel_queues after message_updates');
    expect(() => reportLocks()).not.toThrow();
  });
});
