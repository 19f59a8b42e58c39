/** Exports of an account that is not copied: they are read from the account itself, with few calls. */
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { showValues } from '../../src/codereadr/operations/index.js';
import type { Store } from '../../src/workspaces/types.js';
import { openTestStore, sqliteDatabases } from '../helpers/databases.js';
import { owner } from '../helpers/relay.js';
import { type DeskHarness, startDesk } from '../lookup/harness.js';
import { createShelf, exportsOf, request, until } from './world.js';

describe('an export of an account that is not copied', () => {
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
    expect(shelf.told).toMatchObject([{ outcome: 'done' }]);
    const rows: string[][] = parse([...shelf.shared.values()][0] ?? '', { record_delimiter: '\r\n' });
    return rows.slice(1);
  };

  it('an export for an account without a copy has a database’s values', async () => {
    const [database] = await desk.account.names.databases();
    const { id = '', name = '' } = database ?? {};
    const { values } = await desk.account.client.call(showValues, { database_id: id, limit: 10_000 });
    const rows = await exported({ kind: 'values', database: { id, name } });
    expect(rows).toEqual(
      values.map(({ value, valid, response }) => [value, valid ? 'Yes' : 'No', response, 'Not known']),
    );
    expect(rows.length).toBeGreaterThan(10);
  });

  it('an export for an account without a copy has values with the same text as often as the account has them', async () => {
    const [database] = await desk.account.names.databases();
    const { id = '', name = '' } = database ?? {};
    const texts = Array.from({ length: 1_100 }, (_, n) => `A${n - (n === 1_000 ? 1 : 0)}`);
    const elements = texts.map((text, n) => `<value validity="1"><id>${text}</id><response>R${n}</response></value>`);
    desk.onWire(({ operation, variables }) => {
      const offset = Number(variables.get('offset') ?? 0);
      const page = elements.slice(offset, offset + Number(variables.get('limit')));
      return operation === 'databases/showvalues'
        ? `<?xml version="1.0" encoding="UTF-8"?><xml><status>1</status>${page.join('')}</xml>`
        : undefined;
    });
    const rows = await exported({ kind: 'values', database: { id, name } });
    expect(rows.map(([text, , response]) => [text, response])).toEqual(texts.map((text, n) => [text, `R${n}`]));
  });
});
