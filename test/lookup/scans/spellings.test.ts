/** Scans of a barcode in other spellings: they count where the database that holds the barcode ignores case. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.js';
import { leastId } from '../../../src/database/ids.js';
import { createLookups, headlineOf } from '../../../src/lookup/index.js';
import { createMirroredScans } from '../../../src/mirror/tables/scans.js';
import { createScans } from '../../../src/scans/index.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { mirrorOf } from '../../helpers/mirror.js';
import { owner, stranger } from '../../helpers/relay.js';
import { storeReceived } from '../../helpers/scans.js';
import { type DeskHarness, scansXml, startDesk } from '../harness.js';

const now = Date.now();
const text = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
/** A service that validates by postback. */
const postback = '1207';

onEachDatabase('a scan in another spelling', (databases) => {
  /** Each test begins once the account's answers of the test before are no longer shared. */
  let offset = 0;
  const clock: Clock = { ...systemClock, now: () => Date.now() + offset };
  let store: Store;
  let desk: DeskHarness;
  let ignoring: string;
  let minding: string;
  let mirror: ReturnType<typeof mirrorOf>['mirror'];
  let mirrorId: number;

  const call = async (section: string, action: string, variables: Record<string, string>) => {
    const body = new URLSearchParams({ section, action, api_key: desk.apiKey, ...variables });
    return await (await fetch(desk.apiUrl, { method: 'POST', body })).text();
  };
  const database = async (name: string, case_sensitivity: string) => {
    const answer = await call('databases', 'create', { database_name: name, case_sensitivity });
    const id = /<id>(\d+)/.exec(answer)?.[1] ?? '';
    for (const value of ['CASE-2', 'ÉTÉ-2', 'tok-Aa']) {
      await call('databases', 'addvalue', { database_id: id, value });
    }
    return id;
  };

  beforeAll(async () => {
    desk = await startDesk({ clock });
    ignoring = await database('Ignores case', '0');
    minding = await database('Minds case', '1');
    store = await openTestStore(await databases.fresh());
    await store.workspaces.connect(owner, desk.apiKey, { connectedBy: 'U1', connectedAt: 5 });
    await store.db
      .insertInto('mirrors')
      .values({
        ...{ ...owner, round: 1, scans: 0, read: 0, filled: 1, scans_since: 0, scans_at: now },
        ...{ full_due_at: 0, next_call_at: 0, budget_at: 0, connected_at: 5 },
      } as never)
      .execute();
    mirrorId = (await store.db.selectFrom('mirrors').select('id').executeTakeFirstOrThrow()).id;
    mirror = mirrorOf(store, desk.accounts).mirror;
  });
  afterAll(async () => {
    await desk.close();
    await store.close();
  });
  beforeEach(async () => {
    offset += 10_000;
    desk.onWire(() => undefined);
    await store.db.deleteFrom('received_scans').execute();
    await store.db.deleteFrom('account_scans').execute();
  });

  let scans = 0;
  const receive = async (tid: string, more: object = {}) => {
    scans += 1;
    await storeReceived(store, [
      {
        ...{ id: leastId(now).slice(0, 10) + String(scans).padStart(16, '0'), relay_id: 'r1', ...owner },
        ...{ received_at: now, tid, sid: postback, userid: '701', udid: 'u5', scanned_at_utc: text(now) },
        ...{ answer_text: 'Welcome', finding: 'valid', late: 0, ...more },
      },
    ]);
  };
  const copy = (value: string) =>
    createMirroredScans(store).put(mirrorId, 1, [
      {
        scan: {
          ...{ id: '900', value, status: 'valid', result: '', timestamp: text(now), answers: [], properties: [] },
          ...{ service: { id: postback, name: '' }, device: { id: '5', name: '' }, user: { id: '701', name: '' } },
        },
        ...{ at: now, modifiedAt: now },
      },
    ]);

  /** The account's scan of this spelling; other spellings have none. */
  const inAccount = (spelling: string) =>
    desk.onWire(({ operation, variables }) =>
      operation === 'scans/retrieve' && variables.get('value') === spelling
        ? scansXml([{ id: 900, at: 0, value: spelling }]).replace('service id="2"', `service id="${postback}"`)
        : undefined,
    );

  const lookups = (databaseIds: readonly string[], isCopied = true, scans = createScans(store.db)) => {
    const relay = { id: 'r1', name: 'Back door', serviceIds: [postback], databaseIds, once: {} };
    return createLookups({
      ...{ clock, scans },
      ...(isCopied ? { mirror } : {}),
      relays: { validators: async () => [relay], secretProperties: async () => [] },
    });
  };
  const card = (value: string, databaseIds: readonly string[], isCopied = true) =>
    lookups(databaseIds, isCopied).lookup({ owner, account: desk.account, value, databaseIds });

  it.each([
    ['CASE-2', 'case-2'],
    ['case-2', 'CASE-2'],
    ['CASE-2', 'cAsE-2'],
    ['cAsE-2', 'CaSe-2'],
    ['ÉTÉ-2', 'été-2'],
    ['été-2', 'ÉTÉ-2'],
    ['TOK-AA', 'tok-aA'],
  ])(
    'a scan in another spelling uses up %j where a relay received %j, and the database ignores case',
    async (value, scanned) => {
      await receive(scanned);
      for (const isCopied of [true, false]) {
        const lookup = await card(value, [ignoring], isCopied);
        expect(headlineOf(lookup)).toMatchObject({ kind: 'used', scan: { scan: { value: scanned } } });
        expect(lookup.history.scans.map((scan) => scan.value)).toEqual([scanned]);
        const { spellings } = lookup;
        const page = await lookups([ignoring]).moreScans({ owner, account: desk.account, value, spellings, page: 0 });
        expect(page.scans.map((scan) => scan.value)).toEqual([scanned]);
      }
      await receive(value);
      expect((await card(value, [ignoring])).history.scans).toHaveLength(2);
    },
  );

  it.each([
    ['CASE-2', 'case-2'],
    ['CASE-2', 'cAsE-2'],
  ])('a scan in another spelling uses up %j where the copy of the account has %j', async (value, scanned) => {
    await copy(scanned);
    inAccount(scanned);
    const lookup = await card(value, [ignoring]);
    expect(headlineOf(lookup)).toMatchObject({ kind: 'used', scan: { scan: { value: scanned, source: 'account' } } });
  });

  it('a scan in another spelling uses up a barcode where only the account itself has the scan', async () => {
    inAccount('case-2');
    const lookup = await card('CASE-2', [ignoring], false);
    expect(headlineOf(lookup)).toMatchObject({ kind: 'used', scan: { scan: { value: 'case-2' } } });
    expect(lookup.spellings).toEqual(['case-2']);
  });

  it('a scan in another spelling is left out where the database distinguishes case, whatever the account finds', async () => {
    await receive('case-2');
    await receive('cAsE-2');
    desk.onWire(({ operation }) =>
      operation === 'scans/retrieve' ? scansXml([{ id: 7, at: 0, value: 'case-2' }]) : undefined,
    );
    for (const isCopied of [true, false]) {
      const lookup = await card('CASE-2', [minding], isCopied);
      expect(lookup.history.scans).toEqual([]);
      expect(headlineOf(lookup).kind).toBe('no_admission');
    }
  });

  it('a scan in another spelling is shown if one database ignores case, and counts if the relay’s first does', async () => {
    await receive('case-2');
    const ids = [ignoring, minding];
    const of = async (own: readonly string[]) => {
      const lookup = await lookups(own).lookup({ owner, account: desk.account, value: 'CASE-2', databaseIds: ids });
      expect(lookup.history.scans.map((scan) => scan.value)).toEqual(['case-2']);
      return headlineOf(lookup).kind;
    };
    expect(await of([ignoring])).toBe('used');
    expect(await of([minding])).toBe('no_admission');
    expect(await of([ignoring, minding])).toBe('used');
    expect(await of([minding, ignoring])).toBe('no_admission');
  });

  it('other spellings cost no extra call for scans if the copy is fresh or the barcode has no letters', async () => {
    const asked = () => desk.calls.filter(({ operation }) => operation === 'scans/retrieve').length;
    await call('databases', 'addvalue', { database_id: ignoring, value: '0012345' });
    const before = asked();
    await card('0012345', [ignoring], false);
    expect(asked()).toBe(before + 1);
    await card('CASE-2', [ignoring]);
    // The typed spelling is confirmed: it is green.
    expect(asked()).toBe(before + 2);
  });

  it('scans in another spelling are read together with the typed one, in one walk through the copy', async () => {
    await receive('case-2');
    await receive('cAsE-2');
    const scans = createScans(store.db);
    let walks = 0;
    const counted: typeof scans = {
      ...scans,
      walk(...request) {
        walks += 1;
        return scans.walk(...request);
      },
    };
    const read = lookups([ignoring], true, counted);
    const { history } = await read.lookup({
      ...{ owner, account: desk.account, value: 'CASE-2', databaseIds: [ignoring] },
    });
    expect(history.scans.map((scan) => scan.value).sort()).toEqual(['cAsE-2', 'case-2']);
    expect(walks).toBe(1);
  });

  it('a scan in another spelling is found among hundreds of scans, but not in another workspace', async () => {
    await receive('Long-'.repeat(60));
    await receive('cAsE-2', { ...stranger });
    const spellings = (whose: typeof owner, value: string) => createScans(store.db).spellings(whose, mirrorId, value);
    expect(await spellings(owner, 'CASE-2')).toEqual([]);
    expect(await spellings(owner, 'LONG-'.repeat(60))).toEqual(['Long-'.repeat(60)]);
    for (let n = 0; n < 300; n += 1) {
      await receive('cAsE-2');
    }
    await receive('Case-2');
    expect((await spellings(owner, 'CASE-2')).toSorted()).toEqual(['Case-2', 'cAsE-2']);
  });
});
