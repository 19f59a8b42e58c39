import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.js';
import { retrieveLimits } from '../../src/codereadr/operations/index.js';
import { agesOf, createLookups, headlineOf, type Lookup, type Lookups } from '../../src/lookup/index.js';
import { createMetrics } from '../../src/metrics.js';
import { createScans } from '../../src/scans/index.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { mirrorOf, type TestMirror } from '../helpers/mirror.js';
import { owner } from '../helpers/relay.js';
import { type DeskHarness, startDesk } from '../lookup/harness.js';

const tickets = '1021';
const ticket = (n: number) => `HLF-${String(n).padStart(6, '0')}`;

onEachDatabase('a lookup in the mirror', (databases) => {
  let offset = 0;
  const clock: Clock = { ...systemClock, now: () => Date.now() + offset };
  let account: DeskHarness;
  let made: TestMirror;
  let lookups: Lookups;
  const metrics = createMetrics();

  const call = async (section: string, action: string, variables: Record<string, string>) => {
    const body = new URLSearchParams({ section, action, api_key: account.apiKey, ...variables });
    return await (await fetch(account.apiUrl, { method: 'POST', body })).text();
  };
  const lookUp = (value: string, more: { live?: boolean } = {}) =>
    lookups.lookup({ owner, account: account.account, value, databaseIds: [tickets], ...more });
  const callsDuring = async (work: () => Promise<unknown>) => {
    const before = account.calls.filter(({ variables }) => variables.has('value')).length;
    await work();
    return account.calls.filter(({ variables }) => variables.has('value')).length - before;
  };
  const scanTicket = async (value: string) => {
    const scanner = account.apiUrl.replace('/api/', '/scanner/');
    const { services, users, devices } = (await (await fetch(`${scanner}state`)).json()) as Record<
      'services' | 'users' | 'devices',
      { id: string; validation_method: string; samples: { value: string }[] }[]
    >;
    const gate = services.find((one) => one.validation_method === 'database');
    const body = { service_id: gate?.id, user_id: users[0]?.id, device_id: devices[0]?.id, value };
    await fetch(`${scanner}scan`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  };
  const answerFor = async (value: string) => {
    const { databases: mirrors } = await made.mirror.view(owner);
    const [answer] = await made.mirror.values([mirrors.find(({ databaseId }) => databaseId === tickets)], value);
    return answer!;
  };
  const filled = async () => {
    await expect
      .poll(async () => {
        const [state] = (await made.mirror.states(owner)).filter(({ databaseId }) => databaseId === tickets);
        return state?.fetchedAt !== undefined && (await made.mirror.scansState(owner))?.at !== undefined;
      })
      .toBe(true);
  };

  beforeAll(async () => {
    account = await startDesk({ callsPerMinute: 1_000_000, clock });
    const store = await openTestStore(await databases.fresh(), { clock });
    await store.workspaces.connect(owner, account.apiKey, { connectedBy: 'U1', connectedAt: 5 });
    await store.workspaces.change(owner, { lookupDatabases: [tickets] });
    made = mirrorOf(store, account.accounts, {
      clock,
      metrics,
      times: { pollMs: 50, changesMs: 50, freshMs: 3_600_000 },
    });
    lookups = createLookups({ clock, scans: createScans(store.db), mirror: made.mirror });
    made.mirror.start();
  });
  afterAll(async () => {
    await made.mirror.stop();
    await made.store.close();
    await account.close();
  });

  it('a lookup in the mirror shows without a call that a barcode is not valid, with the copy’s age', async () => {
    await filled();
    let lookup: Lookup | undefined;
    const calls = await callsDuring(async () => {
      lookup = await lookUp(ticket(2));
    });
    expect(calls).toBe(0);
    expect(headlineOf(lookup!)).toMatchObject({ kind: 'not_valid', title: 'Not valid: Refunded' });
    expect(agesOf(lookup!)).toMatchObject({ values: expect.any(Number), scans: expect.any(Number) });
    expect(lookup?.history.days).toBe(90);
    expect(headlineOf(lookup!).failure).toBeUndefined();
    expect(agesOf(lookup!)!.values!).toBeLessThan(lookup!.askedAt);
  });

  it('the mirror’s size, its age and its calls are shown as metrics', async () => {
    const figure = async (name: string) => {
      const text = await metrics.registry.metrics();
      return Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')
          .at(-1),
      );
    };
    await expect.poll(() => figure('scandesk_mirror_items{part="values"}')).toBeGreaterThan(100);
    expect(await figure('scandesk_mirror_items{part="scans"}')).toBeGreaterThan(0);
    for (const part of ['values', 'scans']) {
      expect(await figure(`scandesk_mirror_age_seconds{part="${part}"}`)).toBeGreaterThan(0);
      expect(await figure(`scandesk_mirror_age_seconds{part="${part}"}`)).toBeLessThan(60);
    }
    expect(await figure('scandesk_mirror_calls_total')).toBeGreaterThan(2);
  });

  it('a lookup in the mirror shows a value in its database’s spelling', async () => {
    const { findings } = await lookUp(ticket(2).toLowerCase());
    expect(findings).toMatchObject([{ kind: 'known', value: ticket(2), valid: false }]);
  });

  it('a lookup in the mirror asks the account with two calls before it says that a new barcode is valid', async () => {
    offset += 70_000;
    const fresh = `HLF-NEW-${Math.random()}`;
    await call('databases', 'addvalue', { database_id: tickets, value: fresh });
    // The mirror lacks it and is older than a minute, so the account is asked.
    const first = await lookUp(fresh);
    expect(headlineOf(first)).toMatchObject({ kind: 'no_admission', tone: 'good' });
    expect(headlineOf(first).failure).toBeUndefined();
    offset += 10_000;
    const calls = await callsDuring(async () => {
      expect(headlineOf(await lookUp(fresh)).kind).toBe('no_admission');
    });
    expect(calls).toBe(2);
  });

  it('a lookup in the mirror asks the account before it calls a barcode “unknown”', async () => {
    const calls = await callsDuring(async () => {
      expect(headlineOf(await lookUp('NOWHERE')).kind).toBe('unknown');
    });
    expect(calls).toBe(1);
  });

  it('a lookup in the mirror shows a scan soon after the account received it, and Refresh reads the account', async () => {
    const value = ticket(5);
    await scanTicket(value);
    await expect
      .poll(async () => (await lookUp(value)).history.scans.length, { interval: 100 })
      .toBeGreaterThanOrEqual(1);
    const live = await lookUp(value, { live: true });
    expect(live.history.days).toBeUndefined();
    expect(agesOf(live)?.values).toBeGreaterThanOrEqual(live.askedAt);
  });

  it('a lookup in the mirror asks the account for a value with characters that the account’s answers lose', async () => {
    const calls = await callsDuring(() => lookUp(`HLF\u001d000001`));
    expect(calls).toBeGreaterThan(0);
  });

  describe('lookups of a whole company', () => {
    it('lookups are answered from the mirror while the account is down, and “valid” is not confirmed', async () => {
      await call('databases', 'addvalue', { database_id: tickets, value: 'HLF-UNUSED' });
      await lookUp('HLF-UNUSED', { live: true });
      // The account's answer is stored in the background.
      await expect.poll(async () => (await answerFor('HLF-UNUSED')).kind).toBe('found');
      offset += 10_000;
      account.onWire(() => 'reset');
      const all = await Promise.all([ticket(2), ticket(5), 'HLF-UNUSED', 'NOWHERE'].map((value) => lookUp(value)));
      const [refunded, used, fresh, unknown] = all as [Lookup, Lookup, Lookup, Lookup];
      expect(headlineOf(refunded).kind).toBe('not_valid');
      expect(used.history.scans.length).toBeGreaterThanOrEqual(1);
      expect(headlineOf(fresh)).toMatchObject({
        kind: 'no_admission',
        tone: 'unsure',
        title: 'Valid, no admission in 90 days',
      });
      expect(headlineOf(fresh).failure).toBeDefined();
      expect(headlineOf(unknown).kind).toBe('not_checked');
      expect(unknown.findings).toMatchObject([
        { kind: 'failed', failure: { code: expect.stringMatching(/unreachable|slow/) } },
      ]);
      account.onWire(() => undefined);
    });

    it('200 lookups of 20 people cost at most 60 calls with a mirror, and each lookup shows its age', async () => {
      await fetch(account.apiUrl.replace('/api/', '/scanner/faults'), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ minute_limit: 30, minute_left: 30 }),
      });
      await account.account.client.call(retrieveLimits, {});
      const before = account.calls.length;
      const person = async (n: number) => {
        for (let at = 0; at < 10; at += 1) {
          await systemClock.sleep(Math.random() * 400);
          const lookup = await lookUp(ticket(100 + n * 10 + at));
          expect(lookup.findings).toMatchObject([{ kind: 'known' }]);
          expect(lookup.history.kind).toBe('read');
          expect(agesOf(lookup)).toMatchObject({ values: expect.any(Number), scans: expect.any(Number) });
          const { kind, failure } = headlineOf(lookup);
          const confirmed = lookup.history.days === undefined && !failure;
          expect(kind !== 'no_admission' || confirmed || failure !== undefined).toBe(true);
        }
      };
      await Promise.all(Array.from({ length: 20 }, (_, n) => person(n)));
      expect(account.calls.length - before).toBeLessThanOrEqual(60);
    });
  });
});
