import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { createIds } from '../../../src/database/ids.js';
import { createScanCommit, type IncomingScan, type ScanCommit } from '../../../src/relay/commit/index.js';
import { createScanBatcher, type ScanBatcher } from '../../../src/relay/intake/batcher.js';
import { createRelayStore } from '../../../src/relay/relays/relay-rows.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, onPostgres, openTestStore } from '../../helpers/databases.js';
import { relayRecord } from '../../helpers/relay.js';
import { startSilentProxy } from '../../helpers/silent-proxy.js';
import { codeRejected } from '../../helpers/thrown.js';

const makeId = createIds(systemClock, systemRandom);
let counter = 0;

function scanAt(relayId: string, tid = `T-${++counter}`): IncomingScan<never> {
  return {
    ...{ id: makeId(), relayId, secretId: `${relayId}-secret`, receivedAt: counter, tid },
    ...{ answers: [], properties: [], submit: [['tid', tid]], repeatKey: tid, scannedAtUtc: '2026-11-21 10:00:00' },
  };
}

const addRelay = (store: Store, id: string) =>
  createRelayStore(store.db).add(relayRecord({ id }), { id: `${id}-secret`, hash: 'f'.repeat(64) });

const groupOf = (commit: ScanCommit, limits = {}): ScanBatcher =>
  createScanBatcher({
    ...{ commit, limits, clock: systemClock, random: systemRandom },
    decide: () => ({ valid: true, text: 'Welcome', posts: [] }),
  });

const storedAt = async (store: Store, relayId: string) => {
  const rows = await store.db
    .selectFrom('received_scans')
    .select('tid')
    .where('relay_id', '=', relayId)
    .orderBy('id')
    .execute();
  return rows.map(({ tid }) => tid);
};

onPostgres('scans of several relays, one of which is locked', (databases) => {
  let url: string;
  let store: Store;
  let holder: pg.Client;
  beforeAll(async () => {
    url = await databases.fresh();
    store = await openTestStore(url, { limits: { lockMs: 1_000, idleInTransactionMs: 3_000 } });
    for (const id of ['held', 'free', 'other']) {
      await addRelay(store, id);
    }
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('begin');
    await holder.query(`select 1 from relays where id = 'held' for no key update`);
  });
  afterEach(() => holder.end());

  /** A batcher that records the relays of each batch that was begun. */
  const recorded = () => {
    const real = createScanCommit(store);
    const batches: string[][] = [];
    const commit: ScanCommit = {
      commit: (batch, decide) => {
        batches.push([...new Set(batch.map(({ relayId }) => relayId))].sort());
        return real.commit(batch, decide);
      },
    };
    return { batches, group: groupOf(commit) };
  };

  it('a locked relay’s scans are refused while other relays’ scans are stored, and stored after the lock', async () => {
    const { group, batches } = recorded();
    const ends: string[] = [];
    const end = async (scan: IncomingScan<never>) => {
      const code = await codeRejected(group.add(scan));
      ends.push(`${scan.relayId} ${code ?? 'stored'}`);
    };
    const held = scanAt('held');
    await Promise.all([end(held), end(scanAt('free')), end(scanAt('other'))]);
    expect([...ends.slice(0, 2)].sort()).toEqual(['free stored', 'other stored']);
    expect(ends[2]).toBe('held store.locked');
    expect(await storedAt(store, 'held')).toEqual([]);

    // Scans of other relays that come from now on do not wait for the held relay.
    ends.length = 0;
    batches.length = 0;
    await Promise.all([end(scanAt('held')), end(scanAt('free')), end(scanAt('held'))]);
    expect(batches).toEqual(expect.arrayContaining([['held'], ['free']]));
    expect(batches.every((relays) => relays.length === 1)).toBe(true);
    expect(ends[0]).toBe('free stored');

    await holder.query('rollback');
    ends.length = 0;
    await end(held);
    await nextTurn();
    await Promise.all([end(scanAt('held')), end(scanAt('free'))]);
    expect(ends).toEqual(Array(3).fill(expect.stringContaining('stored')));
    expect(batches.at(-1), 'together again').toEqual(['free', 'held']);
    expect(await storedAt(store, 'held')).toHaveLength(2);
  });

  it('scans of a locked relay are stored once the transaction with the lock was silent for too long', async () => {
    const other = await openTestStore(url, { limits: { idleInTransactionMs: 400 } });
    await holder.query('rollback');
    const { group } = recorded();
    let silent: Promise<unknown> | undefined;
    await new Promise<void>((resolve) => {
      silent = other.db.transaction().execute(async (trx) => {
        await trx.selectFrom('relays').select('id').where('id', '=', 'held').forUpdate().execute();
        resolve();
        await expect.poll(() => codeRejected(group.add(scanAt('held', 'at last'))), { interval: 10 }).toBe(undefined);
        await trx.selectFrom('relays').select('id').execute();
      });
    });
    expect(await codeRejected(silent!)).toBe('store.unavailable');
    expect(await storedAt(store, 'held')).toContain('at last');
    await other.close();
  });
});

