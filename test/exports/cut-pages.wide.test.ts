/** Exports of an account that is not copied, and that sends shorter pages than asked for. */
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import type { Store } from '../../src/workspaces/types.js';
import { openTestStore, sqliteDatabases } from '../helpers/databases.js';
import { owner } from '../helpers/relay.js';
import { type DeskHarness, scansXml, startDesk, xml } from '../lookup/harness.js';
import { allScans, createShelf, exportsOf, request, until } from './world.js';

describe('an export of an account that is not copied, and that caps its pages', () => {
  const databases = sqliteDatabases();
  let desk: DeskHarness;
  let store: Store;
  beforeEach(async () => {
    desk = await startDesk();
    store = await openTestStore(await databases.fresh());
    await store.workspaces.connect(owner, desk.apiKey, { connectedBy: 'U1', connectedAt: 5 });
  });
  afterEach(async () => {
    await store.close();
    await desk.close();
  });
  const exported = async (what: Parameters<typeof request>[0]) => {
    const shelf = createShelf();
    const exports = exportsOf(store, shelf, { accounts: desk.accounts, copied: false });
    await exports.request(request(what));
    exports.start();
    await until(() => shelf.told.length > 0);
    await exports.stop();
    const rows: string[][] = parse([...shelf.shared.values()][0] ?? '', { record_delimiter: '\r\n' });
    return rows.slice(1);
  };
  it('an export has all 1,200 values of an account that sends 500 a page', async () => {
    const [database] = await desk.account.names.databases();
    const { id = '', name = '' } = database ?? {};
    const elements = Array.from(
      { length: 1_200 },
      (_, n) => `<value validity="1"><id>A${n}</id><response>R${n}</response></value>`,
    );
    desk.onWire(({ operation, variables }) => {
      const offset = Number(variables.get('offset') ?? 0);
      const page = elements.slice(offset, offset + Math.min(500, Number(variables.get('limit'))));
      return operation === 'databases/showvalues' ? xml(`<count>1200</count>${page.join('')}`) : undefined;
    });
    const rows = await exported({ kind: 'values', database: { id, name } });
    expect(rows.length).toBe(1_200);
  });
  it('an export has all 700 scans of an account that sends 250 a page', async () => {
    const noon = Date.UTC(2026, 2, 1, 12);
    const all = Array.from({ length: 700 }, (_, n) => ({ id: 1000 - n, at: 1000 - n, value: `v${n}` }));
    desk.onWire(({ operation, variables }) => {
      if (operation !== 'scans/retrieve') return undefined;
      const end = variables.get('end_date')
        ? (Date.parse(`${variables.get('end_date')}T${variables.get('end_time')}Z`) - noon) / 1_000
        : 1e9;
      const found = all.filter(({ at }) => at <= end);
      return scansXml(found.slice(0, Math.min(250, Number(variables.get('limit')))), found.length);
    });
    const rows = await exported({ ...allScans, to: systemClock.now() } as typeof allScans);
    expect(rows.length).toBe(700);
  });
});
