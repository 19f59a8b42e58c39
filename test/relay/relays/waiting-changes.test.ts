import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScanCommit } from '../../../src/relay/intake/commit/index.js';
import { createRelayStore } from '../../../src/relay/relays/table.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { owner, relayRecord } from '../../helpers/relay.js';

const silence = { ruleId: 'r1', subject: 'relay' as const, subjectId: '' };

onEachDatabase('what waits for a relay that somebody else changes', (databases) => {
  let store: Store;
  let other: Store;

  beforeEach(async () => {
    const url = await databases.fresh();
    [store, other] = [await openTestStore(url), await openTestStore(url)];
    await addRelay('r');
  });
  afterEach(async () => {
    await other.close();
    await store.close();
  });

  const addRelay = (id: string, settings: object = {}) =>
    createRelayStore(store.db).add(
      relayRecord({ id, settings: JSON.stringify(settings) }),
      { id: `${id}-s`, hash: id.padEnd(64, '0') },
      { silences: 'rules' in settings ? [silence] : [] },
    );
  /** Starts `second` while `first` has the relay locked. */
  const during = <Result>(
    first: Parameters<ReturnType<Store['db']['transaction']>['execute']>[0],
    second: () => Promise<Result>,
  ) => {
    let waiting: Promise<Result> | undefined;
    return store.db
      .transaction()
      .execute(async (trx) => {
        await trx.updateTable('relays').set({ scans: 0 }).where('id', '=', 'r').execute();
        waiting = second();
        await wait(300);
        await first(trx);
      })
      .then(() => waiting!);
  };

  it('leaves no silence when it is saved while the relay is deleted', async () => {
    const saved = await during(
      async (trx) => {
        await trx.updateTable('relays').set({ removed_at: 5 }).where('id', '=', 'r').execute();
        await trx.deleteFrom('silences').where('relay_id', '=', 'r').execute();
      },
      () => createRelayStore(other.db).change(owner, 'r', { silences: [silence] }, 6),
    );
    expect(saved).toBe(false);
    expect(await store.db.selectFrom('silences').selectAll().execute()).toEqual([]);
  });

  it('is no scan under a secret that is revoked meanwhile', async () => {
    const scan = {
      id: '1',
      relayId: 'r',
      secretId: 'r-s',
      receivedAt: 1,
      tid: 'T',
      answers: [],
      properties: [],
      submit: [],
    };
    const [result] = await during(
      (trx) => trx.updateTable('relay_secrets').set({ ended_at: 5 }).where('id', '=', 'r-s').execute(),
      () => createScanCommit(other).commit([scan], () => ({ valid: true, text: '', posts: [] })),
    );
    expect(result).toEqual({ kind: 'unknown' });
  });

});
