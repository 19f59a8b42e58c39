import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FaultState } from '../../../src/sandbox/codereadr/api.js';
import { sampleKeys } from '../../../src/sandbox/codereadr/index.js';
import { type Harness, readAnswer, startService } from './harness.js';

let h: Harness;
beforeEach(async () => {
  h = await startService({ prefix: '/account', limits: { minute: 30, day: 100 } });
});
afterEach(() => h.close());

const set = async (faults: Partial<FaultState>) => (await h.json('POST', '/scanner/faults', faults)).body as FaultState;
const ask = (operation = 'limits/retrieve') => {
  const [section = '', action = ''] = operation.split('/');
  return fetch(h.api, { method: 'POST', body: new URLSearchParams({ section, action, api_key: sampleKeys.demo }) });
};

describe('faults', () => {
  it('a requested fault happens as often as requested, for the requested operation, and then no more', async () => {
    await set({ next: [{ operation: 'users/retrieve', times: 2, as: '500' }] });
    const statuses: number[] = [];
    for (const operation of ['limits/retrieve', 'users/retrieve', 'users/retrieve', 'users/retrieve']) {
      statuses.push((await ask(operation)).status);
    }
    expect(statuses).toEqual([200, 500, 500, 200]);
  });

  it.each([
    ['html', 200, /^<!DOCTYPE html>/],
    ['500', 500, /^<!DOCTYPE html>/],
    ['empty', 200, /^$/],
    ['truncated', 200, /^<\?xml(?![\s\S]*<\/xml>)/],
    ['refused', 200, /<error code="2">/],
    ['slow', 200, /<minute /],
  ] as const)(
    'a call with the requested fault %s is answered with status %i and a body that matches %s',
    async (as, status, body) => {
      await set({ next: [{ times: 1, as, delay_ms: 20 }] });
      const response = await ask();
      expect(response.status).toBe(status);
      expect(await response.text()).toMatch(body);
    },
  );

  it('a call with the requested fault reset breaks its connection, and the next call is answered', async () => {
    await set({ next: [{ times: 1, as: 'reset' }] });
    await expect(ask()).rejects.toThrow();
    expect((await ask()).status).toBe(200);
  });

  it('a call with the requested fault refused gets the requested error code and changes nothing', async () => {
    await set({ next: [{ times: 1, as: 'refused', code: '1019' }] });
    expect((await h.call('users/delete', { user_id: '702' })).code).toBe('1019');
    expect((await h.ok('users/retrieve', { user_id: '702' })).all('user').length).toBe(1);
  });

  it('a requested fault of a refused key or a free plan lasts until it is switched off', async () => {
    await set({ api_key_refused: true });
    expect((await h.call('limits/retrieve')).code).toBe('100');
    await set({ api_key_refused: false, free_plan: true });
    expect((await h.call('limits/retrieve')).code).toBe('10');
    await set({ free_plan: false });
    expect((await h.call('limits/retrieve')).status).toBe('1');
  });

  it('a requested fault can use up the account’s quota of a minute or a day, and lift either limit', async () => {
    expect(await set({ minute_left: 1 })).toMatchObject({ minute_left: 1, minute_limit: 30, day_left: 100 });
    expect((await h.call('limits/retrieve')).status).toBe('1');
    expect((await h.call('limits/retrieve')).code).toBe('111');
    await set({ minute_limit: -1, day_left: 0 });
    expect((await h.call('limits/retrieve')).code).toBe('113');
    expect(await set({ day_limit: -1 })).toMatchObject({ day_left: -1 });
    expect((await h.call('limits/retrieve')).status).toBe('1');
  });

  it('reading the requested faults uses up no call of the minute’s quota', async () => {
    await h.json('GET', '/scanner/faults');
    expect(((await h.json('GET', '/scanner/faults')).body as FaultState).minute_left).toBe(30);
  });

  it('a request for an unknown fault is refused with 400 and the name of the wrong field', async () => {
    const answer = await h.json('POST', '/scanner/faults', { next: [{ times: 0, as: 'explode' }] });
    expect(answer.status).toBe(400);
    expect((answer.body as { why: string }).why).toContain('next');
  });
});

describe('the service as a whole', () => {
  it('the embedded account owns the API’s and the scanner’s paths under its prefix, and no path elsewhere', () => {
    const { service } = h;
    expect(
      ['/account/api/', '/account/api/?x=1', '/account/barcode/api/', '/account/scanner/state'].map(service.owns),
    ).toEqual([true, true, true, true]);
    expect(['/api/', '/accounts/api/', '/account/', '/scanner/state'].map(service.owns)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('the embedded account writes no API key and no password to its file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'account-'));
    const file = join(folder, 'account.db');
    const own = await startService({ file, apiKey: 'canary-key-0123456789' });
    const canary = { api_key: 'canary-key-0123456789' };
    await own.ok('users/create', { ...canary, username: 'canary', password: 'canary-password-42' });
    await own.ok('users/validate', { ...canary, username: 'canary', password: 'canary-password-42' });
    expect((await own.call('limits/retrieve')).code).toBe('100');
    const state = (await own.json('GET', '/scanner/state')).body as { api_key: string };
    expect(state.api_key).toBe('canary-key-0123456789');
    await own.close();
    const bytes = ['', '-wal'].map((end) => (existsSync(file + end) ? readFileSync(file + end, 'latin1') : '')).join();
    expect(bytes).not.toContain('canary-key');
    expect(bytes).not.toContain('canary-password');
    rmSync(folder, { recursive: true });
  });

  it('two embedded accounts of one day have the same sample scans, and a restart keeps an added value', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'account-'));
    const options = { file: join(folder, 'account.db'), limits: { minute: -1, day: -1 } };
    const first = await startService(options);
    const [one, other] = await Promise.all([
      first.ok('scans/retrieve'),
      startService({ limits: { minute: -1, day: -1 } }),
    ]);
    expect(other.service.keys).toEqual(sampleKeys);
    expect(JSON.stringify(await other.ok('scans/retrieve'))).toBe(JSON.stringify(one));
    await other.close();
    await first.ok('databases/addvalue', { database_id: '1022', value: 'mine' });
    await first.close();
    const second = await startService(options);
    expect((await second.ok('databases/showvalues', { database_id: '1022', value: 'mine' })).all('value').length).toBe(
      1,
    );
    await second.close();
    rmSync(folder, { recursive: true });
  });

  it('an internal error of the embedded account is reported as code 2', async () => {
    await h.service.close();
    const answer = await readAnswer(await ask());
    expect([answer.status, answer.code]).toEqual(['0', '2']);
    h = await startService();
  });
});
