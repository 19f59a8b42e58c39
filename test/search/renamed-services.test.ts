/** Services that another client renames: a search takes each service by the name that it has now. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.js';
import { createScans } from '../../src/scans/index.js';
import { createScanSearch } from '../../src/search/index.js';
import { openTestStore, sqliteDatabases } from '../helpers/databases.js';
import { mirrorOf, type TestMirror } from '../helpers/mirror.js';
import { owner } from '../helpers/relay.js';
import { type DeskHarness, startDesk } from '../lookup/harness.js';

const databases = sqliteDatabases();
let offset = 0;
const clock: Clock = { ...systemClock, now: () => Date.now() + offset };
let account: DeskHarness;
let made: TestMirror;

beforeAll(async () => {
  account = await startDesk({ callsPerMinute: 1_000_000, clock });
  const scanner = account.apiUrl.replace('/api/', '/scanner/');
  const { users, devices } = (await (await fetch(`${scanner}state`)).json()) as Record<string, { id: string }[]>;
  for (const value of ['N-0', 'N-1', 'N-2']) {
    await fetch(`${scanner}scan`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ service_id: '1201', user_id: users?.[0]?.id, device_id: devices?.[0]?.id, value }),
    });
  }
  const store = await openTestStore(await databases.fresh(), { clock });
  await store.workspaces.connect(owner, account.apiKey, { connectedBy: 'U1', connectedAt: 5 });
  made = mirrorOf(store, account.accounts, { clock });
  made.mirror.start();
  await vi.waitFor(async () => expect((await made.mirror.scansState(owner))?.at).toBeDefined(), {
    ...{ timeout: 40_000, interval: 50 },
  });
  await made.mirror.stop();
});
afterAll(async () => {
  await made.store.close();
  await account.close();
});

it('a search by the new name of a service finds its scans from before, and by the former name none', async () => {
  const find = async (part: string) => {
    const search = createScanSearch({ clock, scans: createScans(made.store.db), mirror: made.mirror });
    const answer = await search({
      ...{ owner, account: account.account, query: { services: [{ part }] }, zone: 'UTC' },
      ...{ budgetMs: 1e9, limit: 100 },
    });
    const scans = typeof answer === 'string' ? [] : answer.scans.filter(({ value }) => value.startsWith('N-'));
    return scans.map(({ value, service }) => `${value} ${service.name}`).sort();
  };
  const named = (name: string) => ['N-0', 'N-1', 'N-2'].map((value) => `${value} ${name}`);
  expect(await find('Gate A')).toEqual(named('Gate A: tickets'));
  const body = { section: 'services', action: 'update', api_key: account.apiKey, service_id: '1201' };
  await fetch(account.apiUrl, { method: 'POST', body: new URLSearchParams({ ...body, service_name: 'North gate' }) });
  offset += 60_000;
  expect(await find('North gate')).toEqual(named('North gate'));
  expect(await find('Gate A')).toEqual([]);
});
