/** Changes through Scandesk while pages of the account are on their way: what was changed is never undone. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAccountMirrors } from '../../src/mirror/tables/accounts.js';
import { createDatabaseMirrors } from '../../src/mirror/tables/databases.js';
import { relaySettingsSchema } from '../../src/relay/index.js';
import type { DatabaseValidation } from '../../src/relay/validation/index.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { effort, longIt } from '../helpers/effort.js';
import { mirrorOf, type TestMirror } from '../helpers/mirror.js';
import { owner } from '../helpers/relay.js';
import { wideIt } from '../helpers/tier/wide-it.js';
import { type Call, type DeskHarness, startDesk } from '../lookup/harness.js';

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function numbers(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

onEachDatabase('a change through Scandesk', (databases) => {
  let account: DeskHarness;
  let store: Store;
  let id: string;
  let mirrors: TestMirror[] = [];

  const call = async (section: string, action: string, variables: Record<string, string>) => {
    const body = new URLSearchParams({ section, action, api_key: account.apiKey, direct: '1', ...variables });
    return await (await fetch(account.apiUrl, { method: 'POST', body })).text();
  };
  /** The account's answer to a call, as of now. */
  const answerNow = async (variables: URLSearchParams) => {
    const body = new URLSearchParams([...variables, ['direct', '1']]);
    return await (await fetch(account.apiUrl, { method: 'POST', body })).text();
  };
  const add = (value: string, validity = '1') => call('databases', 'addvalue', { database_id: id, value, validity });
  const isPage = ({ variables }: Call) =>
    !variables.has('direct') && variables.has('limit') && !variables.get('valuelike');
  const note = async (section: string, action: string, input: object, more: { unconfirmed?: boolean } = {}, by = 0) =>
    mirrors[by]!.mirror.noteChange(owner, account.account, { section, action, input: { ...input }, ...more });
  const mirrorOfIt = async () =>
    (await createDatabaseMirrors(store).of(owner)).find(({ databaseId }) => databaseId === id)!;
  /** What the copy says, as of now: not as of a view that was read before. */
  const inCopy = async (value: string) => (await mirrors[0]!.mirror.values([await mirrorOfIt()], value))[0]!;
  const scan = async (value: string): Promise<string> => {
    const scanner = account.apiUrl.replace('/api/', '/scanner/');
    const state = (await (await fetch(`${scanner}state`)).json()) as Record<
      'services' | 'users' | 'devices',
      { id: string; validation_method: string }[]
    >;
    const service = state.services.find((one) => one.validation_method === 'record')!;
    const answer = await fetch(`${scanner}scan`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ service_id: service.id, user_id: state.users[0]!.id, device_id: state.devices[0]!.id, value },
      }),
    });
    return ((await answer.json()) as { scan_id: string }).scan_id;
  };
  const hasScan = async (scanId: string) => {
    const mirror = (await createAccountMirrors(store).of(owner))!;
    const rows = store.db.selectFrom('account_scans').select('scan_id').where('connection', '=', mirror.id);
    return (await rows.where('scan_id', '=', scanId).execute()).length > 0;
  };
  const startMirror = async (url: string, times: object) => {
    const own = await openTestStore(url);
    const made = mirrorOf(own, account.accounts, { pageSize: 12, times: { pollMs: 10, leaseMs: 600, ...times } });
    made.mirror.start();
    mirrors.push(made);
  };
  const start = async (times: object, instances = 1) => {
    const url = await databases.fresh();
    store = await openTestStore(url);
    await store.workspaces.connect(owner, account.apiKey, { connectedBy: 'U1', connectedAt: 5 });
    await store.workspaces.change(owner, { lookupDatabases: [id] });
    for (let n = 0; n < instances; n += 1) {
      await startMirror(url, times);
    }
    await expect
      .poll(
        async () =>
          (await mirrorOfIt())?.fetchedAt !== undefined && (await createAccountMirrors(store).of(owner))?.filled,
      )
      .toBe(true);
  };
  /** Holds the next page of this operation: answered now, delivered when told. */
  const holdPage = (operation: string) => {
    let deliver = () => {};
    const delivered = new Promise<void>((resolve) => {
      deliver = resolve;
    });
    const left = new Promise<void>((resolve) => {
      let isHeld = false;
      account.onWire(async (one) => {
        if (isHeld || one.operation !== operation || !isPage(one)) {
          return undefined;
        }
        isHeld = true;
        const answer = await answerNow(one.variables);
        resolve();
        await delivered;
        return answer;
      });
    });
    return { left, deliver };
  };
  const untilNewPass = async () => {
    const { round } = await mirrorOfIt();
    await expect.poll(async () => (await mirrorOfIt()).round).toBeGreaterThan(round);
  };

  beforeEach(async () => {
    account = await startDesk({ callsPerMinute: 1_000_000 });
    id = /<id>(\d+)/.exec(await call('databases', 'create', { database_name: 'Doors' }))?.[1] ?? '';
  });
  afterEach(async () => {
    account.onWire(() => undefined);
    for (const { mirror, store: own } of mirrors) {
      await mirror.stop();
      await own.close();
    }
    mirrors = [];
    await store.close();
    await account.close();
  });

  const slow = { freshMs: 3_600_000, fullMs: 3_600_000 };

  wideIt(
    'a value changed through Scandesk is not overwritten by a page that the copy’s pass had read before',
    async () => {
      for (const value of ['EDITED', 'DELETED', 'OTHER']) {
        await add(value);
      }
      await start(slow);
      const page = holdPage('databases/showvalues');
      await mirrors[0]!.mirror.refresh(owner, id);
      await page.left;
      const edited = { database_id: id, value: 'EDITED', validity: '0', response: 'Refunded' };
      await call('databases', 'editvalue', edited);
      await note('databases', 'editvalue', edited);
      await call('databases', 'deletevalue', { database_id: id, value: 'DELETED' });
      await note('databases', 'deletevalue', { database_id: id, value: 'DELETED' });
      const passed = untilNewPass();
      page.deliver();
      await passed;
      expect(await inCopy('EDITED')).toMatchObject({ kind: 'found', valid: false, response: 'Refunded' });
      expect(await inCopy('DELETED')).toMatchObject({ kind: 'absent' });
      expect(await inCopy('OTHER')).toMatchObject({ kind: 'found', valid: true });
      // A later pass knows the change, and leaves no trace of it behind.
      await mirrors[0]!.mirror.refresh(owner, id);
      await untilNewPass();
      await expect
        .poll(() => store.db.selectFrom('mirrored_changes').selectAll().where('part', '=', 'values').execute())
        .toEqual([]);
      expect(await inCopy('EDITED')).toMatchObject({ kind: 'found', valid: false });
    },
  );

  wideIt('a change through Scandesk is noted without an error if the copy is deleted meanwhile', async () => {
    await add('EDITED');
    await start(slow);
    const edited = { database_id: id, value: 'EDITED', validity: '0' };
    account.onWire(async ({ variables }) => {
      if (variables.get('value') === 'EDITED' && !variables.has('direct')) {
        await createDatabaseMirrors(store).drop((await mirrorOfIt()).id);
      }
      return undefined;
    });
    await expect(note('databases', 'editvalue', edited)).resolves.toBeUndefined();
  });

  wideIt('a scan deleted through Scandesk is not restored by a page that the copy’s pass had read before', async () => {
    const [stays, goes] = [await scan('SCAN-1'), await scan('SCAN-2')];
    await start(slow);
    const page = holdPage('scans/retrieve');
    await store.db.updateTable('mirrors').set({ full_due_at: 0 }).execute();
    await page.left;
    await call('scans', 'delete', { scan_id: goes });
    await note('scans', 'delete', { scan_id: goes });
    expect(await hasScan(goes)).toBe(false);
    page.deliver();
    await sleep(300);
    expect([await hasScan(stays), await hasScan(goes)]).toEqual([true, false]);
  });

  it('a copied value whose change the account did not confirm is unsure until the value is read again', async () => {
    for (const value of ['DOUBTFUL', 'CUT-OFF', 'M-1', 'M-2', 'TRIMMED', 'SAFE']) {
      await add(value);
    }
    await start(slow);
    await note(
      'databases',
      'editvalue',
      { database_id: id, value: 'DOUBTFUL', validity: false },
      { unconfirmed: true },
    );
    await expect.poll(async () => (await mirrorOfIt()).dueAt).toBeGreaterThan(Date.now());
    expect(await inCopy('DOUBTFUL')).toMatchObject({ kind: 'found', valid: true });

    account.onWire((one) => (one.variables.has('direct') ? undefined : 'reset'));
    await note('databases', 'editvalue', { database_id: id, value: 'CUT-OFF', validity: false });
    await note('databases', 'upsertvalue', { database_id: id, value: ' TRIMMED\t', validity: false });
    await note('databases', 'upsertmultivalue', { database_id: id, values: [{ value: 'M-1' }, { value: 'M-2' }] });
    for (const value of ['CUT-OFF', 'M-1', 'M-2', 'TRIMMED']) {
      expect(await inCopy(value)).toMatchObject({ kind: 'unsure', last: { valid: true } });
    }
    expect(await inCopy('SAFE')).toMatchObject({ kind: 'found', valid: true });
    const { judging } = relaySettingsSchema.parse({ judging: { kind: 'database', databaseIds: [id] } });
    const asked = await mirrors[0]!.databaseLookup.ask(owner, judging as DatabaseValidation, 'CUT-OFF');
    expect(asked.known).toMatchObject({ kind: 'unknown' });
  });

  it('a recorded change of a barcode is deleted once the barcode is forgotten or all data is erased', async () => {
    for (const value of ['FORGOTTEN', 'ERASED']) {
      await add(value);
    }
    await start(slow);
    const keys = async () => {
      const rows = await store.db.selectFrom('mirrored_changes').select('key').orderBy('key').execute();
      return rows.map(({ key }) => key);
    };
    for (const value of ['FORGOTTEN', 'ERASED']) {
      await note('databases', 'editvalue', { database_id: id, value, validity: false });
    }
    await note('scan_properties', 'create', { scan_id: ['7'] });
    expect(await keys()).toEqual(['7', '=erased', '=forgotten']);
    const { mirror } = mirrors[0]!;
    await mirror.forgetValue(owner, 'FORGOTTEN');
    expect(await keys()).toEqual(['7', '=erased']);
    await mirror.stop();
    await mirror.erase(owner);
    expect(await keys()).toEqual([]);
  });

  longIt(
    'the mirror never calls a wrong answer sure, however pages and changes interleave',
    async () => {
      const random = numbers(20_261_123);
      const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
      const value = () => `V-${Math.floor(random() * 50)}`;
      const truth = new Map<string, boolean>();
      for (let n = 0; n < 50; n += 2) {
        truth.set(`V-${n}`, n % 4 === 0);
        await add(`V-${n}`, n % 4 === 0 ? '1' : '0');
      }
      const scans: string[] = [];
      const gone: string[] = [];
      await start({ freshMs: 20, perCallMs: 1, changesMs: 20, fullMs: 60, longestBackoffMs: 100 }, 2);
      account.onWire(async (one) => {
        if (one.variables.has('direct') || !one.variables.has('section')) {
          return undefined;
        }
        if (!isPage(one)) {
          return one.variables.has('value') && random() < 0.2 ? 'reset' : undefined;
        }
        const answer = await answerNow(one.variables);
        await sleep(random() * 60);
        return answer;
      });
      const wrong: unknown[] = [];
      let sure = 0;
      const steps = effort({ short: 25, long: 160 });
      const check = async (of: string, after: string) => {
        const answer = await inCopy(of);
        sure += answer.kind === 'found' ? 1 : 0;
        if (answer.kind === 'found' && truth.get(of) !== answer.valid) {
          wrong.push([after, of, answer, truth.get(of)]);
        }
      };
      for (let n = 0; n < steps; n += 1) {
        const by = n % 2;
        const [one, kind] = [value(), random()];
        const valid = random() < 0.5;
        const input = { database_id: id, value: one, validity: valid ? '1' : '0' };
        if (kind < 0.35) {
          truth.set(one, valid);
          await call('databases', 'upsertvalue', input);
          await note('databases', 'upsertvalue', input, {}, by);
        } else if (kind < 0.6 && truth.delete(one)) {
          await call('databases', 'deletevalue', { database_id: id, value: one });
          await note('databases', 'deletevalue', { database_id: id, value: one }, {}, by);
        } else if (kind < 0.7) {
          const isMade = random() < 0.5;
          if (isMade) {
            truth.set(one, valid);
            await call('databases', 'upsertvalue', input);
          }
          await note('databases', 'upsertvalue', input, { unconfirmed: true }, by);
        } else if (kind < 0.8) {
          const values = [one, value(), value()].map((each) => ({ value: each, validity: input.validity }));
          const rows = values.flatMap((each, at) => Object.entries(each).map(([k, v]) => [`values[${at}][${k}]`, v]));
          await call('databases', 'upsertmultivalue', { database_id: id, ...Object.fromEntries(rows) });
          for (const each of values) {
            truth.set(each.value, valid);
          }
          await note('databases', 'upsertmultivalue', { database_id: id, values }, {}, by);
        } else if (kind < 0.81) {
          truth.clear();
          await call('databases', 'clear', { database_id: id });
          await note('databases', 'clear', { database_id: id }, {}, by);
        } else if (kind < 0.9 || scans.length === 0) {
          scans.push(await scan(one));
        } else {
          const [scanId = ''] = scans.splice(Math.floor(random() * scans.length), 1);
          await call('scans', 'delete', { scan_id: scanId });
          await note('scans', 'delete', { scan_id: scanId }, {}, by);
          gone.push(scanId);
        }
        await check(one, `${n} ${kind.toFixed(2)}`);
        await sleep(random() * 15);
        for (const each of [one, value(), pick([...truth.keys(), one])]) {
          await check(each, `after ${n}`);
        }
        for (const scanId of gone.slice(-5)) {
          expect(await hasScan(scanId)).toBe(false);
        }
      }
      expect(wrong).toEqual([]);
      expect(sure).toBeGreaterThan(steps / 3);
      account.onWire(() => undefined);
      await expect
        .poll(async () => {
          const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => inCopy(`V-${n}`)));
          return answers.map((answer, n) => [`V-${n}`, answer.kind === 'found' ? answer.valid : answer.kind]);
        })
        .toEqual(Array.from({ length: 50 }, (_, n) => [`V-${n}`, truth.get(`V-${n}`) ?? 'absent']));
      for (const scanId of gone) {
        expect(await hasScan(scanId)).toBe(false);
      }
      await expect.poll(async () => (await Promise.all(scans.map(hasScan))).every(Boolean)).toBe(true);
    },
    180_000,
  );
});
