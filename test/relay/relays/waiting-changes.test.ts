import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLog } from '../../../src/log.js';
import { createScanCommit } from '../../../src/relay/commit/index.js';
import { createRelayStore } from '../../../src/relay/relays/relay-rows.js';
import { createRuleTimers } from '../../../src/relay/rules/timers/timer-rows.js';
import { createTimers } from '../../../src/relay/rules/timers/timers.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { owner, relayRecord } from '../../helpers/relay.js';
import { setClock } from '../../reports/harness.js';

const hour = 3_600_000;
const always = { zone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' };
const rule = { id: 'r1', channel: 'C1', when: { kind: 'silence', of: 'relay', minutes: 10, hours: always } };
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

  it('a relay that is saved while it is deleted leaves no timer for missing scans behind', async () => {
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

  it('a scan waiting for a locked relay is not stored if its secret is revoked meanwhile', async () => {
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

  it('a relay’s check for missing scans is done though 50 checks of deleted relays are due', async () => {
    for (let n = 0; n < 50; n++) {
      await addRelay(`gone-${n}`, { rules: [rule] });
      await store.db.updateTable('relays').set({ removed_at: 5 }).where('id', '=', `gone-${n}`).execute();
    }
    await store.db.updateTable('silences').set({ due_at: 0 }).execute();
    await addRelay('live', { rules: [rule] });
    const asked: string[] = [];
    for (let poll = 0; poll < 2; poll++) {
      await createRuleTimers(store).checkSilences(2_000_000_000_000, ({ relayId }) => {
        asked.push(relayId);
        return { dueAt: 2_000_000_000_001 };
      });
    }
    expect(asked).toEqual(['live']);
  });

  it('missing scans are reported in time after the clock was set back by an hour while no process ran', async () => {
    const start = 1_800_000_000_000;
    await addRelay('live', { rules: [rule] });
    await store.db.updateTable('relays').set({ last_scan_at: start }).where('id', '=', 'live').execute();
    await store.db
      .updateTable('silences')
      .set({ since: start, due_at: start + hour / 6 })
      .execute();
    const clock = setClock(start - hour);
    const timers = createTimers({ store, clock, log: silentLog });
    await timers.poll();
    clock.at = start - hour + hour / 6 + 1_000;
    await timers.poll();
    const posts = await store.db.selectFrom('outbox').select('kind').where('source_id', '=', 'live').execute();
    expect(posts).toEqual([{ kind: 'silence' }]);
  });

  it('missing scans are reported in time after the clock was set back by an hour', async () => {
    const start = 1_800_000_000_000;
    await addRelay('live', { rules: [rule] });
    const clock = setClock(start);
    const timers = createTimers({ store, clock, log: silentLog });
    await store.db.updateTable('relays').set({ last_scan_at: start }).where('id', '=', 'live').execute();
    await store.db
      .updateTable('silences')
      .set({ since: start, due_at: start + hour / 6 })
      .execute();
    await timers.poll();
    clock.at = start - hour;
    await timers.poll();
    clock.at = start - hour + hour / 6 + 1_000;
    await timers.poll();
    const posts = await store.db.selectFrom('outbox').select('kind').where('source_id', '=', 'live').execute();
    expect(posts).toEqual([{ kind: 'silence' }]);
  });
});
