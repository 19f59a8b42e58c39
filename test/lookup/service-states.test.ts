/** What a service was when it made a scan: a row for each change that was seen says so, on both databases. */
import { afterEach, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.js';
import { createLookups, headlineOf } from '../../src/lookup/index.js';
import { createScans, eraseServiceStates } from '../../src/scans/index.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { type DeskHarness, owner, startDesk, xml, xmlError } from './harness.js';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** The account's list, in which the service 1201 is as a row says; undefined: it is not in the list. */
type Listed = readonly [method: string, databaseId?: string, duplicates?: string] | undefined;
const record: NonNullable<Listed> = ['record'];
const once: NonNullable<Listed> = ['database', '1021', '0'];
const often: NonNullable<Listed> = ['database', '1021', '1'];
const elsewhere: NonNullable<Listed> = ['database', '1022', '0'];
const unseen = 'nobody saw it';

const serviceXml = (id: string, [method, database, duplicates]: NonNullable<Listed>) =>
  `<service id="${id}"><name>Gate</name><validationmethod>${method}</validationmethod>${
    database === undefined ? '' : `<database id="${database}">D</database>`
  }${duplicates === undefined ? '' : `<duplicateScanValue>${duplicates}</duplicateScanValue>`}</service>`;

onEachDatabase('a scan of the account', (databases) => {
  let harness: DeskHarness;
  let store: Store;
  afterEach(async () => {
    await harness?.close();
    await store?.close();
  });

  async function begin() {
    let offset = 0;
    const clock: Clock = { ...systemClock, now: () => Date.now() + offset };
    [store, harness] = await Promise.all([databases.fresh().then((url) => openTestStore(url)), startDesk({ clock })]);
    const scans = createScans(store.db);
    const lookups = createLookups({ clock, scans });
    const scanner = harness.apiUrl.replace('/api/', '/scanner/');
    const state = (await (await fetch(`${scanner}state`)).json()) as Record<string, { id: string }[]>;
    const call = async (action: string, variables: Record<string, string>) => {
      const body = { section: 'databases', action, api_key: harness.apiKey, database_id: '1021', ...variables };
      await fetch(harness.apiUrl, { method: 'POST', body: new URLSearchParams(body) });
    };
    await call('addvalue', { value: 'T-0' });
    await call('addvalue', { value: 'T-1' });
    return {
      scans,
      advance: (ms: number) => {
        offset += ms;
      },
      /** The account lists the service so, from a quarter of an hour on. */
      list: (listed: Listed) => {
        offset += 16 * minuteMs;
        const services = [['999', record] as const, ...(listed ? [['1201', listed] as const] : [])];
        const body = services.map(([id, is]) => serviceXml(id, is)).join('');
        harness.onWire(({ operation }) =>
          operation === 'services/retrieve' ? xml(`<count>${services.length}</count>${body}`) : undefined,
        );
      },
      scan: async (value: string) => {
        const scanned = { service_id: '1201', user_id: state.users?.[0]?.id, device_id: state.devices?.[0]?.id, value };
        const headers = { 'content-type': 'application/json' };
        await fetch(`${scanner}scan`, { method: 'POST', headers, body: JSON.stringify(scanned) });
      },
      look: async (value: string) => {
        const lookup = await lookups.lookup({ owner, account: harness.account, value, databaseIds: ['1021'] });
        const { kind, tone, title } = headlineOf(lookup);
        return [kind, tone, title];
      },
    };
  }

  it.each<readonly [title: string, then: Listed | typeof unseen, now: Listed, said: readonly string[]]>([
    [
      'by a service that only recorded is no admission, though the service admits once now',
      record,
      once,
      ['no_admission', 'good', 'Valid, no admission on record'],
    ],
    [
      'by a service that admitted once is named, though the service only records now',
      once,
      record,
      ['elsewhere', 'unsure', 'Valid, scanned at Gate, which checks nothing now'],
    ],
    [
      'by a service that checks another database now is named',
      once,
      elsewhere,
      ['elsewhere', 'unsure', 'Valid, scanned at Gate, which checks Stock room'],
    ],
    ['by a service that admits once since then makes the barcode used', often, once, ['used', 'bad', 'Already used']],
    ['by a service that admits again since then is green', once, often, ['scanned', 'good', 'Valid, scanned once']],
    [
      'by a service that was removed is named',
      often,
      undefined,
      ['elsewhere', 'unsure', 'Valid, scanned at Gate A: tickets, which was removed'],
    ],
    [
      'by a service that only recorded, and was removed, is no admission',
      record,
      undefined,
      ['no_admission', 'good', 'Valid, no admission on record'],
    ],
    [
      'by a service that nobody saw before counts by what the service is now',
      unseen,
      once,
      ['used', 'bad', 'Already used'],
    ],
    [
      'by a service that nobody ever saw is named',
      unseen,
      undefined,
      ['elsewhere', 'unsure', 'Valid, scanned at Gate A: tickets, which isn’t among the account’s services'],
    ],
  ])('%s', async (_, then, now, said) => {
    const { list, scan, look } = await begin();
    await scan('T-0');
    if (then !== unseen) {
      list(then);
      await look('T-0');
    }
    list(then === unseen ? record : then);
    await scan('T-1');
    list(now);
    expect(await look('T-1')).toEqual(said);
  });

  it('a scan of the account is what the last row before it says, however often its service changed and was read', async () => {
    const { list, scan, look, scans } = await begin();
    await scan('T-0');
    for (const listed of [once, record]) {
      for (let reads = 0; reads < 3; reads += 1) {
        list(listed);
        await look('T-0');
      }
    }
    await scan('T-1');
    list(once);
    expect(await look('T-1')).toEqual(['no_admission', 'good', 'Valid, no admission on record']);
    const states = (await scans.serviceStates(owner)).filter(({ id }) => id === '1201');
    expect(states.map(({ method }) => method)).toEqual(['database', 'record', 'database']);
  });

  it('leaves its history incomplete for a day after a service that admitted once is gone with its scans', async () => {
    const { list, scan, look, advance, scans } = await begin();
    await scan('T-0');
    list(once);
    await look('T-0');
    list(undefined);
    // The account deletes scans with their service; for this barcode it has none.
    expect((await look('T-1'))[0]).toBe('incomplete');
    advance(dayMs);
    expect((await look('T-1')).slice(0, 2)).toEqual(['no_admission', 'good']);
    expect((await scans.serviceStates({ ...owner, team: 'T2' })).length).toBe(0);
  });

  it('turns nothing amber that a failing list of services leaves as it was', async () => {
    const { list, scan, look } = await begin();
    await scan('T-0');
    list(often);
    await look('T-0');
    await scan('T-1');
    expect((await look('T-1')).slice(0, 2)).toEqual(['scanned', 'good']);
    harness.onWire(({ operation }) => (operation === 'services/retrieve' ? xmlError('500') : undefined));
    expect((await look('T-1')).slice(0, 2)).toEqual(['scanned', 'good']);
  });

  it('a barcode scanned before is valid, not confirmed, when the list of services has been refused for two days', async () => {
    const { list, scan, look, advance } = await begin();
    await scan('T-0');
    list(once);
    await look('T-0');
    await scan('T-1');
    advance(2 * dayMs);
    harness.onWire(({ operation }) => (operation === 'services/retrieve' ? xmlError('100') : undefined));
    expect(await look('T-1')).toEqual(['not_confirmed', 'unsure', 'Valid, scanned once, not confirmed']);
  });

  it('a scan of the account is read as what its service is now once the workspace is erased, or the change is a year old', async () => {
    const { scans } = await begin();
    const service = { id: '7', name: '', validationMethod: 'record', userIds: [], questionIds: [] };
    const methods = async () => (await scans.serviceStates(owner)).map(({ method, since }) => `${method} ${since}`);
    await scans.serviceStates(owner, { services: [service], at: 1 });
    await scans.serviceStates(owner, { services: [{ ...service, validationMethod: 'webview' }], at: 2 });
    await scans.serviceStates(owner, { services: [service], at: 300 * dayMs });
    // A list from before the last state says nothing.
    await scans.serviceStates(owner, { services: [], at: 299 * dayMs });
    expect(await methods()).toEqual(['record 1', 'webview 2', `record ${300 * dayMs}`]);
    await scans.serviceStates(owner, { services: [], at: 400 * dayMs });
    expect(await methods()).toEqual(['webview 2', `record ${300 * dayMs}`, ` ${400 * dayMs}`]);
    await store.db.transaction().execute(async (trx) => {
      await eraseServiceStates(owner.installation, trx, 'another');
    });
    expect(await methods()).toHaveLength(3);
    await store.db.transaction().execute(async (trx) => {
      await eraseServiceStates(owner.installation, trx);
    });
    expect(await methods()).toEqual([]);
  });
});
