/** An admission in another spelling that is older than the copy's scans: the account is asked for it. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.js';
import { createLookups, headlineOf } from '../../../src/lookup/index.js';
import { createScans } from '../../../src/scans/index.js';
import { openTestStore, sqliteDatabases } from '../../helpers/databases.js';
import { mirrorOf, type TestMirror } from '../../helpers/mirror.js';
import { owner } from '../../helpers/relay.js';
import { type DeskHarness, startDesk, xmlError } from '../harness.js';

const dayMs = 24 * 60 * 60_000;
const databases = sqliteDatabases();
let offset = 0;
const clock: Clock = { ...systemClock, now: () => Date.now() + offset };
let account: DeskHarness;
let made: TestMirror;

beforeAll(async () => {
  account = await startDesk({ callsPerMinute: 1_000_000, clock });
  const body = {
    section: 'databases',
    action: 'addvalue',
    api_key: account.apiKey,
    database_id: '1021',
    value: 'PASS-7A',
  };
  await fetch(account.apiUrl, { method: 'POST', body: new URLSearchParams(body) });
  const scanner = account.apiUrl.replace('/api/', '/scanner/');
  const { users, devices } = (await (await fetch(`${scanner}state`)).json()) as Record<string, { id: string }[]>;
  const ids = { service_id: '1201', user_id: users?.[0]?.id, device_id: devices?.[0]?.id };
  const scanned_at = new Date(Date.now() - 3 * dayMs).toISOString().slice(0, 19).replace('T', ' ');
  await fetch(`${scanner}scan`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...ids, value: 'pass-7a', scanned_at }),
  });
  const store = await openTestStore(await databases.fresh(), { clock });
  await store.workspaces.connect(owner, account.apiKey, { connectedBy: 'U1', connectedAt: 5 });
  await store.workspaces.change(owner, { lookupDatabases: ['1021'], mirror: { scanDays: 1, without: [] } });
  made = mirrorOf(store, account.accounts, { clock });
  made.mirror.start();
  await vi.waitFor(
    async () => {
      const states = await made.mirror.states(owner);
      expect(states.some(({ fetchedAt }) => fetchedAt !== undefined)).toBe(true);
      expect((await made.mirror.scansState(owner))?.at).toBeDefined();
    },
    { timeout: 40_000, interval: 50 },
  );
  await made.mirror.stop();
});
afterAll(async () => {
  await made.store.close();
  await account.close();
});

const card = async () => {
  offset += 10_000;
  const lookups = createLookups({ clock, scans: createScans(made.store.db), mirror: made.mirror });
  const lookup = await lookups.lookup({ owner, account: account.account, value: 'PASS-7A', databaseIds: ['1021'] });
  const { kind, tone, title } = headlineOf(lookup);
  return { kind, tone, title };
};

it('an admission in another case, older than the copy of a day, makes the ticket used', async () => {
  expect(await card()).toMatchObject({ kind: 'used' });
});

it('a copy of a day says so where the account gives no answer about the other spelling', async () => {
  account.onWire(({ operation, variables }) =>
    operation === 'scans/retrieve' && variables.get('value') === 'pass-7a' ? xmlError('500') : undefined,
  );
  expect(await card()).toEqual({ kind: 'no_admission', tone: 'unsure', title: 'Valid, no admission in a day' });
});
