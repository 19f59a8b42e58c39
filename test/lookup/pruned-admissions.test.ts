/** A barcode is looked up after its scans at a relay were deleted: real scans, a real pruning, both databases. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Clock, systemClock, systemRandom } from '../../src/clock.js';
import { createLookups, headlineOf } from '../../src/lookup/index.js';
import { createRelays, relaySettingsSchema } from '../../src/relay/index.js';
import { createPrune } from '../../src/relay/retention/retention.js';
import { unusedValue } from '../../src/sandbox/codereadr/sample/values.js';
import { createScans } from '../../src/scans/index.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { gate, owner, postScan, scanForm, startIntake, stranger } from '../helpers/relay.js';
import { type DeskHarness, startDesk } from './harness.js';

const day = 24 * 60 * 60 * 1000;
const never = new AbortController().signal;
/** The relay lets in what it cannot look up, here for want of an account. */
const judging = { kind: 'database', databaseIds: ['1021'], unknown: 'accept' };

onEachDatabase('a lookup after scans were deleted', ({ fresh }) => {
  let store: Store;
  let harness: DeskHarness;
  let now: number;
  const clock: Clock = { ...systemClock, now: () => now };
  const madeAt = Date.now() - 400 * day;

  beforeEach(async () => {
    now = madeAt;
    [store, harness] = await Promise.all([fresh().then((url) => openTestStore(url)), startDesk()]);
  });
  afterEach(() => Promise.all([store.close(), harness.close()]));

  const relays = () =>
    createRelays({
      ...{ store, clock, random: systemRandom, onPosts: () => undefined },
      mirror: {
        states: async () => [{ databaseId: '1021', size: 1, caseSensitive: false }],
        scansCopy: async () => undefined,
      },
    });
  const makeRelay = (settings: object) =>
    relays().create({ ...gate, notable: 'invalid', settings: relaySettingsSchema.parse({ judging, ...settings }) });

  async function admit(path: string, tid: string): Promise<void> {
    const intake = await startIntake(store, { clock });
    try {
      const { scanned_at_utc: _, ...form } = scanForm({ tid });
      expect((await postScan(intake.url + path, form)).body).toContain('<status>1</status>');
    } finally {
      await intake.close();
    }
  }

  async function prune(): Promise<void> {
    now = Date.now();
    await createPrune(store, systemClock)(now - 90 * day, never);
    expect(await store.db.selectFrom('received_scans').select('id').execute()).toEqual([]);
  }

  async function lookUp(value = unusedValue, by = owner) {
    const desk = createLookups({
      ...{ clock: systemClock, scans: createScans(store.db) },
      relays: { validators: relays().validators, secretProperties: async () => [] },
    });
    return headlineOf(await desk.lookup({ owner: by, account: harness.account, value }));
  }

  it.each([
    ['looked up as it was scanned', unusedValue],
    ['scanned in another case', unusedValue.toLowerCase()],
  ])('a lookup after pruning shows the admission at a relay that admits once, for a barcode %s', async (_, scanned) => {
    const { path } = await makeRelay({ duplicates: {} });
    await admit(path, scanned);
    await prune();
    expect(await lookUp()).toMatchObject({
      ...{ kind: 'used', title: `Already used at ${gate.serviceName}` },
      scan: { label: 'Admitted', scan: { at: madeAt, service: { name: gate.serviceName }, user: { name: '' } } },
    });
    expect((await lookUp(unusedValue, stranger)).kind).toBe('no_admission');
  });

  it('a lookup after pruning shows no admission where the relay admitted only another barcode', async () => {
    const { path } = await makeRelay({ duplicates: {} });
    await admit(path, 'another');
    await prune();
    expect((await lookUp()).kind).toBe('no_admission');
  });

  it('a lookup after pruning calls a ticket valid again once its relay’s time limit is over', async () => {
    const { path } = await makeRelay({ duplicates: { withinMinutes: 60 } });
    await admit(path, unusedValue);
    await prune();
    expect(await lookUp()).toMatchObject({ kind: 'scanned', title: 'Valid, scanned before' });
  });

  it('a lookup after pruning is not sure while the account does not list its services', async () => {
    const { path, relay } = await makeRelay({ duplicates: {} });
    await relays().change(owner, relay.id, { serviceIds: ['101'] });
    await admit(path, unusedValue);
    await prune();
    harness.onWire(({ operation }) => (operation === 'services/retrieve' ? 'reset' : undefined));
    expect(await lookUp()).toMatchObject({ kind: 'incomplete', tone: 'unsure' });
  });

  it('a lookup after pruning is not sure where an older relay kept no counts', async () => {
    const { path, relay } = await makeRelay({});
    await admit(path, unusedValue);
    await prune();
    expect(await lookUp()).toMatchObject({
      kind: 'incomplete',
      tone: 'unsure',
      notes: ['Older scans are no longer stored.'],
    });
    await store.db.updateTable('relays').set({ created_at: now }).where('id', '=', relay.id).execute();
    expect((await lookUp()).kind).toBe('no_admission');
  });
});
