import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listPageSize, listScans, listUploads, type PageEnd, scanById } from '../../src/lookup/index.js';
import { type DeskHarness, startDesk } from '../lookup/harness.js';

describe('the account’s scans as a list', () => {
  let desk: DeskHarness;
  beforeAll(async () => {
    desk = await startDesk();
  });
  afterAll(() => desk.close());

  it('the account’s scans are listed newest first, with one call a page, each scan once', async () => {
    const seen: string[] = [];
    const times: number[] = [];
    let end: PageEnd | undefined;
    const before = desk.countOf('scans/retrieve');
    for (let page = 1; page <= 6; page += 1) {
      const told = await listScans(desk.account, {}, end);
      expect(told.items).toHaveLength(listPageSize);
      seen.push(...told.items.map(({ id }) => id!));
      times.push(...told.items.map(({ at }) => at!));
      end = told.end;
    }
    expect(new Set(seen).size).toBe(60);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(desk.countOf('scans/retrieve')).toBe(before + 6);
    expect(desk.calls.every(({ operation }) => operation === 'scans/retrieve')).toBe(true);
  });

  it('the account’s scans can be listed by a part of the barcode, or for one service, user or device', async () => {
    const { items } = await listScans(desk.account, { holds: 'HLF-0000' }, undefined);
    expect(items.length).toBeGreaterThan(0);
    expect(items.every(({ value }) => value.includes('HLF-0000'))).toBe(true);
    const [one] = items;
    for (const filter of [{ serviceId: one!.service.id }, { userId: one!.user.id }, { deviceId: one!.device.id }]) {
      const told = await listScans(desk.account, filter, undefined);
      const kind = Object.keys(filter)[0]!.replace('Id', '') as 'service' | 'user' | 'device';
      expect(new Set(told.items.map((scan) => scan[kind].id))).toEqual(new Set(Object.values(filter)));
    }
    expect(await scanById(desk.account, one!.id!)).toMatchObject({ id: one!.id, value: one!.value });
    expect(await scanById(desk.account, '999999')).toBeUndefined();
  });

  it('the account’s uploads are listed page by page, each once, and an upload’s scans can be listed', async () => {
    const seen: string[] = [];
    let end: PageEnd | undefined;
    do {
      const told = await listUploads(desk.account, {}, end);
      seen.push(...told.items.map(({ id }) => id));
      end = told.end;
    } while (end);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThan(0);
    const { items } = await listScans(desk.account, { uploadId: seen[0]! }, undefined);
    expect(items.length).toBeGreaterThan(0);
  });
});
