import { streamXlsxRows } from 'hucre/xlsx';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/workspaces/types.js';
import { openTestStore, sqliteDatabases } from '../helpers/databases.js';
import { allScans, connect, createShelf, exportsOf, fill, request, someScans, until } from './world.js';

async function cellsIn(file: Buffer): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  for await (const { values } of streamXlsxRows(file)) rows.push([...values]);
  return rows;
}

const hostile = [
  ...[
    '0123',
    '00',
    '=1+1',
    '+49',
    "'quoted",
    '1E5',
    '4.00638E+12',
    '2026-03-01',
    'TRUE',
    ' 012 ',
    '\u001d0112',
    '<&>"',
  ],
  ...[
    '_x0041_',
    '_x005F_',
    '_x0041_x0042_',
    '_x0041\u001d',
    '__x001D_',
    'a\r\nb',
    '\r',
    '\t',
    '\u0000\u0001',
    'é😀👩‍🚒',
  ],
  ...['_x', '_xZZZZ_', '\ufffe', '\uffff', '\ufeff1', '\u00a0', '\u200b', ' ', '_x0041', '\u0085'],
];

describe('an export as .xlsx', () => {
  const databases = sqliteDatabases();
  let store: Store;
  beforeEach(async () => {
    store = await openTestStore(await databases.fresh());
    await connect(store);
  });
  afterEach(() => store.close());

  it('an export as .xlsx that several processes continue one after another has every scan once, newest first', async () => {
    // Scans hold neither NUL nor what the account's answers lose.
    const barcodes = hostile.filter((one) => !/[\0\ufffe\uffff]/.test(one));
    const scans = someScans(5_000, (n) => barcodes[n] ?? `0${n}`);
    await fill(store, scans);
    const shelf = createShelf();
    await exportsOf(store, shelf).request(request(allScans, { mode: 'xlsx' }));
    while (shelf.told.length === 0) {
      const exports = exportsOf(store, shelf);
      const chunks = async () => (await store.db.selectFrom('export_chunks').select('seq').execute()).length;
      const before = await chunks();
      exports.start();
      await until(async () => shelf.told.length > 0 || (await chunks()) > before);
      await exports.stop();
    }
    const [head, ...rows] = await cellsIn([...shelf.shared.values()][0]!);
    expect(head?.slice(0, 3)).toEqual(['Barcode', 'Result', 'Response']);
    expect(rows.map(([value]) => value).sort()).toEqual(scans.map(({ value }) => value).sort());
    const times = rows.map((row) => String(row[3]));
    expect(times).toEqual(times.toSorted().toReversed());
  });
});
