import { describe, expect, it } from 'vitest';
import type { SeenScan } from '../../src/lookup/index.js';
import { summarise } from '../../src/lookup/summary.js';

const nobody = { id: '', name: '' };
const scan = (status: SeenScan['status'], at?: number): SeenScan => ({
  source: 'account',
  value: 'A',
  status,
  result: '',
  ...(at === undefined ? {} : { at }),
  atText: '',
  service: nobody,
  device: nobody,
  user: nobody,
  answers: [],
});

describe('the summary of a barcode’s scans', () => {
  it('the summary of a barcode’s scans counts every scan, with the first and the last, if all were read', () => {
    const scans = [scan('invalid', 3000), scan('valid', 2000), scan('not_validated', 1000)];
    expect(summarise(scans, true, undefined)).toEqual({
      read: 3,
      total: 3,
      exact: true,
      valid: 1,
      invalid: 1,
      firstAt: 1000,
      lastAt: 3000,
    });
  });

  it('the summary of a barcode’s scans is inexact, and has no first scan, if not all scans were read', () => {
    expect(summarise([scan('valid', 9), scan('valid', 8)], false, undefined)).toEqual({
      read: 2,
      total: 2,
      exact: false,
      valid: 2,
      invalid: 0,
      lastAt: 9,
    });
  });

  it('the summary of a barcode’s scans takes the total from the account if it states more than it sent', () => {
    expect(summarise([scan('valid', 9)], false, 400)).toMatchObject({ read: 1, total: 400, exact: true });
  });

  it('the summary of a barcode’s scans leaves out times that cannot be read', () => {
    expect(summarise([scan('valid')], true, undefined)).toEqual({
      read: 1,
      total: 1,
      exact: true,
      valid: 1,
      invalid: 0,
    });
  });

  it('the summary of a barcode without a scan counts 0 scans, and has no first or last scan', () => {
    expect(summarise([], true, undefined)).toEqual({ read: 0, total: 0, exact: true, valid: 0, invalid: 0 });
  });
});
