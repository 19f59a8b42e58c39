import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eraseAllJobs } from '../../src/database/jobs/job-rows.js';
import { type Exports, type ExportWhat, eraseExports } from '../../src/exports/index.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { owner, stranger } from '../helpers/relay.js';
import { wideIt } from '../helpers/tier/wide-it.js';
import {
  allScans,
  connect,
  createShelf,
  exportsOf,
  fill,
  openExports,
  request,
  someScans,
  start,
  until,
} from './world.js';

onEachDatabase('an export', ({ fresh }) => {
  let store: Store;

  beforeEach(async () => {
    store = await openTestStore(await fresh());
    store.onErase(eraseExports);
    store.onErase(eraseAllJobs);
    await connect(store);
  });
  afterEach(() => store.close());

  const read = (file: Buffer | undefined): string[][] => parse(file ?? '', { record_delimiter: '\r\n' });
  const chunks = async () => (await store.db.selectFrom('export_chunks').select('seq').execute()).length;
  const rows = () => openExports(store);
  /** The values in the order of an export: newest first, those of one second by value. */
  const sorted = (values: readonly { readonly at: number; readonly value: string }[]) =>
    values.toSorted((a, b) => b.at - a.at || (a.value < b.value ? -1 : 1)).map(({ at, value }) => `${at} ${value}`);
  const inFile = (file: Buffer | undefined) =>
    read(file)
      .slice(1)
      .map(([value = '', , , at = '']) => ({ value, at: Date.parse(at) }));

  it('an export has every scan once, newest first, with all its fields, and deletes its stored chunks', async () => {
    const hostile = ['00"1"', 'a,b', 'x\ny', 'x\r\ny', '\u001d0112', ' 012 ', '=1+1', "'", 'é'];
    const scans = someScans(5_000, (n) => hostile[n] ?? `0${n}`);
    await fill(store, scans);
    const shelf = createShelf();
    const exports = exportsOf(store, shelf);
    const asked = await exports.request(request());
    exports.start();
    await until(() => shelf.told.length > 0);
    await exports.stop();
    const file = [...shelf.shared.values()][0];
    expect(read(file)[0]).toEqual([
      ...['Barcode', 'Result', 'Response', 'Scan time (UTC)', 'Scan time (Europe/Berlin)', 'Service', 'Service ID'],
      ...['User', 'User ID', 'Device', 'Device ID', 'Answers', 'Properties', 'Received by relay (UTC)', 'Scan ID'],
    ]);
    const found = inFile(file);
    expect(sorted(found)).toEqual(sorted(scans));
    expect(found.map(({ at }) => at)).toEqual(found.map(({ at }) => at).sort((a, b) => b - a));
    expect(read(file).find(([value]) => value === '01000')).toEqual([
      ...['01000', 'Valid', 'Welcome', '2026-03-01T00:05:33Z', '2026-03-01 01:05:33', 'Gate A', '1', 'ann', '7'],
      ...['Phone 5', '5', '', '', '2026-03-01T00:05:33.500Z', ''],
    ]);
    expect(shelf.told).toMatchObject([{ id: (asked as { id: string }).id, outcome: 'done', rows: 5_000 }]);
    expect(await chunks()).toBe(0);
    expect(await rows()).toEqual([]);
    expect(await store.audit.list(owner, { limit: 5 })).toMatchObject([
      { what: 'scans/export', who: 'U1', outcome: 'ok', detail: { rows: 5_000, format: 'exact' } },
    ]);
  });

  it('an export of a search has exactly the scans whose barcodes the search finds', async () => {
    await fill(store, [...someScans(300), { id: 999, value: '01late', at: start + 500_000, where: 'account' }]);
    const shelf = createShelf();
    const exports = exportsOf(store, shelf);
    const query = { barcode: { match: 'starts', text: '01' } } as const;
    await exports.request(request({ ...allScans, query, to: start + 400_000 } as typeof allScans));
    exports.start();
    await until(() => shelf.told.length > 0);
    await exports.stop();
    const wanted = someScans(300).filter(({ value }) => value.startsWith('01'));
    expect(sorted(inFile([...shelf.shared.values()][0]))).toEqual(sorted(wanted));
  });

  it('a canceled export loses its chunks at once, shares no file, and its message says that it was canceled', async () => {
    await fill(store, someScans(9_000));
    const shelf = createShelf();
    const exports = exportsOf(store, shelf);
    const { id } = (await exports.request(request())) as { id: string };
    exports.start();
    await until(async () => (await chunks()) > 0);
    const record = await exports.find(owner, id);
    expect(await exports.find(stranger, id)).toBeUndefined();
    expect(await exports.cancel(record!)).toBe(true);
    expect(await chunks()).toBe(0);
    await until(() => shelf.told.length > 0);
    await exports.stop();
    expect(shelf.shared.size).toBe(0);
    expect(shelf.told).toMatchObject([{ outcome: 'cancelled' }]);
    expect(await chunks()).toBe(0);
    expect(await exports.cancel(record!)).toBe(false);
    expect(await store.audit.list(owner, { limit: 5 })).toMatchObject([{ what: 'scans/export', outcome: 'cancelled' }]);
  });

  it('an export whose share gets no response shares the same file again, and can no longer be canceled', async () => {
    await fill(store, someScans(10));
    const files: (string | undefined)[] = [];
    const shelf = createShelf({
      async share({ fileId }) {
        files.push(fileId);
        return files.length < 3 ? { outcome: 'retry', code: 'slack.request_broken' } : { outcome: 'shared' };
      },
    });
    const exports = exportsOf(store, shelf);
    const { id } = (await exports.request(request())) as { id: string };
    exports.start();
    await until(() => files.length > 0);
    expect(await exports.cancel((await exports.find(owner, id))!)).toBe(false);
    await until(() => shelf.told.length > 0);
    await exports.stop();
    expect(files).toEqual(['F1', 'F1', 'F1']);
    expect(shelf.told).toMatchObject([{ outcome: 'done' }]);
  });

  it('an export reports why it failed: Slack refused the file, or another account was connected', async () => {
    await fill(store, someScans(10));
    const refusing = createShelf({ upload: async () => ({ outcome: 'refused', code: 'slack.is_archived' }) });
    const exports = exportsOf(store, refusing);
    await exports.request(request());
    exports.start();
    await until(() => refusing.told.length > 0);
    await exports.stop();
    expect(refusing.told).toMatchObject([{ outcome: 'slack.is_archived' }]);
    const shelf = createShelf();
    const later = exportsOf(store, shelf);
    await later.request(request());
    await store.workspaces.connect(owner, 'other', { connectedBy: 'U1', connectedAt: 6 });
    later.start();
    await until(() => shelf.told.length > 0);
    await later.stop();
    expect(shelf.told).toMatchObject([{ outcome: 'export.other_account' }]);
  });

  wideIt('an export starts again when a barcode is forgotten, so that its file lacks that barcode', async () => {
    const scans = someScans(9_000);
    await fill(store, scans);
    const shelf = createShelf();
    const exports = exportsOf(store, shelf);
    await exports.request(request());
    exports.start();
    await until(async () => (await chunks()) > 0);
    await exports.stop();
    await store.db.deleteFrom('received_scans').where('tid', '=', '08998').execute();
    await store.db.deleteFrom('account_scans').where('scan_id', '=', '8999').execute();
    const again = exportsOf(store, shelf);
    await again.restart(owner);
    expect(await chunks()).toBe(0);
    again.start();
    await until(() => shelf.told.length > 0);
    await again.stop();
    const wanted = scans.filter(({ value }) => value !== '08998');
    expect(sorted(inFile([...shelf.shared.values()][0]))).toEqual(sorted(wanted));
  });

  it.each<[string, (exports: Exports) => Promise<unknown>]>([
    ['the installation', () => store.eraseInstallation(owner.installation)],
    ['all data of the workspace', (exports) => exports.erase(owner)],
  ])('an export that is waiting for Slack is deleted with %s, and so are its chunks', async (_, erase) => {
    await fill(store, someScans(3_000));
    const exports = exportsOf(
      store,
      createShelf({ upload: async () => ({ outcome: 'retry', code: 'x', afterMs: 60_000 }) }),
    );
    await exports.request(request());
    exports.start();
    await until(async () => (await rows())[0]?.state.state === 'uploading');
    expect(await chunks()).toBeGreaterThan(0);
    await erase(exports);
    expect(await rows()).toEqual([]);
    await until(async () => (await chunks()) === 0);
    await exports.stop();
  });

  const out: ExportWhat = { kind: 'out', text: '', zone: 'UTC', role: 'everyone' };

  it.each<[string, number, (exports: Exports) => Promise<unknown>]>([
    [
      'stays in Slack when its installation is deleted, and its row is deleted',
      0,
      () => store.eraseInstallation(owner.installation),
    ],
    ['is deleted from Slack at once when all data of the workspace is deleted', 1, (exports) => exports.erase(owner)],
  ])('a file that waits for its deletion in Slack %s', async (_, removed, erase) => {
    const gone: string[] = [];
    const shelf = createShelf({ remove: async ({ fileId = '' }) => void gone.push(fileId) });
    const exports = exportsOf(store, shelf);
    await exports.request(request(out));
    exports.start();
    await until(() => shelf.told.length > 0);
    expect(await rows()).toMatchObject([{ kind: 'export_file', state: { ended: { outcome: 'done' } } }]);
    await erase(exports);
    await until(async () => (await rows()).length === 0);
    await exports.stop();
    expect(gone).toHaveLength(removed);
  });

  it('a workspace’s eleventh export at a time is not accepted, and another workspace’s export is', async () => {
    const exports = exportsOf(store, createShelf());
    for (let n = 0; n < 10; n += 1) {
      expect(await exports.request(request())).toMatchObject({ id: expect.any(String) });
    }
    expect(await exports.request(request())).toBe('too_many');
    expect(await exports.request(request(allScans, { owner: stranger }))).toMatchObject({ id: expect.any(String) });
  });
});
