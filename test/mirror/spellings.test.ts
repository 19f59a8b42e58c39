/**
 * Values that share a key, as `STRASSE-1` and `STRAßE-1`: some databases that ignore case take them for one value, others
 * for two.
 */
import { afterEach, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { createLookups, headlineOf } from '../../src/lookup/index.js';
import { relaySettingsSchema } from '../../src/relay/index.js';
import type { DatabaseValidation } from '../../src/relay/validation/index.js';
import { createScans } from '../../src/scans/index.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { mirrorOf, type TestMirror } from '../helpers/mirror.js';
import { gate, owner, postScan, relaysOf, scanForm, startIntake } from '../helpers/relay.js';
import { wideIt } from '../helpers/tier/wide-it.js';
import { type DeskHarness, startDesk, xml } from '../lookup/harness.js';

type Row = readonly [value: string, valid: boolean, response: string];
const element = ([value, valid, response]: Row) =>
  `<value validity="${valid ? 1 : 0}"><id>${value}</id><response>${response}</response></value>`;

onEachDatabase('values of one key', (databases) => {
  let account: DeskHarness;
  let id: string;
  const open: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    account = await startDesk({ callsPerMinute: 1_000_000 });
    const body = new URLSearchParams({
      ...{ section: 'databases', action: 'create', api_key: account.apiKey },
      ...{ database_name: 'Streets', case_sensitivity: '0' },
    });
    const answer = await (await fetch(account.apiUrl, { method: 'POST', body })).text();
    id = /<id>(\d+)/.exec(answer)?.[1] ?? '';
    return account.close;
  });
  afterEach(async () => {
    account.onWire(() => undefined);
    for (const close of open.splice(0).reverse()) {
      await close();
    }
  });

  /** An account that ignores case, and takes `SS` and `ß` for two spellings, or for one value (`folds`). */
  const holds = (rows: readonly Row[], folds = false) => {
    const same = (text: string) => (folds ? text.toUpperCase() : text).toLowerCase();
    account.onWire(({ operation, variables }) => {
      if (operation !== 'databases/showvalues' || variables.get('database_id') !== id) {
        return undefined;
      }
      const value = variables.get('value');
      const found = variables.has('valuelike')
        ? []
        : rows.filter(([text]) => value === null || same(text) === same(value));
      return xml(`<count>${found.length}</count>${found.map(element).join('')}`);
    });
  };
  const copy = async (): Promise<TestMirror> => {
    const store = await openTestStore(await databases.fresh());
    await store.workspaces.connect(owner, account.apiKey, { connectedBy: 'U1', connectedAt: 5 });
    await store.workspaces.change(owner, { lookupDatabases: [id] });
    const made = mirrorOf(store, account.accounts, { times: { freshMs: 3_600_000 } });
    open.push(async () => {
      await made.mirror.stop();
      await store.close();
    });
    made.mirror.start();
    await expect
      .poll(async () => (await made.mirror.recentView(owner)).databases.filter((one) => one.fetchedAt).length)
      .toBe(1);
    return made;
  };
  const settings = (judging: object = {}, more: object = {}) =>
    relaySettingsSchema.parse({ judging: { kind: 'database', databaseIds: [id], ...judging }, ...more } as never);
  const ask = async (made: TestMirror, value: string) =>
    await made.databaseLookup.ask(owner, settings().judging as DatabaseValidation, value);
  const asked = (value: string) => account.calls.filter(({ variables }) => variables.get('value') === value).length;

  it('values that differ only in spelling each get their own answer from the copy, without a call', async () => {
    holds([
      ['STRASSE-1', true, 'with SS'],
      ['STRAßE-1', false, 'with ß'],
    ]);
    const made = await copy();
    expect((await ask(made, 'STRASSE-1')).known).toMatchObject({ valid: true, response: 'with SS' });
    expect((await ask(made, 'STRAßE-1')).known).toMatchObject({ valid: false, response: 'with ß' });
    expect((await ask(made, 'strasse-1')).known).toMatchObject({ valid: true });
    expect(['STRASSE-1', 'STRAßE-1', 'strasse-1'].map(asked)).toEqual([0, 0, 0]);
    const { values } = (await made.mirror.valuePage(owner, id))!;
    expect(values.map(({ value }) => value).sort()).toEqual(['STRASSE-1', 'STRAßE-1']);
  });

  wideIt('a value is asked for at the account if the copy has only another spelling of it', async () => {
    holds([['STRASSE-2', true, 'with SS']]);
    const made = await copy();
    expect((await ask(made, 'STRAßE-2')).known).toEqual({ kind: 'absent' });
    expect(asked('STRAßE-2')).toBe(1);
    account.onWire(() => 'reset');
    expect((await ask(made, 'straße-2')).known).toMatchObject({ kind: 'unknown' });
    // That the account lacks one spelling says nothing about the other.
    expect((await ask(made, 'STRASSE-2')).known).toMatchObject({ kind: 'known', valid: true });
  });

  wideIt('a value that the copy spells differently costs one call, and is unsure if both are one value', async () => {
    holds([['STRASSE-3', false, 'with SS']], true);
    const made = await copy();
    const lookups = createLookups({ clock: systemClock, scans: createScans(made.store.db), mirror: made.mirror });
    const lookUp = async (value: string) =>
      headlineOf(await lookups.lookup({ owner, account: account.account, value, databaseIds: [id] }));
    expect(await lookUp('STRAßE-3')).toMatchObject({ kind: 'not_checked', title: /Not sure: Streets/ });
    expect(asked('STRAßE-3')).toBe(1);
    expect(await lookUp('STRASSE-3')).toMatchObject({ kind: 'not_valid' });
    expect(asked('STRASSE-3')).toBe(0);
    account.onWire(() => 'reset');
    expect(await lookUp('straße-3')).toMatchObject({ kind: 'not_checked' });
  });

  it('values that differ in spelling are admitted once each, or once in all if the account treats them as one', async () => {
    for (const folds of [false, true]) {
      holds(
        folds
          ? [['STRASSE-4', true, '']]
          : [
              ['STRASSE-4', true, ''],
              ['STRAßE-4', true, ''],
            ],
        folds,
      );
      const made = await copy();
      const { path } = await relaysOf(made.store).create({
        ...gate,
        settings: settings({ unknown: 'reject' }, { duplicates: {} }),
      });
      const intake = await startIntake(made.store, { databaseLookup: made.databaseLookup });
      open.push(intake.close);
      const isAdmitted = async (tid: string) =>
        (await postScan(`${intake.url}${path}`, scanForm({ tid }))).body.includes('<status>1</status>');
      expect(await isAdmitted('straße-4')).toBe(true);
      expect(await isAdmitted('STRASSE-4')).toBe(!folds);
      for (const used of ['STRAßE-4', 'straße-4', 'strasse-4']) {
        expect(await isAdmitted(used)).toBe(false);
      }
    }
  });
});
