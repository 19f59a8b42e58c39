/** Exports of an account that is not copied: they are read from the account itself, with few calls. */
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { retrieveScans } from '../../src/codereadr/operations/index.js';
import { readLivePage } from '../../src/exports/live-page.js';
import type { Store } from '../../src/workspaces/types.js';
import { openTestStore, sqliteDatabases } from '../helpers/databases.js';
import { owner } from '../helpers/relay.js';
import { type DeskHarness, scansXml, startDesk } from '../lookup/harness.js';
import { allScans, createShelf, exportsOf, request, until } from './world.js';

const never = new AbortController().signal;
const noon = Date.UTC(2026, 2, 1, 12);

describe('the scans of an account that is not copied', () => {
  let desk: DeskHarness;
  beforeEach(async () => {
    desk = await startDesk();
  });
  afterEach(() => desk.close());

  /** An account with scans at these seconds after noon; whether `end_time` belongs to the answer, nobody knows. */
  const answerWith = (seconds: readonly number[], isInclusive: boolean) => {
    const all = seconds
      .map((at, n) => ({ id: n + 1, at, value: `v${n + 1}` }))
      .sort((a, b) => b.at - a.at || b.id - a.id);
    desk.onWire(({ variables }) => {
      const end = (Date.parse(`${variables.get('end_date')}T${variables.get('end_time')}Z`) - noon) / 1_000;
      const found = all.filter(({ at }) => (isInclusive ? at <= end : at < end));
      return scansXml(found.slice(0, Number(variables.get('limit'))), found.length);
    });
    return all;
  };
  const walked = async (to: number) => {
    const found: string[] = [];
    for (let before = to; before > 0; ) {
      const { reached, scans } = await readLivePage(desk.account, { from: 0, to: before }, never);
      expect(scans.every(({ at }) => at >= reached && at < before)).toBe(true);
      before = reached;
      found.push(...scans.map(({ scan }) => scan.id));
    }
    return found;
  };

  it.each([true, false])(
    'scans read from the account are each exported once, newest first (end of range included: %s)',
    async (isInclusive) => {
      const all = answerWith(
        Array.from({ length: 3_500 }, (_, n) => Math.floor(n / 7)),
        isInclusive,
      );
      expect(await walked(noon + 10_000_000)).toEqual(all.map(({ id }) => String(id)));
      expect(desk.calls.length).toBeLessThan(10);
    },
  );

  it('scans read from the account are each exported once though thousands have the same second', async () => {
    const all = answerWith(
      Array.from({ length: 3_500 }, (_, n) => (n < 3_000 ? 100 : n)),
      true,
    );
    expect(await walked(noon + 10_000_000)).toEqual(all.map(({ id }) => String(id)));
  });

  it('scans read from the account are exported up to the requested time only', async () => {
    answerWith([0, 5, 10, 15], true);
    expect(await walked(noon + 10_000)).toEqual(['2', '1']);
  });
});

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

  it('an export for an account without a copy has the account’s scans', async () => {
    const { scans } = await desk.account.client.call(retrieveScans, { limit: 10_000, timezone: 'Etc/UTC' });
    const rows = await exported({ ...allScans, to: systemClock.now() } as typeof allScans);
    expect(rows.length).toBe(scans.length);
    expect(new Set(rows.map((row) => row.at(-1)))).toEqual(new Set(scans.map(({ id }) => id)));
  });
});
