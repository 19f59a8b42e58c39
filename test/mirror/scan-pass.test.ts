import { expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { AccountError } from '../../src/codereadr/types.js';
import { readAll, type ScanPass } from '../../src/mirror/passes/scan-pass.js';

const stored = Array.from({ length: 900 }, (_, n) => ({
  ...{ id: String(n + 1), value: `0${n}`, status: 'valid', result: '', timestamp: '2026-03-01 10:00:00' },
  ...{ device: {}, service: {}, user: {}, answers: [], properties: [] },
}));

it('a full reading that starts again with smaller pages counts each scan once', async () => {
  const progress: number[] = [];
  const asked: number[] = [];
  const call = async (_: unknown, { limit, offset = 0 }: { limit: number; offset?: number }) => {
    asked.push(limit);
    if (limit > 300 && offset > 0) {
      throw new AccountError('account.slow', 'this page takes too long');
    }
    const scans = stored.slice(offset, offset + limit);
    return { count: scans.length, scans };
  };
  const pass = {
    ...{ clock: systemClock, account: { client: { call } }, mirrorId: 1, round: () => 1, since: 0 },
    share: { run: (_: unknown, work: (options: object) => unknown) => work({}) },
    scans: { changeNumber: async () => 0, put: async () => undefined },
  } as unknown as ScanPass;
  const { size } = await readAll(pass, 400, async (read) => progress.push(read));
  expect(Math.min(...asked)).toBeLessThan(300);
  expect(size).toBe(stored.length);
  expect(progress.at(-1)).toBe(stored.length);
});
