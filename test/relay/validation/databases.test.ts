import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.js';
import { createDatabaseMirrors } from '../../../src/mirror/tables/databases.js';
import { type RelaySettings, relaySettingsSchema } from '../../../src/relay/index.js';
import type { DatabaseValidation } from '../../../src/relay/validation/index.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { mirrorOf, type TestMirror } from '../../helpers/mirror.js';
import { gate, outcomes, owner, postScan, relaysOf, scanForm, startIntake } from '../../helpers/relay.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { type DeskHarness, startDesk, xml } from '../../lookup/harness.js';

const plentiful = 1_000_000;
const tickets = '1021';
const gs = '\x1d';

type Input = Parameters<typeof relaySettingsSchema.parse>[0];
const settingsOf = (judging: object, more: object = {}): RelaySettings =>
  relaySettingsSchema.parse({ judging: { kind: 'database', databaseIds: [tickets], ...judging }, ...more } as Input);
const judgingOf = (judging: object = {}) => settingsOf(judging).judging as DatabaseValidation;

onEachDatabase('validation by databases', (databases) => {
  let url: string;
  let account: DeskHarness;
  const open: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    url = await databases.fresh();
    account = await startDesk({ callsPerMinute: plentiful });
    const store = await openTestStore(url);
    await store.workspaces.connect(owner, account.apiKey, { connectedBy: 'U1', connectedAt: 5 });
    // Any relay will do: a database that a relay validates by is copied.
    await relaysOf(store).create({ ...gate, settings: settingsOf({}) });
    await store.close();
  });
  afterAll(() => account.close());
  afterEach(async () => {
    account.onWire(() => undefined);
    for (const close of open.splice(0).reverse()) {
      await close();
    }
  });

  /** A process: a store of its own, copies that are kept fresh. */
  const startProcess = async (
    options: { from?: DeskHarness; pageSize?: number; times?: object; idle?: boolean; clock?: Clock } = {},
  ) => {
    const store = await openTestStore(url);
    const { clock = systemClock, times = {}, pageSize = 400 } = options;
    const made = mirrorOf(store, (options.from ?? account).accounts, { clock, times, pageSize });
    if (!options.idle) {
      made.mirror.start();
    }
    open.push(async () => {
      await made.mirror.stop();
      await store.close();
    });
    return made;
  };
  const copyOf = async ({ mirror }: TestMirror, databaseId = tickets) =>
    (await mirror.states(owner)).find((state) => state.databaseId === databaseId);
  const untilFresh = async (of: TestMirror, since = 0, databaseId = tickets) => {
    await expect
      .poll(async () => (await copyOf(of, databaseId))?.fetchedAt ?? 0, { interval: 20 })
      .toBeGreaterThanOrEqual(Math.max(since, 1));
  };
  const change = async (action: string, variables: Record<string, string>) => {
    const body = new URLSearchParams({ section: 'databases', action, api_key: account.apiKey, ...variables });
    const answer = await (await fetch(account.apiUrl, { method: 'POST', body })).text();
    expect(answer).toContain('<status>1</status>');
  };
  const asked = (value: string) =>
    account.calls.filter((call) => call.operation === 'databases/showvalues' && call.variables.get('value') === value)
      .length;

  it('a relay validates by the copy of a database, without an API call', async () => {
    const process = await startProcess();
    await untilFresh(process);
    expect(await copyOf(process)).toMatchObject({ size: 1_200, name: 'Harbour Lights Festival tickets' });
    const { databaseLookup: knowledge } = process;
    expect(await knowledge.ask(owner, judgingOf(), 'HLF-000001')).toEqual({
      known: { kind: 'known', valid: true, response: 'Adult, three days', database: 'Harbour Lights Festival tickets' },
      sameAs: 'hlf-000001',
    });
    expect((await knowledge.ask(owner, judgingOf(), 'HLF-000002')).known).toMatchObject({
      valid: false,
      response: 'Refunded',
    });
    // The copy ignores case, as the database does.
    expect((await knowledge.ask(owner, judgingOf(), 'hlf-000001')).known).toMatchObject({ kind: 'known', valid: true });
    expect([asked('HLF-000001'), asked('HLF-000002'), asked('hlf-000001')]).toEqual([0, 0, 0]);
  });

  it('a relay’s copy of a database survives a restart, and validates while the account is away', async () => {
    const before = await startProcess();
    await untilFresh(before);
    const { fetchedAt } = (await copyOf(before)) ?? {};
    for (const close of open.splice(0).reverse()) await close();
    account.onWire(() => 'reset');
    const after = await startProcess();
    expect((await after.databaseLookup.ask(owner, judgingOf(), 'HLF-000001')).known).toMatchObject({ kind: 'known' });
    expect((await copyOf(after))?.fetchedAt).toBe(fetchedAt);
    expect((await after.databaseLookup.ask(owner, judgingOf(), 'never-heard-of')).known).toEqual({
      kind: 'unknown',
      why: 'failed',
    });
  });

  it('a relay asks the account once for a barcode that the copy lacks, and keeps the result', async () => {
    const process = await startProcess({ times: { freshMs: 3_600_000 } });
    await untilFresh(process);
    await change('addvalue', { database_id: tickets, value: 'HLF-NEW', response: 'Bought at the gate' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => process.databaseLookup.ask(owner, judgingOf(), 'HLF-NEW')),
    );
    expect(new Set(answers.map(({ known }) => JSON.stringify(known))).size).toBe(1);
    expect(answers[0]?.known).toMatchObject({ kind: 'known', valid: true, response: 'Bought at the gate' });
    expect(asked('HLF-NEW')).toBe(1);
    account.onWire(() => 'reset');
    await expect
      .poll(async () => (await process.databaseLookup.ask(owner, judgingOf(), 'HLF-NEW')).known)
      .toMatchObject({ kind: 'known', valid: true });
    account.onWire(() => undefined);
    await change('deletevalue', { database_id: tickets, value: 'HLF-NEW' });
  });

  it('a barcode that the database lacks is unknown, and its second scan makes no second API call', async () => {
    const process = await startProcess();
    await untilFresh(process);
    for (const _ of ['once', 'again']) {
      expect((await process.databaseLookup.ask(owner, judgingOf(), 'NOWHERE')).known).toEqual({ kind: 'absent' });
    }
    expect(asked('NOWHERE')).toBe(1);
  });

  it('the first database in the relay’s order that has the barcode decides its result', async () => {
    const process = await startProcess({ idle: true });
    account.onWire(({ operation, variables }) =>
      operation !== 'databases/showvalues' || variables.get('value') !== 'both'
        ? undefined
        : xml(
            `<count>1</count><value validity="${variables.get('database_id') === '1022' ? 1 : 0}"><id>both</id><response>${variables.get('database_id')}</response></value>`,
          ),
    );
    const first = async (...databaseIds: string[]) =>
      (await process.databaseLookup.ask(owner, judgingOf({ databaseIds }), 'both')).known;
    expect(await first('1022', '1023')).toMatchObject({ valid: true, response: '1022' });
    expect(await first('1023', '1022')).toMatchObject({ valid: false, response: '1023' });
  });

  it('a database without a complete copy is asked before a later database’s copy decides', async () => {
    const process = await startProcess({ times: { freshMs: 3_600_000 } });
    await untilFresh(process);
    const [blocked, noCopy] = ['1022', '1023'];
    const says: Record<string, string> = {
      'HLF-000001': `<count>1</count><value validity="0"><id>HLF-000001</id><response>Stolen</response></value>`,
      'HLF-000003': '<count>0</count>',
      'HLF-000005': '<html>',
    };
    account.onWire(({ operation, variables }) =>
      operation === 'databases/showvalues' && variables.get('database_id') === noCopy
        ? ((body) => (body === '<html>' ? body : body && xml(body)))(says[variables.get('value') ?? ''])
        : undefined,
    );
    const ask = async (value: string, ids: readonly string[], more: object = {}) =>
      (await process.databaseLookup.ask(owner, judgingOf({ databaseIds: ids, ...more }), value)).known;
    expect(await ask('HLF-000001', [noCopy, tickets])).toMatchObject({
      kind: 'known',
      valid: false,
      response: 'Stolen',
    });
    // A value in the copy of a later database needs a call to the earlier database alone.
    expect(await ask('HLF-000003', [noCopy, tickets])).toMatchObject({ kind: 'known', valid: true });
    expect(await ask('HLF-000005', [noCopy, tickets])).toEqual({ kind: 'unknown', why: 'failed' });
    expect(['HLF-000001', 'HLF-000003', 'HLF-000005'].map(asked)).toEqual([1, 1, 1]);
    expect(await ask('HLF-000007', [noCopy, tickets], { liveShare: 0 })).toEqual({ kind: 'unknown', why: 'copy_only' });
    expect(await ask('HLF-000007', [noCopy, tickets], { budgetMs: 0 })).toEqual({ kind: 'unknown', why: 'copy_only' });
    // A database after the one that has the barcode is not asked.
    expect(await ask('HLF-000001', [tickets, noCopy, blocked])).toMatchObject({ kind: 'known', valid: true });
    expect(['HLF-000001', 'HLF-000007'].map(asked)).toEqual([1, 0]);
  });

  it('a barcode is not checked if a database before the first database with the barcode gave no answer', async () => {
    const process = await startProcess({ idle: true });
    account.onWire(({ operation, variables }) =>
      operation !== 'databases/showvalues' || !variables.get('value')?.startsWith('front-')
        ? undefined
        : variables.get('database_id') === '1022'
          ? '<html>'
          : xml(
              `<count>1</count><value validity="1"><id>${variables.get('value')}</id><response>In</response></value>`,
            ),
    );
    const ask = async (value: string, ...databaseIds: string[]) =>
      (await process.databaseLookup.ask(owner, judgingOf({ databaseIds }), value)).known;
    expect(await ask('front-1', '1022', '1023')).toEqual({ kind: 'unknown', why: 'failed' });
    expect(await ask('front-2', '1023', '1022')).toMatchObject({ kind: 'known', valid: true });
  });

  it('a relay asks the account for a barcode with characters that the account’s answers lose', async () => {
    const process = await startProcess();
    await untilFresh(process);
    const value = `HLF${gs}-000001`;
    expect((await process.databaseLookup.ask(owner, judgingOf(), value)).known).toEqual({ kind: 'absent' });
    expect(asked(value)).toBe(1);
  });

  it('a relay validates GS1 barcodes correctly, though the account’s answers lose their separators', async () => {
    await change('addvalue', { database_id: '1022', value: `0104012345678901${'10'}A${gs}11`, validity: '0' });
    await change('addvalue', { database_id: '1022', value: `0104012345678901${'10'}A11`, response: 'Bin Z' });
    const store = await openTestStore(url);
    await relaysOf(store).create({ ...gate, settings: settingsOf({ databaseIds: ['1022'] }) });
    await store.close();
    const process = await startProcess();
    await untilFresh(process, 0, '1022');
    const ask = async (value: string) =>
      (await process.databaseLookup.ask(owner, judgingOf({ databaseIds: ['1022'] }), value)).known;
    const lot = `0104012345678901${'10'}LOT42`;
    expect(await ask(`${lot}${gs}17261231`)).toMatchObject({
      kind: 'known',
      valid: true,
      response: 'Bin B-01: GS1, lot 42',
    });
    expect(await ask(`0100614141000012217A9${gs}10B7`)).toMatchObject({ kind: 'known', valid: false });
    // The database has no such value; another value only looks the same in answers, which lose the separator.
    expect(await ask(`${lot}17261231`)).toEqual({ kind: 'absent' });
    expect(await ask('010401234567890110A11')).toMatchObject({ valid: true, response: 'Bin Z' });
    expect(await ask(`010401234567890110A${gs}11`)).toMatchObject({ valid: false });
    expect(asked('0012345678905')).toBe(0);
    expect(await ask('0012345678905')).toMatchObject({ kind: 'known', valid: true });
    expect(asked('0012345678905')).toBe(0);
    await change('deletevalue', { database_id: '1022', value: `0104012345678901${'10'}A${gs}11` });
    await change('deletevalue', { database_id: '1022', value: `0104012345678901${'10'}A11` });
  });

  it('validation by databases uses its share of a minute’s API calls and no more', async () => {
    const poor = await startDesk({ callsPerMinute: 10 });
    open.push(() => poor.close());
    const { databaseLookup: knowledge } = await startProcess({ from: poor, idle: true });
    const ask = async (share: number, prefix: string) => {
      const answers: string[] = [];
      for (let n = 0; n < 12; n++) {
        const { known } = await knowledge.ask(owner, judgingOf({ liveShare: share }), `${prefix}-${n}`);
        answers.push(known.kind === 'unknown' ? known.why : known.kind);
      }
      return answers;
    };
    expect(new Set(await ask(0, 'none'))).toEqual(new Set(['copy_only']));
    // A minute may end on the way, and another share begin.
    const some = (await ask(30, 'some')).filter((answer) => answer === 'absent').length;
    expect(some).toBeGreaterThanOrEqual(3);
    expect(some).toBeLessThanOrEqual(6);
  });

  it('validation responds in time where the account is slow, dead or broken, and names the reason', async () => {
    const process = await startProcess();
    await untilFresh(process);
    await process.mirror.stop();
    const ask = async (value: string, budgetMs = 3_000) => {
      const from = Date.now();
      const { known } = await process.databaseLookup.ask(owner, judgingOf({ budgetMs }), value);
      expect(Date.now() - from).toBeLessThan(3_500);
      return known;
    };
    let answer: () => void = () => undefined;
    account.onWire(() => new Promise((resolve) => (answer = () => resolve(undefined))));
    expect(await ask('slow-1', 400)).toEqual({ kind: 'unknown', why: 'slow' });
    answer();
    // An answer that came too late for one lookup serves the next.
    await expect.poll(() => ask('slow-1')).toEqual({ kind: 'absent' });
    account.onWire(() => 'reset');
    expect(await ask('dead-1')).toEqual({ kind: 'unknown', why: 'failed' });
    account.onWire(() => '<html>');
    expect(await ask('nonsense-1')).toEqual({ kind: 'unknown', why: 'failed' });
  });

  it('validation waits less than the relay’s time for an answer, and still less for an earlier scan', async () => {
    const waits: number[] = [];
    const clock: Clock = {
      ...systemClock,
      sleep: (ms, signal) => {
        waits.push(ms);
        return systemClock.sleep(ms, signal);
      },
    };
    const process = await startProcess({ clock, times: { freshMs: 3_600_000 } });
    await untilFresh(process);
    account.onWire(() => new Promise(() => undefined));
    await process.mirror.stop();
    const longestWait = async (value: string, since?: number) => {
      waits.length = 0;
      expect((await process.databaseLookup.ask(owner, judgingOf({ budgetMs: 2_000 }), value, since)).known).toEqual({
        kind: 'unknown',
        why: 'slow',
      });
      return Math.max(...waits);
    };
    expect(await longestWait('left-1')).toBeLessThanOrEqual(1_800);
    expect(await longestWait('left-2', Date.now() - 1_500)).toBeLessThanOrEqual(1_000);
    expect(await longestWait('left-3', Date.now() - 3_600_000)).toBeLessThanOrEqual(1_000);
    // A clock that was set back meanwhile.
    expect(await longestWait('left-4', Date.now() + 3_600_000)).toBeLessThanOrEqual(1_800);
  });

  wideIt('a copy of a database is fetched once though two processes run', async () => {
    const one = await startProcess({ times: { freshMs: 3_600_000 } });
    await untilFresh(one);
    const other = await startProcess({ times: { freshMs: 3_600_000 } });
    const fetched = () =>
      account.calls.filter(
        ({ operation, variables }) =>
          operation === 'databases/showvalues' && variables.get('database_id') === tickets && !variables.has('value'),
      ).length;
    const before = fetched();
    const from = Date.now();
    await one.mirror.refresh(owner, tickets);
    other.mirror.wake();
    await untilFresh(other, from);
    // 1,200 values by 400: three full pages, and a look behind the last; a search for each lost control character.
    expect(fetched() - before).toBeLessThanOrEqual(4 + 5);
  });

  it('a copy has added and changed values after one pass, and drops a deleted value after two passes', async () => {
    const process = await startProcess({ times: { freshMs: 3_600_000 } });
    await untilFresh(process);
    await change('addvalue', { database_id: tickets, value: 'HLF-GONE' });
    const fetchAgain = async () => {
      const from = Date.now();
      await process.mirror.refresh(owner, tickets);
      await untilFresh(process, from);
    };
    const inCopy = async (key: string) => {
      const copies = createDatabaseMirrors(process.store);
      const copy = (await copies.of(owner)).find(({ databaseId }) => databaseId === tickets);
      return (await copies.load([{ mirrorId: copy?.id ?? 0, key }]))[0]?.[0];
    };
    await fetchAgain();
    expect(await inCopy('hlf-gone')).toMatchObject({ valid: true });
    await change('deletevalue', { database_id: tickets, value: 'HLF-GONE' });
    await change('editvalue', { database_id: tickets, value: 'HLF-000003', validity: '0', response: 'Stolen' });
    await fetchAgain();
    // One pass without the value makes it doubtful, and a second pass deletes it.
    expect(await inCopy('hlf-gone')).toMatchObject({ valid: true });
    expect((await process.databaseLookup.ask(owner, judgingOf(), 'HLF-GONE')).known).toEqual({ kind: 'absent' });
    await fetchAgain();
    expect(await inCopy('hlf-gone')).toBeUndefined();
    expect(await inCopy('hlf-000003')).toMatchObject({ valid: false, response: 'Stolen' });
    expect(await inCopy('hlf-000001')).toMatchObject({ valid: true });
  });

  it('a copy of a database is fetched in smaller pages where the account’s answers are too large', async () => {
    const process = await startProcess({ pageSize: 4_000, times: { freshMs: 3_600_000, leastBackoffMs: 10 } });
    account.onWire(({ operation, variables }) =>
      operation === 'databases/showvalues' && Number(variables.get('limit')) > 1_100
        ? `<xml>${'x'.repeat(17_000_000)}`
        : undefined,
    );
    const from = Date.now();
    await process.mirror.refresh(owner, tickets);
    await untilFresh(process, from);
    expect((await copyOf(process))?.size).toBeGreaterThanOrEqual(1_200);
  });

  it('a relay validates neither by a disconnected account nor by the copy of an earlier connection', async () => {
    const process = await startProcess({ times: { freshMs: 3_600_000 } });
    await untilFresh(process);
    const judge = async (from: TestMirror) =>
      (await from.databaseLookup.ask(owner, judgingOf({ liveShare: 0 }), 'HLF-000001')).known;
    expect(await judge(process)).toMatchObject({ kind: 'known' });
    await process.store.workspaces.disconnect(owner);
    const without = await startProcess({ idle: true });
    expect(await judge(without)).toEqual({ kind: 'unknown', why: 'no_account' });
    await process.store.workspaces.connect(owner, account.apiKey, { connectedBy: 'U1', connectedAt: 6 });
    const another = await startProcess({ idle: true });
    expect(await judge(another)).toEqual({ kind: 'unknown', why: 'copy_only' });
    const from = Date.now();
    await process.mirror.refresh(owner, tickets);
    await untilFresh(process, from);
    const fetched = await startProcess({ idle: true });
    expect(await judge(fetched)).toMatchObject({ kind: 'known' });
  });

  it('the mirror reports a database that the account lacks, and copies the relay’s other databases', async () => {
    const process = await startProcess();
    await relaysOf(process.store).create({ ...gate, settings: settingsOf({ databaseIds: ['4711', '1022'] }) });
    process.mirror.wake();
    await untilFresh(process, 0, '1022');
    await expect.poll(async () => (await copyOf(process, '4711'))?.lastCode).toBe('relay.database_gone');
  });

  describe('validation by databases over HTTP', () => {
    it('a scan has one deadline, even if its relay is changed while the account is being asked', async () => {
      const process = await startProcess({ times: { freshMs: 3_600_000 } });
      await untilFresh(process);
      const { relay, path } = await relaysOf(process.store).create({
        ...gate,
        settings: settingsOf({ budgetMs: 300 }),
      });
      const since: (number | undefined)[] = [];
      const knowledge: typeof process.databaseLookup = {
        ...process.databaseLookup,
        async ask(of, judging, value, at) {
          since.push(at);
          const told = await process.databaseLookup.ask(of, judging, value, at);
          if (since.length === 1) {
            const settings = settingsOf({ budgetMs: 300, unknown: 'reject' });
            await relaysOf(process.store).change(owner, relay.id, { settings });
          }
          return told;
        },
      };
      const intake = await startIntake(process.store, { databaseLookup: knowledge });
      account.onWire(() => new Promise(() => undefined));
      const { status, body } = await postScan(`${intake.url}${path}`, scanForm({ tid: 'WHO-KNOWS' }));
      expect([status, /<status>(\d)/.exec(body)?.[1]]).toEqual([200, '0']);
      expect(since).toEqual([expect.any(Number), since[0]]);
      await intake.close();
    });

    it('a relay responds as the database says, Already scanned, Not valid, or that a barcode could not be checked', async () => {
      const process = await startProcess({ times: { freshMs: 3_600_000 } });
      await untilFresh(process);
      const intake = await startIntake(process.store, { databaseLookup: process.databaseLookup });
      const settings = settingsOf({ unknown: 'reject', budgetMs: 300 }, { duplicates: {} });
      const { path } = await relaysOf(process.store).create({ ...gate, settings });
      const post = async (tid: string) => {
        const { status, body } = await postScan(`${intake.url}${path}`, scanForm({ tid }));
        return [status, /<status>(\d)<\/status><text>([^<]*)/.exec(body)?.slice(1)];
      };
      expect(await post('HLF-000001')).toEqual([200, ['1', 'Adult, three days']]);
      // To a database that ignores case, this is the same ticket.
      expect(await post('hlf-000001')).toEqual([200, ['0', 'Already scanned']]);
      expect(await post('HLF-000002')).toEqual([200, ['0', 'Refunded']]);
      expect(await post('ELSEWHERE')).toEqual([200, ['0', 'Not valid']]);
      account.onWire(() => new Promise(() => undefined));
      const from = Date.now();
      expect(await post('WHO-KNOWS')).toEqual([
        200,
        ['0', 'Could not be checked: the account took too long to respond'],
      ]);
      expect(Date.now() - from).toBeLessThan(3_500);
      expect((await outcomes(intake.metrics)).accepted).toBe(5);
      await intake.close();
    });
  });

  it('validation asks the account for a new spelling if it is unknown whether the database ignores case', async () => {
    account.onWire(({ operation }) =>
      operation === 'databases/retrieve'
        ? xml(`<database id="${tickets}"><name>Harbour Lights Festival tickets</name><count>1200</count></database>`)
        : undefined,
    );
    const process = await startProcess({ idle: true });
    const since = systemClock.now();
    await createDatabaseMirrors(process.store).makeDue(owner, tickets, since);
    process.mirror.start();
    await untilFresh(process, since);
    const { databaseLookup: knowledge } = process;
    const before = asked('HLF-000001');
    const exact = await knowledge.ask(owner, judgingOf(), 'HLF-000001');
    expect(exact.known).toMatchObject({ kind: 'known', valid: true });
    expect(asked('HLF-000001')).toBe(before);
    expect((await knowledge.ask(owner, judgingOf(), 'hLf-000001')).known).toMatchObject({ kind: 'known', valid: true });
    expect(asked('hLf-000001')).toBe(1);
  });
});
