/** The times of scans that clocks got wrong, as the copy of the account reads them. */
import { expect, it } from 'vitest';
import type { RecordedScan } from '../../src/codereadr/types.js';
import { readChanges, type ScanPass } from '../../src/mirror/passes/scan-pass.js';
import { dated } from '../../src/scans/account/account-scan-rows.js';

const now = Date.UTC(2026, 2, 1, 12);
const recorded = (id: string, more: Partial<RecordedScan>): RecordedScan => ({
  ...{ id, value: 'A', status: 'valid', result: '', timestamp: '2026-03-01 11:00:00', answers: [], properties: [] },
  ...{ device: { id: '1', name: '' }, service: { id: '2', name: '' }, user: { id: '3', name: '' } },
  ...more,
});

it('a scan modified in the future does not move the mirror’s position among changes past the present', async () => {
  const scans = [
    recorded('1', { timestampModified: '2026-03-01 11:59:00' }),
    recorded('2', { timestampModified: '2026-03-01 18:00:00' }),
  ];
  const pass = {
    clock: { now: () => now },
    scans: { changeNumber: async () => 0, put: async () => undefined },
    share: { run: async (_: unknown, work: (options: object) => unknown) => work({}) },
    account: { client: { call: async () => ({ scans, count: scans.length }) } },
    ...{ mirrorId: 1, round: () => 1, since: 0 },
  } as unknown as ScanPass;
  expect(await readChanges(pass, now - 60 * 60_000, 1_000)).toBe(now);
});

it('a scan without a readable time counts at the account’s time of change, whenever it is read', () => {
  const scan = recorded('1', { timestamp: '0000-00-00 00:00:00', timestampModified: '2026-02-01 09:00:00' });
  expect(dated(scan, now).at).toBe(Date.UTC(2026, 1, 1, 9));
  expect(dated(scan, now + 60_000).at).toBe(Date.UTC(2026, 1, 1, 9));
});
