import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Clock, systemClock, systemRandom } from '../../src/clock.js';
import { createIds } from '../../src/database/ids.js';
import type { Owner } from '../../src/ownership.js';
import { createScanCommit } from '../../src/relay/commit/index.js';
import { createRelayPurge } from '../../src/relay/index.js';
import { createRelaysById } from '../../src/relay/record/by-id.js';
import { withdrawUninstalledPosts } from '../../src/relay/relays/erase.js';
import { createRelayStore } from '../../src/relay/relays/relay-rows.js';
import type { Store } from '../../src/workspaces/types.js';
import { createUninstalledPurge } from '../../src/workspaces/uninstalled.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { relayRecord } from '../helpers/relay.js';

const day = 24 * 60 * 60_000;
const start = Date.UTC(2026, 0, 1);
const never = new AbortController().signal;
const inT1: Owner = { installation: 'T1', team: 'T1' };
const inE1T2: Owner = { installation: 'E1', team: 'T2' };
const inE1T3: Owner = { installation: 'E1', team: 'T3' };
const owners = [inT1, inE1T2, inE1T3];

onEachDatabase('what an uninstalled app leaves', ({ fresh }) => {
  let store: Store;
  let now: number;
  let tokenOf: string | undefined;
  const clock: Clock = { ...systemClock, now: () => now, sleep: async () => void (await setImmediate()) };

  beforeEach(async () => {
    now = start;
    tokenOf = undefined;
    store = await openTestStore(await fresh(), { clock });
    const makeId = createIds(clock, systemRandom);
    for (const owner of owners) {
      await store.installations.save(owner.installation, {}, start - day);
      const id = `r${owner.team}`;
      await createRelayStore(store.db).add(
        relayRecord({ id, owner, counting: { value: {} } }),
        { id: `${id}-s`, hash: 'f'.repeat(64) },
        { silences: [{ ruleId: 'rule', subject: 'relay', subjectId: '' }] },
      );
      const scan = { id: makeId(), relayId: id, secretId: `${id}-s`, receivedAt: now, tid: `of ${owner.team}` };
      await createScanCommit(store).commit([{ ...scan, submit: [], answers: [], properties: [] }], () => ({
        ...{ valid: true, text: '', posts: [{ channel: 'C0', rule: 'rule' }] },
      }));
      await record(owner, now);
    }
  });
  afterEach(() => store.close());

  const record = (owner: Owner, at: number) =>
    store.audit.add(owner, { at, who: 'U1', where: 'C1', what: 'x', detail: {}, outcome: 'ok' });
  const purge = () =>
    createUninstalledPurge({
      store,
      steps: [createRelayPurge(store, clock), store.audit.erase],
      isInstalled: async (installation) => installation === tokenOf,
    })(now - 7 * day, never);
  const tables = ['received_scans', 'counters', 'silences', 'relay_secrets'] as const;
  /** The teams that still have relays. Checks that no other table has rows of a deleted relay. */
  const left = async () => {
    const relays = await store.db.selectFrom('relays').select(['id', 'team']).orderBy('team').execute();
    const audit = await store.db.selectFrom('audit').select('team').distinct().execute();
    const ids = new Set(relays.map(({ id }) => id));
    for (const table of tables) {
      const rows = await store.db.selectFrom(table).select('relay_id').execute();
      expect(rows.filter(({ relay_id }) => !ids.has(relay_id))).toEqual([]);
    }
    const posts = await store.db.selectFrom('outbox').select('source_id').execute();
    expect(posts.filter((row) => !ids.has(row.source_id))).toEqual([]);
    expect(audit.map(({ team }) => team).sort()).toEqual(relays.map(({ team }) => team));
    return relays.map(({ team }) => team);
  };
  const access = (id: string) => createRelaysById(store.db).access(id);

  it('an uninstalled app’s relays, scans, posts and audit log are kept for a week and then deleted', async () => {
    await store.eraseInstallation('T1');
    expect(await purge()).toBe(0);
    now += 7 * day;
    expect(await purge()).toBe(0);
    expect(await access('rT1')).toBeDefined();
    now += 1;
    expect(await purge()).toBe(1);
    expect(await left()).toEqual(['T2', 'T3']);
    expect(await access('rT1')).toBeUndefined();
    expect(await access('rT2')).toBeDefined();
    expect(await purge()).toBe(0);
  });

  it('an uninstalled app’s data is kept if the app is installed again within a week, though checked later', async () => {
    await store.eraseInstallation('T1');
    now += 6 * day;
    await store.installations.save('T1', {}, now);
    now += 60 * day;
    expect(await purge()).toBe(0);
    expect(await left()).toEqual(['T1', 'T2', 'T3']);
    const relays = createRelayStore(store.db);
    await relays.resume(inT1, 'rT1', now);
    expect(await relays.replay(inT1, 'rT1', now)).toBe(1);
  });

  it('an uninstalled app’s week of keeping data starts again each time that the app is uninstalled', async () => {
    await store.eraseInstallation('T1');
    now += 3 * day;
    await store.installations.save('T1', {}, now);
    await store.eraseInstallation('T1');
    now += 5 * day;
    expect(await purge()).toBe(0);
    now += 3 * day;
    expect(await purge()).toBe(1);
    expect(await left()).toEqual(['T2', 'T3']);
  });

  it('an uninstalled app’s data is kept if a bot token still works, or if somebody made a change since', async () => {
    tokenOf = 'T1';
    await store.eraseInstallation('T1');
    await store.eraseTeam(inE1T2);
    await store.eraseTeam(inE1T3);
    now += day;
    await store.workspaces.connect(inE1T2, 'key', { connectedBy: 'U1', connectedAt: now });
    await record(inE1T3, now);
    now += 30 * day;
    expect(await purge()).toBe(0);
    expect(await left()).toEqual(['T1', 'T2', 'T3']);
  });

  it('an uninstalled app’s data is deleted for the one team that removed the app, or for all teams', async () => {
    await store.eraseTeam(inE1T2);
    now += 8 * day;
    expect(await purge()).toBe(1);
    expect(await left()).toEqual(['T1', 'T3']);
    await store.eraseInstallation('E1');
    now += 8 * day;
    expect(await purge()).toBe(1);
    expect(await left()).toEqual(['T1']);
  });

  it('an uninstalled app’s data is kept after an uninstall event older than the installation', async () => {
    expect(await store.eraseInstallation('T1', start - 2 * day)).toBe(false);
    now += 30 * day;
    expect(await purge()).toBe(0);
    expect(await left()).toEqual(['T1', 'T2', 'T3']);
  });

  it('an uninstalled app’s scans received and posts withdrawn within the week are deleted with its data', async () => {
    await store.eraseInstallation('T1');
    const scan = {
      id: createIds(clock, systemRandom)(),
      relayId: 'rT1',
      secretId: 'rT1-s',
      receivedAt: now,
      tid: 'late',
    };
    await createScanCommit(store).commit([{ ...scan, submit: [], answers: [], properties: [] }], () => ({
      ...{ valid: true, text: '', posts: [{ channel: 'C0', rule: 'rule' }] },
    }));
    await withdrawUninstalledPosts(store, now);
    now += 8 * day;
    expect(await purge()).toBe(1);
    expect(await left()).toEqual(['T2', 'T3']);
  });
});
