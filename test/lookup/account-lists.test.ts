/** The lists of services and of databases: a headline that lets somebody in rests on lists of the last minute. */
import { afterEach, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.js';
import { createLookups, headlineOf } from '../../src/lookup/index.js';
import { type DeskHarness, type OnWire, owner, startDesk, xmlError } from './harness.js';

const minuteMs = 60_000;
let harness: DeskHarness;
afterEach(() => harness?.close());

async function begin() {
  let offset = 0;
  const clock: Clock = { ...systemClock, now: () => Date.now() + offset };
  harness = await startDesk({ clock });
  const lookups = createLookups({ clock, scans: harness.scans });
  const call = async (section: string, action: string, variables: Record<string, string>) => {
    const body = new URLSearchParams({ section, action, api_key: harness.apiKey, ...variables });
    return await (await fetch(harness.apiUrl, { method: 'POST', body })).text();
  };
  const create = async (section: string, variables: Record<string, string>) =>
    /<id>(\d+)/.exec(await call(section, 'create', variables))?.[1] ?? '';
  const scanner = harness.apiUrl.replace('/api/', '/scanner/');
  const state = (await (await fetch(`${scanner}state`)).json()) as Record<string, { id: string }[]>;
  const [user_id = '', device_id = ''] = [state.users?.[0]?.id, state.devices?.[0]?.id];
  await call('databases', 'addvalue', { database_id: '1021', value: 'T-0' });
  await call('databases', 'addvalue', { database_id: '1021', value: 'T-1' });
  const begun = {
    call,
    create,
    advance: (ms: number) => {
      offset += ms;
    },
    scan: async (value: string, service_id: string) => {
      await fetch(`${scanner}scan`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ service_id, user_id, device_id, value }),
      });
    },
    newGate: async (more: Record<string, string> = {}) => {
      const made = {
        service_name: 'New gate',
        validation_method: 'database',
        database_id: '1021',
        duplicate_value: '0',
      };
      const service_id = await create('services', { ...made, ...more });
      await call('services', 'adduserpermission', { service_id, user_id });
      return service_id;
    },
    look: async (value: string, databaseIds: readonly string[] | null = ['1021']) => {
      const chosen = databaseIds ?? undefined;
      const lookup = await lookups.lookup({ owner, account: harness.account, value, databaseIds: chosen });
      const { kind, tone, title, notes } = headlineOf(lookup);
      return { kind, tone, title, notes };
    },
  };
  // The lists are cached from here on.
  await begun.scan('T-0', '1201');
  await begun.look('T-0');
  return begun;
}

const failing =
  (operation: string): OnWire =>
  (call) =>
    call.operation === operation ? xmlError('500', 'Something went wrong') : undefined;

describe('the lists behind a headline', () => {
  it('an admission at a service that another client made a minute ago counts', async () => {
    const { scan, newGate, look } = await begin();
    await scan('T-1', await newGate());
    expect(await look('T-1')).toMatchObject({ kind: 'used' });
  });

  it('an admission at a service that admits once since a minute ago, by another client, counts', async () => {
    const { call, scan, newGate, advance, look } = await begin();
    const service_id = await newGate({ duplicate_value: '1' });
    await scan('T-1', service_id);
    expect(await look('T-1')).toMatchObject({ kind: 'scanned', tone: 'good' });
    await call('services', 'update', { service_id, duplicate_value: '0' });
    advance(minuteMs);
    expect(await look('T-1')).toMatchObject({ kind: 'used' });
  });

  it('an admission at a service that checks another database now is named, and the headline has no tick', async () => {
    const { call, scan, newGate, advance, look } = await begin();
    const service_id = await newGate();
    await scan('T-1', service_id);
    await call('services', 'update', { service_id, database_id: '1022' });
    advance(minuteMs);
    const { kind, tone, title } = await look('T-1');
    expect([kind, tone]).toEqual(['elsewhere', 'unsure']);
    expect(title).toContain('Valid, scanned at New gate, which checks Stock room');
  });

  it('no headline says that nobody was admitted once a service that admitted once is deleted with its scans', async () => {
    const { call, scan, newGate, advance, look } = await begin();
    const service_id = await newGate();
    await scan('T-1', service_id);
    expect(await look('T-1')).toMatchObject({ kind: 'used' });
    await call('services', 'delete', { service_id });
    advance(10 * minuteMs);
    expect(await look('T-1')).toMatchObject({ kind: 'incomplete', tone: 'unsure' });
    advance(24 * 60 * minuteMs);
    expect(await look('T-1')).toMatchObject({ kind: 'no_admission', tone: 'good' });
  });

  it('a barcode of a database that another client made is found after a minute, by an account that takes 1.5 s', async () => {
    const { call, create, advance, look } = await begin();
    await look('WALK-1', null);
    const database_id = await create('databases', { database_name: 'Walk-ups' });
    await call('databases', 'addvalue', { database_id, value: 'WALK-1' });
    advance(14 * 60 * minuteMs);
    harness.onWire(async ({ operation }) => {
      if (operation.endsWith('s/retrieve') && operation !== 'scans/retrieve') {
        await new Promise((done) => setTimeout(done, 1_500));
      }
      return undefined;
    });
    const lookups = createLookups({
      clock: { ...systemClock, now: () => Date.now() + 14 * 60 * minuteMs },
      scans: harness.scans,
    });
    const all = await lookups.lookup({ owner, account: harness.account, value: 'WALK-1' });
    expect(headlineOf(all).kind).toBe('no_admission');
  });

  it('a database that a service checks is searched while the list of databases, which lacks it, cannot be had', async () => {
    const { call, create, newGate, advance, look } = await begin();
    expect(await look('T-1', null)).toMatchObject({ kind: 'no_admission' });
    const database_id = await create('databases', { database_name: 'Blocked' });
    await call('databases', 'addvalue', { database_id, value: 'T-1', validity: '0' });
    await newGate({ database_id });
    harness.onWire(failing('databases/retrieve'));
    advance(5 * minuteMs);
    expect(await look('T-1', null)).toMatchObject({ kind: 'disagree' });
  });

  it('a green headline stands for the age of a green one while a list alone fails, and is not confirmed after it', async () => {
    const { scan, newGate, advance, look } = await begin();
    await scan('T-1', await newGate({ duplicate_value: '1' }));
    await look('T-1');
    harness.onWire(failing('services/retrieve'));
    advance(10 * minuteMs);
    expect(await look('T-1')).toMatchObject({ kind: 'scanned', tone: 'good' });
    advance(6 * minuteMs);
    const { notes, ...late } = await look('T-1');
    expect(late).toMatchObject({ kind: 'not_confirmed', tone: 'unsure' });
    expect(notes.join()).toContain('couldn’t be loaded again');
  });

  it('many lookups within a minute read each list once', async () => {
    const { scan, advance, look } = await begin();
    await scan('T-1', '1204');
    advance(minuteMs);
    const before = [harness.countOf('services/retrieve'), harness.countOf('databases/retrieve')];
    for (let n = 0; n < 20; n += 1) {
      await look('T-1');
    }
    const after = [harness.countOf('services/retrieve'), harness.countOf('databases/retrieve')];
    expect(after.map((count, at) => count - (before[at] ?? 0))).toEqual([1, 0]);
  });
});
