import { afterEach, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.js';
import type { RecordedScan } from '../../../src/codereadr/types.js';
import { createLookups, pageSize } from '../../../src/lookup/index.js';
import { scanKey } from '../../../src/scans/key.js';
import { movedClock } from '../../helpers/moved-clock.js';
import { type Call, type DeskHarness, owner, scansXml, startDesk } from '../harness.js';

let harness: DeskHarness;
afterEach(() => harness?.close());

/** An account with these scans, newest first, that counts offsets from one or from zero. */
async function start(
  scans: { id: number; at: number }[],
  options: { first?: 0 | 1; mostAnAnswer?: number; clock?: Clock } = {},
) {
  const { first = 0, mostAnAnswer = 100_000, clock = systemClock } = options;
  harness = await startDesk({ clock });
  const answerTo = ({ operation, variables }: Call) => {
    if (operation !== 'scans/retrieve') return undefined;
    const offset = Math.max(0, Number(variables.get('offset') ?? first) - first);
    const limit = Math.min(mostAnAnswer, Number(variables.get('limit')));
    return scansXml(scans.slice(offset, offset + limit));
  };
  harness.onWire(answerTo);
  const desk = createLookups({ clock, scans: harness.scans });
  const page = (number: number) => desk.moreScans({ owner, account: harness.account, value: 'A', page: number });
  const readAll = async () => {
    const ids: string[] = [];
    for (let number = 0; ; number += 1) {
      const read = await page(number);
      ids.push(...read.scans.map((scan) => scan.id!));
      if (!read.older) return ids;
    }
  };
  return { desk, page, readAll, asked: () => harness.countOf('scans/retrieve') };
}

const descending = (count: number) => Array.from({ length: count }, (_, n) => ({ id: count - n, at: count - n }));
const idsOf = (scans: readonly { id: number }[]) => scans.map((scan) => String(scan.id));

describe('more scans', () => {
  it.each([
    [0, 0],
    [1, 0],
    [pageSize, 0],
    [pageSize + 1, 1],
    [50, 0],
    [51, 1],
    [137, 0],
    [137, 1],
    [455, 1],
  ] as const)('All scans shows each of %i scans once, with offsets counted from %i', async (count, first) => {
    const scans = descending(count);
    const { readAll } = await start(scans, { first });
    expect(await readAll()).toEqual(idsOf(scans));
  });

  it('All scans turns pages without a call until all scans that were read are shown', async () => {
    const { page, asked } = await start(descending(137));
    for (const number of [0, 1, 2, 3, 4, 2, 1, 0]) await page(number);
    expect(asked()).toBe(1);
    await page(5);
    expect(asked()).toBe(2);
  });

  it('All scans starts with the scans that the lookup read', async () => {
    const { desk, page, asked } = await start(descending(137));
    await desk.lookup({ owner, account: harness.account, value: 'A' });
    const read = await page(0);
    expect(read).toMatchObject({ older: true, summary: { exact: false, total: 51 } });
    expect(asked()).toBe(1);
  });

  it('All scans omits and repeats no scan when new scans arrive between two pages', async () => {
    const scans = descending(137);
    const before = idsOf(scans);
    const { page } = await start(scans);
    const ids: string[] = [];
    for (let number = 0; number < 14; number += 1) {
      const read = await page(number);
      ids.push(...read.scans.map((scan) => scan.id!));
      scans.unshift({ id: 1000 + number, at: 1000 + number });
    }
    expect(ids).toEqual(before);
  });

  it('All scans reads all scans again when too many new ones arrived to join the pages', async () => {
    const scans = descending(120);
    const { page } = await start(scans);
    await page(0);
    scans.unshift(...Array.from({ length: 200 }, (_, n) => ({ id: 2000 - n, at: 2000 - n })));
    const read = await page(5);
    expect(read.scans).toHaveLength(pageSize);
    expect(new Set(read.scans.map((scan) => scan.id)).size).toBe(pageSize);
    expect(read.scans.map((scan) => scan.id)).toEqual(idsOf(scans.slice(50, 60)));
  });

  it('All scans still shows each remaining scan once when scans were deleted between two pages', async () => {
    const scans = descending(137);
    const { page } = await start(scans);
    await page(0);
    scans.splice(0, 30);
    const ids: string[] = [];
    for (let number = 5; number < 14; number += 1) ids.push(...(await page(number)).scans.map((scan) => scan.id!));
    expect(ids).toEqual(idsOf(descending(87)));
  });

  it('All scans stops if the account always sends the same page', async () => {
    const same = descending(400);
    const { page, asked } = await start(same.slice(0, 60), {});
    harness.onWire(({ operation, variables }) =>
      operation === 'scans/retrieve'
        ? scansXml(Array.from({ length: Number(variables.get('limit')) }, (_, n) => same[n % 55]!))
        : undefined,
    );
    const read = await page(5);
    expect(read.scans.length).toBeLessThanOrEqual(pageSize);
    expect(asked()).toBeLessThan(8);
  });

  it('All scans says how many scans there are in all', async () => {
    const { page } = await start(descending(12));
    expect(await page(1)).toMatchObject({ older: false, summary: { exact: true, total: 12 }, scans: { length: 2 } });
  });

  it('All scans says why the account gave no answer', async () => {
    const { page } = await start([]);
    harness.onWire(() => 'reset');
    await expect(page(0)).rejects.toMatchObject({ code: 'account.unreachable' });
  });

  it('a page of All scans is at least as fresh as its card, and shows its age', async () => {
    const clock = movedClock(0);
    const scans = descending(12);
    const { asked, desk } = await start(scans, { clock });
    const { account } = harness;
    const first = await desk.moreScans({ owner, account, value: 'A', page: 0 });
    scans.unshift({ id: 13, at: 13 });
    clock.move(4 * 60_000);
    const again = await desk.moreScans({ owner, account, value: 'A', page: 0, notBefore: first.asOf });
    expect([again.asOf, again.scans[0]?.id, asked()]).toEqual([first.asOf, '12', 1]);
    const cardOf = clock.now();
    const young = await desk.moreScans({ owner, account, value: 'A', page: 0, notBefore: cardOf });
    expect([young.asOf >= cardOf, young.scans[0]?.id, asked()]).toEqual([true, '13', 2]);
  });

  it('a page of All scans comes from the copy of its card, and from the account past that copy’s end or age', async () => {
    const { asked } = await start(descending(40));
    const { account, db, scans } = harness;
    const copy = { connection: 7, round: 1, at: 5_000, fullAt: 5_000, since: 0, days: 90 };
    const other = { id: '', name: '' };
    const inCopy = descending(25).map(({ at }) => ({ id: at + 15, at: Date.UTC(2026, 2, 1, 12) + (at + 15) * 1_000 }));
    await db
      .insertInto('account_scans')
      .values(
        inCopy.map(({ id, at }) => {
          const record: Partial<RecordedScan> = {
            ...{ id: String(id), value: 'A', status: 'valid', result: 'ok', answers: [], properties: [] },
            ...{ service: other, user: other, device: other, timestamp: new Date(at).toISOString() },
          };
          const row = {
            connection: 7,
            scan_id: String(id),
            key: scanKey('A'),
            at,
            scanned_at: at,
            modified_at: at,
            round: 1,
          };
          return { ...row, service: '2', user_id: '3', record: JSON.stringify(record) };
        }) as never,
      )
      .execute();
    const desk = createLookups({ clock: systemClock, scans, mirror: { scansCopy: async () => copy } as never });
    const page = (number: number, notBefore: number) =>
      desk.moreScans({ owner, account, value: 'A', page: number, notBefore });
    const ids = async (number: number, notBefore: number) => {
      const read = await page(number, notBefore);
      return { asOf: read.asOf, ids: read.scans.map(({ id }) => id) };
    };
    const all = idsOf(descending(40));
    expect(await ids(0, 5_000)).toEqual({ asOf: 5_000, ids: all.slice(0, 10) });
    expect(await ids(1, 5_000)).toEqual({ asOf: 5_000, ids: all.slice(10, 20) });
    expect(asked()).toBe(0);
    const behind = await ids(2, 5_000);
    expect([behind.asOf > 5_000, behind.ids, asked()]).toEqual([true, all.slice(20, 30), 1]);
    const young = await ids(0, 5_001);
    expect([young.asOf > 5_000, young.ids]).toEqual([true, all.slice(0, 10)]);
  });
});
