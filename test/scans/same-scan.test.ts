import { describe, expect, it } from 'vitest';
import { isSameScan, pairScans } from '../../src/scans/same-scan.js';

const at = Date.UTC(2026, 2, 1, 12);
const recorded = (more: object = {}) => ({
  ...{ id: '5', value: 'A', service: { id: '1', name: 'Gate' }, timestamp: '2026-03-01 12:00:00' },
  ...more,
});
const received = (more: object = {}) => ({ scanId: '5', serviceId: '1', value: 'A', at, ...more });

describe('a scan of the account and one of a relay', () => {
  it.each([
    ['have one id, barcode and second', {}, {}, true],
    ['have one id and barcode, and the relay’s came within the second', {}, { at: at + 999 }, true],
    ['have one id, and another barcode', {}, { value: 'B' }, false],
    ['have one id, and the barcode in another case', {}, { value: 'a' }, false],
    ['have one id and barcode, and another second', {}, { at: at + 1_000 }, false],
    ['have one id and barcode, and the device said no time', {}, { at: at + 60_000, undated: true }, true],
    ['have one id and barcode, and the account’s time cannot be read', { timestamp: '' }, { at: at + 60_000 }, true],
    ['have another id in the same second', {}, { scanId: '6' }, false],
    ['have one id, and a barcode whose separators the account’s answer lacks', {}, { value: '\u001dA' }, true],
    ['are of one service and second, and the relay’s has no id', {}, { scanId: undefined }, true],
    ['are of two services, and the relay’s has no id', {}, { scanId: undefined, serviceId: '2' }, false],
    ['are of two seconds, and the relay’s has no id', {}, { scanId: undefined, at: at + 1_000 }, false],
    ['have neither an id nor a time in common', { timestamp: '' }, { scanId: undefined }, false],
  ])('that %s: one scan is %s', (_, account, relay, isSame) => {
    expect(isSameScan(recorded(account), received(relay))).toBe(isSame);
    const one = recorded(account);
    const other = received(relay);
    const { recordOf, covered } = pairScans([one], [other]);
    expect([recordOf.get(one) === other, covered.has(other)]).toEqual([isSame, isSame]);
  });

  it('pair one to one where the relay’s have no ids, so that none of one second is lost', () => {
    const mine = [received({ scanId: undefined }), received({ scanId: undefined }), received({ scanId: undefined })];
    expect(pairScans([recorded(), recorded({ id: '6' })], mine).covered).toEqual(new Set(mine.slice(0, 2)));
  });

  it('cover each of the relay’s records of one scan that came twice', () => {
    const twice = [received(), received()];
    expect(pairScans([recorded()], twice).covered).toEqual(new Set(twice));
  });
});
