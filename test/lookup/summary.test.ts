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

describe('duplicates at a glance', () => {
  it('duplicates at a glance count every scan, with the first and the last, where all were read', () => {
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

  it('duplicates at a glance say at least how many, and no first, where not all were read', () => {
    expect(summarise([scan('valid', 9), scan('valid', 8)], false, undefined)).toEqual({
      read: 2,
      total: 2,
      exact: false,
      valid: 2,
      invalid: 0,
      lastAt: 9,
    });
  });

  it('duplicates at a glance take the total from the account where it told more than it sent', () => {
    expect(summarise([scan('valid', 9)], false, 400)).toMatchObject({ read: 1, total: 400, exact: true });
  });

  it('duplicates at a glance leave out times that are none', () => {
    expect(summarise([scan('valid')], true, undefined)).toEqual({
      read: 1,
      total: 1,
      exact: true,
      valid: 1,
      invalid: 0,
    });
  });

  it('duplicates at a glance are none where there was no scan', () => {
    expect(summarise([], true, undefined)).toEqual({ read: 0, total: 0, exact: true, valid: 0, invalid: 0 });
  });
});
