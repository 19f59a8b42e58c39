import { afterAll, beforeAll, expect, it } from 'vitest';
import { createForgetting } from '../../src/mirror/forget.js';
import { createAccountMirrors } from '../../src/mirror/tables/accounts.js';
import { createDatabaseMirrors, type DatabaseMirror } from '../../src/mirror/tables/databases.js';
import { createMirroredScans } from '../../src/mirror/tables/scans.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { mirrorOf } from '../helpers/mirror.js';
import { owner, stranger } from '../helpers/relay.js';
import { wideIt } from '../helpers/tier/wide-it.js';
import { type DeskHarness, startDesk } from '../lookup/harness.js';

const tickets = '1021';
const named = { id: '1', name: 'One' };
const scan = (id: number, value: string) => ({
  scan: {
    ...{ id: String(id), value, status: 'valid' as const, result: '', timestamp: '2026-03-01 12:00:00' },
    ...{ device: named, service: named, user: named, answers: [], properties: [] },
  },
  at: id,
  modifiedAt: id,
});
const value = (key: string, spelled = key) => ({ key, value: spelled, valid: true, response: '' });

onEachDatabase('what is deleted of the mirror', (databases) => {
  let account: DeskHarness;
  const open: Store[] = [];
  const openStore = async () => {
    const store = await openTestStore(await databases.fresh());
    open.push(store);
    return store;
  };
  /** Rows that are left, by table. */
  const left = async ({ db }: Store) => {
    const tables = ['mirrors', 'mirrored_databases', 'mirrored_values', 'account_scans'] as const;
    return await Promise.all(
      tables.map(async (table) => {
        const row = await db.selectFrom(table).select(db.fn.countAll().as('rows')).executeTakeFirst();
        return Number(row?.rows ?? 0);
      }),
    );
  };
  const fill = async (store: Store, of = owner, many = 3) => {
    const parts = {
      mirrors: createAccountMirrors(store),
      databases: createDatabaseMirrors(store),
      scans: createMirroredScans(store),
    };
    await parts.mirrors.create(of, 5, 1);
    await parts.databases.require(of, 'exact', 1);
    await parts.databases.require(of, 'folded', 1);
    const [exact, folded] = (await parts.databases.of(of)) as [DatabaseMirror, DatabaseMirror];
    await parts.databases.begin(exact, { caseSensitive: true, connectedAt: 5 });
    await parts.databases.begin(folded, { caseSensitive: false, connectedAt: 5 });
    const mirror = (await parts.mirrors.of(of))!;
    const names = Array.from({ length: many }, (_, n) => `Tick-${n}`);
    await parts.databases.put(
      exact.id,
      1,
      names.map((name) => value(name)),
    );
    await parts.databases.put(
      folded.id,
      1,
      names.map((name) => value(name.toLowerCase(), name.toUpperCase())),
    );
    await parts.scans.put(mirror.id, 1, [
      ...names.map((name, n) => scan(n, name)),
      ...names.map((name, n) => scan(many + n, name.toUpperCase())),
    ]);
    return { ...parts, ...createForgetting(parts), mirror, exact, folded };
  };

  beforeAll(async () => {
    account = await startDesk({ callsPerMinute: 1_000_000 });
  });
  afterAll(async () => {
    await account.close();
    for (const store of open) {
      await store.close();
    }
  });

  it('forgetting a barcode deletes it from the mirror in every spelling that its databases treat as equal', async () => {
    const store = await openStore();
    const filled = await fill(store);
    await fill(store, stranger);
    expect(await filled.forgetValue(owner, 'Tick-1')).toEqual({ values: 2, scans: 2 });
    expect(await left(store)).toEqual([2, 4, 10, 10]);
    // In the database where case counts, this is another barcode.
    expect(await filled.forgetValue(owner, 'tick-2')).toEqual({ values: 1, scans: 1 });
    expect(await filled.forgetValue(owner, 'none')).toEqual({ values: 0, scans: 0 });
    expect(await filled.databases.load([{ mirrorId: filled.exact.id, key: 'Tick-2' }])).toMatchObject([
      [{ valid: true }],
    ]);
  });

  it('forgetting a barcode spares a spelling in the mirror that only some databases treat as the same barcode', async () => {
    const store = await openStore();
    const { databases: copies, scans, mirror, folded, forgetValue } = await fill(store);
    await copies.put(folded.id, 1, [value('strasse-1', 'STRASSE-1'), value('strasse-1', 'STRAßE-1')]);
    await scans.put(mirror.id, 1, [scan(70, 'STRASSE-1'), scan(71, 'STRAßE-1')]);
    expect(await forgetValue(owner, 'strasse-1')).toEqual({ values: 1, scans: 1 });
    expect(await copies.load([{ mirrorId: folded.id, key: 'strasse-1' }])).toMatchObject([[{ value: 'STRAßE-1' }]]);
    expect(await forgetValue(owner, 'STRAßE-1')).toEqual({ values: 1, scans: 1 });
  });

  it('erasing an owner deletes all of the owner’s mirror, and nothing of another owner’s mirror', async () => {
    const store = await openStore();
    const filled = await fill(store);
    await fill(store, stranger);
    expect(await filled.erase(owner)).toEqual({ values: 6, scans: 6 });
    expect(await left(store)).toEqual([1, 2, 6, 6]);
    await store.eraseInstallation(stranger.installation);
    expect(await left(store)).toEqual([0, 0, 0, 0]);
  });

  it('an erased mirror takes no values or scans from a call or a pass that is under way', async () => {
    const store = await openStore();
    const { databases: copies, scans, mirror, exact } = await fill(store);
    await store.eraseInstallation(owner.installation);
    await expect(copies.put(exact.id, 1, [value('late')])).rejects.toThrow('no longer mirrored');
    await expect(copies.learn(exact, value('late'), value('late'))).rejects.toThrow('no longer mirrored');
    await expect(scans.put(mirror.id, 1, [scan(9, 'late')])).rejects.toThrow('no longer mirrored');
    expect(await left(store)).toEqual([0, 0, 0, 0]);
  });

  it('a disconnect during a pass leaves no data in the mirror', async () => {
    const store = await openStore();
    await store.workspaces.connect(owner, account.apiKey, { connectedBy: 'U1', connectedAt: 5 });
    await store.workspaces.change(owner, { lookupDatabases: [tickets] });
    let release = () => {};
    const asked = new Promise<void>((resolve) => {
      account.onWire(async ({ operation, variables }) => {
        if (operation === 'databases/showvalues' && variables.has('offset')) {
          await new Promise<void>((go) => {
            release = go;
            resolve();
          });
        }
        return undefined;
      });
    });
    const { mirror } = mirrorOf(store, account.accounts, { pageSize: 200, times: { pollMs: 20, changesMs: 20 } });
    mirror.start();
    await asked;
    expect((await left(store))[2]).toBeGreaterThan(0);
    await store.workspaces.disconnect(owner);
    mirror.wake();
    await expect.poll(() => left(store)).toEqual([0, 0, 0, 0]);
    account.onWire(() => undefined);
    release();
    // The stop waits for the pass that the answer belongs to.
    await mirror.stop();
    expect(await left(store)).toEqual([0, 0, 0, 0]);
  });

  wideIt('a large mirror is deleted in portions that do not block the event loop', async () => {
    const store = await openStore();
    await fill(store, owner, 5_000);
    let longest = 0;
    let turns = 0;
    const used = () => process.cpuUsage().user / 1_000;
    let last = used();
    let going = true;
    const tick = () => {
      const now = used();
      longest = Math.max(longest, now - last);
      last = now;
      turns += 1;
      if (going) {
        setImmediate(tick);
      }
    };
    tick();
    await store.eraseInstallation(owner.installation);
    going = false;
    expect(await left(store)).toEqual([0, 0, 0, 0]);
    expect(turns).toBeGreaterThan(20);
    expect(longest).toBeLessThan(50);
  });

  it('an interrupted deletion of a mirror is completed when the mirror starts again', async () => {
    const store = await openStore();
    await fill(store);
    await store.db.deleteFrom('mirrors').execute();
    await store.db.deleteFrom('mirrored_databases').execute();
    const { mirror } = mirrorOf(store, account.accounts);
    mirror.start();
    await expect.poll(() => left(store)).toEqual([0, 0, 0, 0]);
    await mirror.stop();
  });
});
