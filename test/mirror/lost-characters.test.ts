/** Values with control characters, which the account's answers lose: what is left of them is no value. */
import { afterEach, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { createLookups } from '../../src/lookup/index.js';
import { relaySettingsSchema } from '../../src/relay/index.js';
import type { DatabaseValidation } from '../../src/relay/validation/index.js';
import { createScans } from '../../src/scans/index.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { mirrorOf, type TestMirror } from '../helpers/mirror.js';
import { owner } from '../helpers/relay.js';
import { storeReceived } from '../helpers/scans.js';
import { type DeskHarness, startDesk } from '../lookup/harness.js';

const [gs, rs, eot, fs, us] = ['\x1d', '\x1e', '\x04', '\x1c', '\x1f'];
const withControls = [
  `21ABC${gs}10XYZ`,
  `[)>${rs}06${gs}1PABC${gs}S123${rs}${eot}`,
  `LIST${rs}1`,
  `END${eot}`,
  `[)>${rs}0304${fs}12${gs}A${us}B${rs}${eot}`,
  `FILE${fs}7`,
  `UNIT${us}8`,
];
const restOf = (value: string) => value.replace(/[\x00-\x1f]/g, '');
const plain = ['PLAIN-1', 'PLAIN-2'];

onEachDatabase('values that lose characters in the account’s answers', (databases) => {
  let account: DeskHarness;
  const open: (() => Promise<void>)[] = [];
  const call = async (action: string, variables: Record<string, string>) => {
    const body = new URLSearchParams({ section: 'databases', action, api_key: account.apiKey, ...variables });
    const answer = await (await fetch(account.apiUrl, { method: 'POST', body })).text();
    expect(answer).toContain('<status>1</status>');
    return /<id>(\d+)/.exec(answer)?.[1] ?? '';
  };
  const create = (database_name: string) => call('create', { database_name });
  const add = (database_id: string, value: string, validity = '1') =>
    call('addvalue', { database_id, value, validity, trim_value: '0' });

  beforeAll(async () => {
    account = await startDesk({ callsPerMinute: 1_000_000 });
    return account.close;
  });
  afterEach(async () => {
    account.onWire(() => undefined);
    for (const close of open.splice(0).reverse()) {
      await close();
    }
  });

  const copy = async (databaseIds: readonly string[], pageSize = 10_000): Promise<TestMirror> => {
    const store = await openTestStore(await databases.fresh());
    open.push(() => store.close());
    await store.workspaces.connect(owner, account.apiKey, { connectedBy: 'U1', connectedAt: 5 });
    await store.workspaces.change(owner, { lookupDatabases: databaseIds });
    const made = mirrorOf(store, account.accounts, { pageSize, times: { freshMs: 3_600_000 } });
    open.push(made.mirror.stop);
    made.mirror.start();
    await expect
      .poll(async () => (await made.mirror.states(owner)).filter((one) => one.fetchedAt !== undefined).length)
      .toBe(databaseIds.length);
    // The view that answers are read from is up to two seconds old.
    await expect
      .poll(async () => (await made.mirror.view(owner)).databases.filter((one) => one.fetchedAt !== undefined).length)
      .toBe(databaseIds.length);
    return made;
  };
  const askIn = (made: TestMirror, databaseIds: readonly string[]) => async (value: string) => {
    const { judging } = relaySettingsSchema.parse({ judging: { kind: 'database', databaseIds: [...databaseIds] } });
    return (await made.databaseLookup.ask(owner, judging as DatabaseValidation, value)).known;
  };
  const exactSearches = () => account.calls.filter(({ variables }) => variables.has('value')).length;

  it('a value that loses characters in answers never makes the shortened barcode valid', async () => {
    const id = await create('Mixed');
    for (const value of [...withControls, ...plain]) {
      await add(id, value);
    }
    const made = await copy([id]);
    const ask = askIn(made, [id]);
    const [mirror] = (await made.mirror.view(owner)).databases;
    for (const value of withControls) {
      expect(await made.mirror.values([mirror], restOf(value))).toEqual([{ kind: 'unsure' }]);
    }
    const before = exactSearches();
    for (const value of plain) {
      expect(await ask(value)).toMatchObject({ kind: 'known', valid: true });
    }
    expect(exactSearches()).toBe(before);
    for (const value of withControls.slice(0, 3)) {
      expect(await ask(restOf(value))).toEqual({ kind: 'absent' });
      expect(await ask(value)).toMatchObject({ kind: 'known', valid: true });
    }
    account.onWire(() => 'reset');
    for (const value of withControls.slice(3)) {
      expect(await ask(restOf(value))).toEqual({ kind: 'unknown', why: 'failed' });
    }
    expect(await ask('PLAIN-1')).toMatchObject({ kind: 'known', valid: true });
  });

  it('a database whose only value loses characters in answers does not contain the shortened barcode', async () => {
    const id = await create('All');
    await add(id, withControls[0] ?? '');
    const ask = askIn(await copy([id]), [id]);
    expect(await ask('21ABC10XYZ')).toEqual({ kind: 'absent' });
    expect(await ask(withControls[0] ?? '')).toMatchObject({ kind: 'known', valid: true });
  });

  it('a value that may have lost characters stays known after an exact search, even in an outage', async () => {
    const [first, second] = [await create('First'), await create('Second')];
    await add(first, 'TWIN1', '0');
    await add(first, `TWIN${gs}1`);
    await add(second, 'TWIN1');
    await add(second, 'SOLO');
    const made = await copy([first, second], 200);
    expect(await askIn(made, [first])('TWIN1')).toMatchObject({ kind: 'known', valid: false });
    account.onWire(() => 'reset');
    // An exact search has found it: that stays known.
    await expect.poll(() => askIn(made, [first])('TWIN1')).toMatchObject({ kind: 'known', valid: false });
    expect(await askIn(made, [first, second])('TWIN1')).toMatchObject({ kind: 'known', valid: false });
    expect(await askIn(made, [second])('TWIN1')).toMatchObject({ kind: 'known', valid: true });
  });

  it('a pass costs five more calls where a database has no values with lost characters', async () => {
    const id = await create('None');
    await add(id, 'ONLY-1');
    const before = account.calls.length;
    await copy([id]);
    const searched = account.calls.slice(before).flatMap(({ variables }) => variables.get('valuelike') ?? []);
    expect(searched).toEqual([gs, rs, eot, fs, us]);
  });

  it('a search for values with lost characters costs no call where a database is empty', async () => {
    const id = await create('Empty');
    const before = account.calls.length;
    await copy([id]);
    const calls = account.calls.slice(before).filter(({ operation }) => operation === 'databases/showvalues');
    expect(calls.map(({ variables }) => variables.has('valuelike'))).toEqual([false]);
  });

  it('an account that ignores control characters in searches gets no exact search for its values', async () => {
    const id = await create('Ignoring');
    for (const value of ['IGN-1', 'IGN-2', 'IGN-3']) {
      await add(id, value);
    }
    account.onWire(async ({ variables }) => {
      if (!/[\x00-\x1f]/.test(`${variables.get('value')}${variables.get('valuelike')}`)) {
        return undefined;
      }
      const heard = new URLSearchParams([...variables].map(([name, text]): [string, string] => [name, restOf(text)]));
      return await (await fetch(account.apiUrl, { method: 'POST', body: heard })).text();
    });
    const paged = account.calls.length;
    const made = await copy([id], 2);
    const ask = askIn(made, [id]);
    const pages = account.calls.slice(paged).filter(({ variables }) => variables.get('valuelike'));
    expect(pages).toHaveLength(5);
    const before = exactSearches();
    expect(await ask('IGN-2')).toMatchObject({ kind: 'known', valid: true });
    expect(exactSearches()).toBe(before);
    // Nothing tells whether these are the values.
    const page = await made.mirror.valuePage(owner, id);
    expect(page?.values.map(({ exact }) => exact)).toEqual([undefined, undefined, undefined]);
  });

  it('values with lost characters, and values with the same text, are each a line of the values file', async () => {
    const id = await create('File');
    const rows = [
      ['TWIN', '0'],
      [`TWIN${gs}`, '1'],
      [`LOST${rs}1`, '1'],
      ['PLAIN', '1'],
    ] as const;
    for (const [value, validity] of rows) {
      await add(id, value, validity);
    }
    const made = await copy([id]);
    for (const _ of ['copied', 'copied again']) {
      const page = await made.mirror.valuePage(owner, id);
      expect(page?.values.map(({ value, valid, exact }) => [value, valid, exact]).sort()).toEqual([
        ['LOST1', true, false],
        ['PLAIN', true, true],
        ['TWIN', false, undefined],
        ['TWIN', true, undefined],
      ]);
      const from = Date.now();
      await made.mirror.refresh(owner, id);
      await expect.poll(async () => (await made.mirror.states(owner))[0]?.fetchedAt ?? 0).toBeGreaterThanOrEqual(from);
    }
  });

  it('values with lost characters are suggested as relays received them, or else as answers show them', async () => {
    const id = await create('Suggested');
    await add(id, `TICKET${gs}77`);
    await add(id, `BADGE${gs}88`);
    await call('upsertvalue', {
      database_id: id,
      value: `TICKET${gs}77`,
      response: 'Johanna Received',
      trim_value: '0',
    });
    await call('upsertvalue', { database_id: id, value: `BADGE${gs}88`, response: 'Johanna Nowhere', trim_value: '0' });
    const made = await copy([id]);
    const received = { relay_id: 'r', received_at: 9, tid: `TICKET${gs}77` };
    await storeReceived(made.store, [{ ...owner, ...received, id: 'received-1' }]);
    const lookups = createLookups({ clock: systemClock, scans: createScans(made.store.db), mirror: made.mirror });
    const suggested = async (value: string) => {
      const lookup = await lookups.lookup({ owner, account: account.account, value, databaseIds: [id] });
      return (await lookups.suggest(owner, lookup)).suggestions;
    };
    expect(await suggested('TICKET77')).toMatchObject({ close: [`TICKET${gs}77`] });
    expect(await suggested('TICKET78')).toMatchObject({ close: [`TICKET${gs}77`] });
    expect(await suggested(`TICKET${gs}78`)).toMatchObject({ close: [`TICKET${gs}77`] });
    expect(await suggested('BADGE89')).toEqual({ close: [], lost: ['BADGE88'] });
    expect((await suggested('johanna'))?.byResponse?.values.map(({ value, lost }) => [value, lost])).toEqual([
      ['BADGE88', true],
      [`TICKET${gs}77`, undefined],
    ]);
  });

  it('a new value is not trusted before the pass has searched for values with lost characters', async () => {
    const id = await create('Meanwhile');
    await add(id, 'THERE');
    const made = await copy([id]);
    let go = () => {};
    const reached = new Promise<void>((resolve) => {
      account.onWire(async ({ variables }) => {
        if (variables.has('valuelike')) {
          resolve();
          await new Promise<void>((done) => {
            go = done;
          });
        }
        return undefined;
      });
    });
    await add(id, `NEW${rs}1`);
    await made.mirror.refresh(owner, id);
    await reached;
    expect(await askIn(made, [id])('NEW1')).toEqual({ kind: 'absent' });
    expect(await askIn(made, [id])('THERE')).toMatchObject({ kind: 'known', valid: true });
    account.onWire(() => undefined);
    go();
  });
});
