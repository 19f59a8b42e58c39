/** What a lookup in the mirror asks the account to confirm, by how many calls, and what it says where it cannot. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.js';
import {
  agesOf,
  createLookups,
  headlineOf,
  type Lookup,
  type LookupRequest,
  type Lookups,
} from '../../src/lookup/index.js';
import { createScans } from '../../src/scans/index.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { mirrorOf, type TestMirror } from '../helpers/mirror.js';
import { owner } from '../helpers/relay.js';
import { type DeskHarness, type OnWire, startDesk, xmlError } from './harness.js';

const minuteMs = 60_000;
/** On a busy machine the account is slow before it is known to be down. */
const downCode = expect.stringMatching(/^account\.(unreachable|slow)$/);

onEachDatabase('a lookup in an aging mirror', (databases) => {
  let offset = 0;
  const clock: Clock = { ...systemClock, now: () => Date.now() + offset };
  let account: DeskHarness;
  let made: TestMirror;
  let lookups: Lookups;
  /** The ids of four databases that hold MEMBER, which was scanned once. */
  let held: string[];
  let spare: string[];

  const call = async (section: string, action: string, variables: Record<string, string>) => {
    const body = new URLSearchParams({ section, action, api_key: account.apiKey, ...variables });
    return await (await fetch(account.apiUrl, { method: 'POST', body })).text();
  };
  const createDatabase = async (name: string, values: readonly string[]) => {
    const answer = await call('databases', 'create', { database_name: name });
    const id = /<id>(\d+)<\/id>/.exec(answer)?.[1] ?? '';
    for (const value of values) {
      await call('databases', 'addvalue', { database_id: id, value, response: 'Annual pass' });
    }
    return id;
  };
  const scan = async (value: string, serviceId: string) => {
    const scanner = account.apiUrl.replace('/api/', '/scanner/');
    const { users, devices } = (await (await fetch(`${scanner}state`)).json()) as Record<string, { id: string }[]>;
    const answer = await fetch(`${scanner}scan`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ service_id: serviceId, user_id: users?.[0]?.id, device_id: devices?.[0]?.id, value }),
    });
    return ((await answer.json()) as { scan_id: string }).scan_id;
  };
  /** Counts the calls about one barcode: for databases, and for scans. */
  const asked = async (work: () => Promise<Lookup>) => {
    const before = account.calls.length;
    const lookup = await work();
    const calls = account.calls.slice(before).filter(({ variables }) => variables.has('value'));
    return {
      lookup,
      headline: headlineOf(lookup),
      databases: calls.filter(({ operation }) => operation === 'databases/showvalues').length,
      scans: calls.filter(({ operation }) => operation === 'scans/retrieve').length,
    };
  };
  const lookUpNow = (value: string, databaseIds: readonly string[], more: Partial<LookupRequest> = {}) =>
    asked(() => lookups.lookup({ owner, account: account.account, value, databaseIds, ...more }));
  /** Looks a barcode up once the account's last answers are no longer shared. */
  const lookUp: typeof lookUpNow = (...request) => {
    offset += 10_000;
    return lookUpNow(...request);
  };
  const noAnswer = (of: (databaseId: string) => boolean = () => true): OnWire => {
    return ({ operation, variables }) =>
      operation === 'databases/showvalues' && of(variables.get('database_id') ?? '') ? 'reset' : undefined;
  };

  beforeAll(async () => {
    account = await startDesk({ callsPerMinute: 1_000_000, clock });
    // These services admit a barcode as often as it comes.
    for (const id of ['1201', '1202']) {
      await call('services', 'update', { service_id: id, duplicate_value: '1' });
    }
    held = ['1021'];
    await call('databases', 'addvalue', { database_id: '1021', value: 'MEMBER', response: 'Annual pass' });
    for (const name of ['Copy 2', 'Copy 3', 'Copy 4']) {
      held.push(await createDatabase(name, ['MEMBER']));
    }
    spare = [await createDatabase('Passes', ['GOING', 'ONCE']), await createDatabase('Staff', ['S-1'])];
    await call('databases', 'addvalue', { database_id: '1021', value: 'TICKET' });
    await scan('MEMBER', '1201');
    await call('databases', 'addvalue', { database_id: '1021', value: 'SHOP-1' });
    await scan('SHOP-1', '1201');
    const store = await openTestStore(await databases.fresh(), { clock });
    await store.workspaces.connect(owner, account.apiKey, { connectedBy: 'U1', connectedAt: 5 });
    await store.workspaces.change(owner, { lookupDatabases: [...held, ...spare] });
    made = mirrorOf(store, account.accounts, { clock });
    lookups = createLookups({ clock, scans: createScans(store.db), mirror: made.mirror });
    made.mirror.start();
    await vi.waitFor(
      async () => {
        const states = await made.mirror.states(owner);
        expect(states.filter(({ fetchedAt }) => fetchedAt !== undefined)).toHaveLength(6);
        expect((await made.mirror.scansState(owner))?.at).toBeDefined();
      },
      { timeout: 40_000, interval: 100 },
    );
    // From now on the mirror only ages.
    await made.mirror.stop();
  }, 60_000);
  beforeEach(() => {
    account.onWire(() => undefined);
    // The copies are older than a minute, and the last test was at another time.
    offset = offset >= 180_000 && offset < 300_000 ? 70_000 : 180_000;
  });
  afterAll(async () => {
    await made.store.close();
    await account.close();
  });

  describe('a green headline', () => {
    it('a lookup confirms a scanned barcode with one call, or finds that it was refunded since', async () => {
      const green = await lookUp('MEMBER', ['1021']);
      expect([green.headline.kind, green.headline.tone]).toEqual(['scanned', 'good']);
      expect([green.databases, green.scans]).toEqual([1, 0]);
      const change = { database_id: '1021', value: 'MEMBER' };
      await call('databases', 'editvalue', { ...change, validity: '0', response: 'Refunded' });
      const refunded = await lookUp('MEMBER', ['1021']);
      expect([refunded.headline.title, refunded.databases]).toEqual(['Not valid: Refunded', 1]);
      // The answer is in the mirror from now on.
      await expect.poll(async () => (await lookUp('MEMBER', ['1021'])).databases, { interval: 100 }).toBe(0);
      await call('databases', 'editvalue', { ...change, validity: '1', response: 'Annual pass' });
      await lookUp('MEMBER', ['1021'], { live: true });
      await expect.poll(async () => (await lookUp('MEMBER', ['1021'])).headline.kind).toBe('scanned');
    });

    it('a barcode that four databases have is confirmed, and green, by calls to three of them', async () => {
      const { headline, databases: calls } = await lookUp('MEMBER', held);
      expect([calls, headline.tone]).toEqual([3, 'good']);
    });

    it('a headline is green until 15 minutes after the last answer of the account, and not from then on', async () => {
      account.onWire(noAnswer());
      offset = 13 * minuteMs;
      const young = await lookUp('MEMBER', ['1021']);
      expect([young.headline.kind, young.headline.tone]).toEqual(['scanned', 'good']);
      expect(young.headline.failure?.code).toEqual(downCode);
      for (const minutes of [15, 71 * 60]) {
        offset = minutes * minuteMs;
        const old = await lookUp('MEMBER', ['1021']);
        expect(old.headline).toMatchObject({ kind: 'not_confirmed', tone: 'unsure', title: 'Valid, not confirmed' });
        expect(old.headline.dated?.at).toBe(agesOf(old.lookup)?.values);
        expect(old.lookup.askedAt - (old.headline.dated?.at ?? 0)).toBeGreaterThanOrEqual(minutes * minuteMs);
      }
    });

    it('a fourth database with the barcode is asked too once its copy is 20 minutes old', async () => {
      offset = 20 * minuteMs;
      const { headline, databases: calls, scans } = await lookUp('MEMBER', held);
      expect([calls, scans, headline.kind]).toEqual([4, 1, 'scanned']);
      expect((await lookUp('MEMBER', held.slice(0, 3))).headline).toMatchObject({ kind: 'scanned', tone: 'good' });
    });

    it('a database whose copy lacks a valid barcode and is over 15 minutes old is asked too', async () => {
      const others = ['1021', ...spare];
      offset = 10 * minuteMs;
      const young = await lookUp('MEMBER', others);
      expect([young.headline.tone, young.databases]).toEqual(['good', 1]);
      expect(young.lookup.askedAt - (agesOf(young.lookup)?.absent ?? 0)).toBeGreaterThan(9 * minuteMs);
      offset = 16 * minuteMs;
      account.onWire(noAnswer((id) => spare.includes(id)));
      const alone = await lookUp('MEMBER', others);
      expect([alone.headline.kind, alone.headline.tone]).toEqual(['not_confirmed', 'unsure']);
      expect(alone.headline.failure?.code).toEqual(downCode);
      account.onWire(() => undefined);
      const [blocklist = ''] = spare;
      await call('databases', 'addvalue', { database_id: blocklist, value: 'MEMBER', validity: '0' });
      const asked = await lookUp('MEMBER', others);
      expect([asked.headline.kind, asked.databases]).toEqual(['disagree', 3]);
      await call('databases', 'deletevalue', { database_id: blocklist, value: 'MEMBER' });
      const sure = await lookUp('MEMBER', others, { live: true });
      expect([sure.headline.tone, agesOf(sure.lookup)?.absent]).toEqual(['good', undefined]);
    });

    it('a headline whose answers are 20 minutes old is green where three hours are allowed', async () => {
      account.onWire(noAnswer());
      offset = 20 * minuteMs;
      const patient = createLookups({
        ...{ clock, scans: createScans(made.store.db), mirror: made.mirror },
        greenMs: 3 * 60 * minuteMs,
      });
      const request = { owner, account: account.account, value: 'MEMBER', databaseIds: ['1021'] };
      expect(headlineOf(await patient.lookup(request))).toMatchObject({ kind: 'scanned', tone: 'good' });
    });

    it('a lookup of a barcode without an admission also asks the account for scans, with one call', async () => {
      const { headline, databases: calls, scans } = await lookUp('TICKET', ['1021']);
      expect([headline.kind, headline.tone, calls, scans]).toEqual(['no_admission', 'good', 1, 1]);
    });
  });

  it('a lookup that asks the account for everything tells what the copy knows when the key is refused', async () => {
    account.onWire(() => xmlError('100'));
    const { headline } = await lookUp('MEMBER', ['1021'], { live: true });
    expect(headline.title).toMatch(/^Valid, scanned before/);
    expect(headline.failure?.code).toBe('account.key_refused');
  });

  describe('several barcodes at once', () => {
    it('several barcodes looked up at once cost no call, and their headlines depend on the copy’s age', async () => {
      const young = await lookUp('MEMBER', held, { several: true });
      expect([young.databases, young.scans, young.headline.tone]).toEqual([0, 0, 'good']);
      offset = 16 * minuteMs;
      const old = await lookUp('MEMBER', held, { several: true });
      expect([old.databases, old.scans, old.headline.kind]).toEqual([0, 0, 'not_confirmed']);
      const absent = await lookUp('NOWHERE', held, { several: true });
      expect([absent.databases, absent.headline.kind]).toEqual([0, 'not_checked']);
      expect(absent.headline.dated?.before).toBe('Not checked: not in the copy of the account ');
    });
  });

  describe('a barcode that no copy holds', () => {
    it('a barcode in no copy is searched in three databases, and is unknown if the other copies are fresh', async () => {
      const { headline, databases: calls } = await lookUp('NOWHERE', [...held, ...spare]);
      expect([calls, headline.kind]).toEqual([3, 'unknown']);
    });

    it('a barcode in no copy is searched in every database whose copy is old', async () => {
      offset = 16 * minuteMs;
      const { headline, databases: calls } = await lookUp('NOWHERE', [...held, ...spare]);
      expect([calls, headline.kind]).toEqual([6, 'unknown']);
    });

    it.each([
      ['the account down', () => 'reset', downCode],
      ['the key refused', () => xmlError('100'), 'account.key_refused'],
    ])('a barcode in no copy is not checked with %s, and its findings give the reason', async (_, onWire, code) => {
      account.onWire(onWire);
      const { headline, lookup } = await lookUp('NOWHERE', held.slice(0, 3));
      expect(headline).toMatchObject({ kind: 'not_checked', tone: 'unsure' });
      expect(headline.title).toBe('Not checked: 3 databases could not be searched');
      for (const finding of lookup.findings) {
        expect(finding).toMatchObject({ kind: 'failed', failure: { code }, source: 'copy' });
      }
    });

    it('a barcode in no copy is reported as not checked if one of three databases does not answer', async () => {
      account.onWire(noAnswer((id) => id === held[1]));
      const { headline, lookup } = await lookUp('NOWHERE', held.slice(0, 3));
      expect(headline.kind).toBe('not_checked');
      expect(lookup.findings.map(({ kind }) => kind)).toEqual(['unknown', 'failed', 'unknown']);
    });
  });

  describe('an answer that the account has just given', () => {
    it('a lookup makes no call for 10 seconds after the account’s last answer, and shows the age of that answer', async () => {
      const first = await lookUp('MEMBER', ['1021'], { who: 'U1' });
      expect(first.databases).toBe(1);
      offset += 9_000;
      const second = await lookUpNow('MEMBER', ['1021'], { who: 'U2' });
      expect([second.databases, second.headline.tone]).toEqual([0, 'good']);
      expect(agesOf(second.lookup)?.values).toBe(agesOf(first.lookup)?.values);
      expect((await lookUpNow('MEMBER', ['1021'], { live: true })).databases).toBe(1);
      offset += 10_000;
      expect((await lookUpNow('MEMBER', ['1021'])).databases).toBe(1);
    });

    it('a lookup uses no answer of the account from before the barcode was changed through Scandesk', async () => {
      expect((await lookUp('LATE', ['1021'])).headline.kind).toBe('unknown');
      await call('databases', 'addvalue', { database_id: '1021', value: 'LATE', response: 'Annual pass' });
      const input = { database_id: '1021', value: 'LATE' };
      await made.mirror.noteChange(owner, account.account, { section: 'databases', action: 'addvalue', input });
      const { headline, databases: calls } = await lookUpNow('LATE', ['1021']);
      expect([headline.kind, calls]).toEqual(['no_admission', 1]);
    });
  });

  describe('a barcode that is not in a complete copy younger than a minute', () => {
    beforeEach(async () => {
      const states = await made.mirror.states(owner);
      offset = (states.find(({ databaseId }) => databaseId === '1021')?.fetchedAt ?? 0) + 30_000 - Date.now();
    });

    it('a lookup of a barcode that fresh complete copies lack makes no call, however many lookups a person makes', async () => {
      for (let n = 0; n < 15; n += 1) {
        const { headline, databases: calls, scans } = await lookUpNow(`NOWHERE-${n}`, ['1021']);
        expect([headline.kind, calls, scans]).toEqual(['unknown', 0, 0]);
      }
    });

    it('a lookup asks the account where somebody changed the barcode after the copy', async () => {
      const change = { section: 'databases', action: 'addvalue', input: { database_id: '1021', value: 'TOUCHED' } };
      await made.mirror.noteChange(owner, account.account, { ...change, unconfirmed: true });
      expect((await lookUpNow('TOUCHED', ['1021'])).databases).toBe(1);
    });
  });

  describe('a used barcode', () => {
    it('a used barcode costs one call for its scan if the last full pass is older than 15 minutes', async () => {
      await call('services', 'update', { service_id: '1201', duplicate_value: '0' });
      await account.account.names.forget();
      const young = await lookUp('MEMBER', ['1021']);
      expect([young.headline.kind, young.scans, young.databases]).toEqual(['used', 0, 0]);
      offset = 16 * minuteMs;
      const old = await lookUp('MEMBER', ['1021']);
      expect([old.headline.kind, old.scans]).toEqual(['used', 1]);
      expect(agesOf(old.lookup)?.scans).toBeGreaterThanOrEqual(old.lookup.askedAt);
    });

    it('a used barcode’s headline is as old as the last full pass where the account does not answer', async () => {
      offset = 5 * 60 * minuteMs;
      account.onWire(() => 'reset');
      const { headline, lookup } = await lookUp('MEMBER', ['1021']);
      expect(headline.kind).toBe('used');
      expect(lookup.askedAt - (agesOf(lookup)?.scans ?? lookup.askedAt)).toBeGreaterThanOrEqual(offset);
      expect(headline.failure?.code).toEqual(downCode);
      const several = await lookUp('MEMBER', ['1021'], { several: true });
      expect([several.scans, agesOf(several.lookup)?.scans]).toEqual([0, agesOf(lookup)?.scans]);
    });

    it('a used barcode is no longer shown as used once its scan is deleted', async () => {
      offset = 5 * 60 * minuteMs;
      const before = await lookUp('MEMBER', ['1021']);
      expect(before.headline.kind).toBe('used');
      await call('scans', 'delete', { scan_id: before.lookup.history.scans[0]?.id ?? '' });
      const after = await lookUp('MEMBER', ['1021']);
      expect([after.headline.kind, after.headline.tone]).toEqual(['no_admission', 'good']);
    });
  });

  it('a barcode is not called valid because of a database that is no longer in the account', async () => {
    const [passes = ''] = spare;
    expect((await lookUp('GOING', [passes])).headline.tone).toBe('good');
    await call('databases', 'delete', { database_id: passes });
    await account.account.names.forget();
    const one = await lookUp('GOING', [passes]);
    expect(one.headline).toMatchObject({ kind: 'not_checked', title: 'Not checked: no database was searched' });
    expect(one.headline.notes).toEqual([expect.stringContaining('no longer in the account')]);
    const several = await lookUp('GOING', [passes, '1021'], { several: true });
    expect(several.lookup.findings).toMatchObject([{ kind: 'unknown', database: { id: '1021' } }]);
  });

  it('a process with copying switched off reads no copy', async () => {
    const none = mirrorOf(made.store, account.accounts, { clock, share: 0 }).mirror;
    expect(await none.scansCopy(owner)).toBeUndefined();
  });

  it('a lookup reads no copy of a former account once another account is connected', async () => {
    const asCopied = await lookUp('HLF-000002', ['1021']);
    expect([asCopied.headline.kind, asCopied.databases, asCopied.scans]).toEqual(['not_valid', 0, 0]);
    await made.store.workspaces.connect(owner, account.apiKey, { connectedBy: 'U1', connectedAt: 6 });
    const anew = await lookUpNow('HLF-000002', ['1021']);
    expect([anew.headline.kind, anew.databases]).toEqual(['not_valid', 1]);
    expect(anew.scans).toBeGreaterThan(0);
    await made.store.workspaces.connect(owner, account.apiKey, { connectedBy: 'U1', connectedAt: 5 });
  });

  // The gate stays: a gate that is deleted takes its scans with it.
  it('a scanned barcode is used where a gate that admits once let it in after the copy', async () => {
    await call('services', 'update', { service_id: '1201', duplicate_value: '1' });
    await account.account.names.forget();
    const stock = await lookUp('SHOP-1', ['1021']);
    expect([stock.headline.kind, stock.headline.tone, stock.scans]).toEqual(['scanned', 'good', 0]);
    const made = await call('services', 'create', {
      ...{ service_name: 'Once', validation_method: 'database', database_id: '1021', duplicate_value: '0' },
    });
    const service_id = /<id>(\d+)/.exec(made)?.[1] ?? '';
    const { users } = (await (await fetch(account.apiUrl.replace('/api/', '/scanner/state'))).json()) as Record<
      string,
      { id: string }[]
    >;
    await call('services', 'adduserpermission', { service_id, user_id: users?.[0]?.id ?? '' });
    await scan('SHOP-1', service_id);
    offset += minuteMs;
    const used = await lookUp('SHOP-1', ['1021']);
    expect([used.headline.kind, used.scans]).toEqual(['used', 1]);
  });

  it('a barcode in no copy is reported as not checked when no calls are left today, with the reason', async () => {
    account.onWire(() => xmlError('113'));
    const { headline, lookup } = await lookUp('NOWHERE', ['1021']);
    expect(headline).toMatchObject({ kind: 'not_checked', title: expect.stringContaining('could not be searched') });
    expect(lookup.findings).toMatchObject([
      { kind: 'failed', failure: { code: 'account.quota', quota: { period: 'day' } } },
    ]);
    const valid = await lookUp('MEMBER', ['1021']);
    expect([valid.databases, valid.headline.kind, valid.headline.tone]).toEqual([0, 'no_admission', 'unsure']);
  });
});
