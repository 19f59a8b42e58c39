import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Clock, systemClock, systemRandom } from '../../../src/clock.js';
import { silentLog } from '../../../src/log.js';
import type { CardChange } from '../../../src/slack/lookup/record-store.js';
import { lookupRecords } from '../../../src/slack/lookup/record-store.js';
import { openStore } from '../../../src/workspaces/store.js';
import type { Store } from '../../../src/workspaces/types.js';
import { lookup, scan } from './lookup-samples.js';

const here = { installation: 'T1', team: 'T1' };
let folder: string;
let store: Store;
let now = Date.UTC(2026, 2, 1);
const clock: Clock = { ...systemClock, now: () => now };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scandesk-kept-'));
  store = await openStore({
    url: `file:${join(folder, 'kept.db')}`,
    secretKeys: [Buffer.alloc(32, 1)],
    clock,
    random: systemRandom,
    log: silentLog,
  });
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const deps = () => ({ store, random: systemRandom });

it('a stored lookup reads back unchanged, with its barcode', async () => {
  const before = { lookup: lookup({ value: ' 00\u001d1<&>\u2028', scans: [scan({ value: '𝒳' })] }) };
  const id = await lookupRecords.save(deps(), here, before);
  expect(await lookupRecords.find(deps(), here, id)).toEqual(before);
});

it('a stored lookup reads back with the changes made from its card', async () => {
  const change: CardChange = {
    what: 'changed',
    database: { id: '1', name: 'Tickets' },
    value: ' 00\u001d1',
    before: { valid: true, response: ' Welcome\n' },
    after: { valid: false, response: ' Welcome\n' },
    by: 'U1',
    at: now,
  };
  const id = await lookupRecords.save(deps(), here, { lookup: lookup(), change });
  expect((await lookupRecords.find(deps(), here, id))?.change).toEqual(change);
});

it('a stored lookup is not found by another workspace', async () => {
  const id = await lookupRecords.save(deps(), here, { lookup: lookup() });
  expect(await lookupRecords.find(deps(), { installation: 'T2', team: 'T2' }, id)).toBeUndefined();
  expect(await lookupRecords.find(deps(), { installation: 'T1', team: 'T2' }, id)).toBeUndefined();
});

it('a stored lookup expires a day later', async () => {
  const id = await lookupRecords.save(deps(), here, { lookup: lookup() });
  now += 25 * 3_600_000;
  expect(await lookupRecords.find(deps(), here, id)).toBeUndefined();
});

it('a stored lookup is deleted when the app is uninstalled', async () => {
  const id = await lookupRecords.save(deps(), here, { lookup: lookup() });
  await store.eraseInstallation('T1');
  expect(await lookupRecords.find(deps(), here, id)).toBeUndefined();
});

it('a stored lookup of an incompatible version counts as missing', async () => {
  await store.keyv('lookup').set('T1:T1:old', { value: 'A' });
  expect(await lookupRecords.find(deps(), here, 'old')).toBeUndefined();
});
