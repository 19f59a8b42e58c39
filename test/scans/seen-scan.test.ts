import { describe, expect, it } from 'vitest';
import { accountTime } from '../../src/codereadr/account-time.js';
import type { RecordedScan } from '../../src/codereadr/types.js';
import type { ScanRecord } from '../../src/scans/index.js';
import { type AccountNames, fromAccount, seen } from '../../src/scans/seen-scan.js';

const recorded: RecordedScan = {
  id: '5',
  value: '00123',
  status: 'valid',
  result: 'Welcome',
  timestamp: '2026-03-08 02:30:00',
  device: { id: '1', name: 'Scanner' },
  service: { id: '2', name: 'Gate' },
  user: { id: '3', name: 'anna' },
  answers: [
    { questionId: '9', question: 'How many?', answer: '2' },
    { questionId: '10', question: '', answer: 'x' },
  ],
  properties: [{ name: 'gps_location', value: '48.1,11.5' }],
};

const received: ScanRecord = {
  ...{ id: 's1', relayId: 'r', owner: { installation: 'T1', team: 'T1' }, receivedAt: Date.UTC(2026, 2, 8, 2, 31) },
  ...{ tid: '00123', sid: '2', userid: '3', udid: 'U-1', scannedAtUtc: '2026-03-08 02:30:00' },
  ...{ valid: false, text: 'Already in', answers: [], properties: [] },
};
const fromRelay = (names: AccountNames) =>
  seen(
    { id: 's1', at: Date.UTC(2026, 2, 8, 2, 30), value: '00123', received: [received] },
    { names, validators: [], secret: [] },
  );

describe('a time of the account', () => {
  it('a time of the account is read as UTC, also in New York’s skipped hour', () => {
    expect(accountTime('2026-03-08 02:30:00')).toBe(Date.UTC(2026, 2, 8, 2, 30));
  });

  it.each(['', '0000-00-00 00:00:00', '2026-02-30 10:00:00', '2026-03-08', '08/03/2026 10:00'])(
    'a scan’s time is not invented from the account’s text %j',
    (text) => {
      expect(accountTime(text)).toBeUndefined();
    },
  );
});

describe('a scan on a card', () => {
  it('a scan on a card shows the account’s record, with the place and every answer', () => {
    expect(fromAccount(recorded)).toMatchObject({
      id: '5',
      source: 'account',
      value: '00123',
      at: Date.UTC(2026, 2, 8, 2, 30),
      place: { latitude: 48.1, longitude: 11.5 },
      answers: [
        { question: 'How many?', answer: '2' },
        { question: '10', answer: 'x' },
      ],
    });
  });

  it('a scan on a card shows an unreadable time as the account’s text', () => {
    const scan = fromAccount({ ...recorded, timestamp: 'yesterday' });
    expect(scan.at).toBeUndefined();
    expect(scan.atText).toBe('yesterday');
  });

  it('a scan on a card shows the relay’s record, with names instead of IDs', () => {
    const names = {
      services: [{ id: '2', name: 'Gate', validationMethod: 'postback', userIds: [], questionIds: [] }],
      users: [{ id: '3', username: 'anna', serviceIds: [] }],
      devices: [{ id: '1', udid: 'U-1', name: 'Scanner' }],
    };
    expect(fromRelay(names)).toMatchObject({
      source: 'relay',
      status: 'invalid',
      result: 'Already in',
      service: { id: '2', name: 'Gate' },
      user: { id: '3', name: 'anna' },
      device: { id: '1', name: 'Scanner' },
    });
  });

  it.each([
    ['only a relay received', undefined],
    ['the account recorded as valid', { ...recorded, status: 'valid' as const }],
  ])('a scan that %s is shown as not checked where the relay admitted the scan unchecked', (_, record) => {
    const admitted = { ...received, valid: true, finding: 'unknown_accepted', givenStatus: '-1' };
    const scan = {
      ...{ id: 's1', at: admitted.receivedAt, value: '00123', received: [admitted] },
      ...(record ? { recorded: record } : {}),
    };
    const names = { services: [], users: [], devices: [] };
    expect(seen(scan, { names, validators: [{ id: 'r' }], secret: [] })).toMatchObject({
      ...{ status: 'not_validated', admitted: true, validatedBy: 'r' },
    });
  });

  it('a scan on a card shows IDs where names are unknown', () => {
    const scan = fromRelay({ services: [], users: [], devices: [] });
    expect([scan.service.name, scan.user.name, scan.device.name]).toEqual(['2', '3', 'U-1']);
  });
});