onEachDatabase('a commit that has no end', (databases) => {
  let store: Store;
  let never: Promise<never>;
  let hung = 0;
  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    never = new Promise<never>(() => undefined);
    for (const id of ['one', 'two']) {
      await addRelay(store, id);
    }
  });
  beforeEach(() => {
    hung = 0;
  });
  afterAll(() => store.close());

  /** So many commits never settle. `done`: whether they store their scans. */
  const hanging = (times: number, done: boolean): ScanCommit => {
    const real = createScanCommit(store);
    return {
      commit: async (batch, decide) => {
        if (hung < times) {
          hung += 1;
          if (done) {
            await real.commit(batch, decide);
          }
          return never;
        }
        return real.commit(batch, decide);
      },
    };
  };

  it('a commit that hangs delays only its own scans, whose senders get an error for an unknown outcome', async () => {
    const group = groupOf(hanging(1, false), { timeoutMs: 100, answerMs: 400 });
    const first = group.add(scanAt('one'));
    await expect.poll(() => hung).toBe(1);
    const behind = await group.add(scanAt('one'));
    expect(behind.kind).toBe('stored');
    expect(await codeRejected(first)).toBe('store.unavailable');
  });

  it('a scan that a hanging commit stored is a repeat when it is sent again, and is stored once', async () => {
    const group = groupOf(hanging(1, true), { timeoutMs: 50, answerMs: 200 });
    const scan = scanAt('two');
    expect(await codeRejected(group.add(scan))).toBe('store.unavailable');
    const again = await group.add({ ...scan, id: makeId() });
    expect(again.kind).toBe('repeat');
    expect(await storedAt(store, 'two')).toEqual([scan.tid]);
  });

  it('every scan gets an error where all commits hang, and fewer commits than scans are begun', async () => {
    const group = groupOf(hanging(1_000, false), { timeoutMs: 20, answerMs: 300 });
    const codes: (string | undefined)[] = [];
    const sent: Promise<unknown>[] = [];
    for (let n = 0; n < 10; n++) {
      sent.push(codeRejected(group.add(scanAt('one'))).then((code) => codes.push(code)));
      await systemClock.sleep(30);
    }
    await Promise.all(sent);
    expect(codes).toContain('store.unavailable');
    expect(codes, 'what was not begun is known not to be stored').toContain('store.busy');
    expect(hung).toBeLessThan(10);
  });
});

onPostgres('a connection to PostgreSQL that goes silent', (databases) => {
  it('a PostgreSQL connection that hangs does not stop the scans on other connections', async () => {
    const proxy = await startSilentProxy(await databases.fresh());
    const store = await openTestStore(proxy.url, { limits: { statementMs: 2_000, graceMs: 500 } });
    await addRelay(store, 'gate');
    const group = groupOf(createScanCommit(store), { timeoutMs: 100, answerMs: 1_000 });
    expect((await group.add(scanAt('gate'))).kind).toBe('stored');
    proxy.silence();
    const first = scanAt('gate');
    expect(await codeRejected(group.add(first))).toBe('store.unavailable');
    await expect.poll(() => codeRejected(group.add({ ...first, id: makeId() }))).toBe(undefined);
    expect(await storedAt(store, 'gate')).toHaveLength(2);
    await store.close();
    await proxy.close();
  });
});
