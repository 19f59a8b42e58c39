import { describe, expect, it } from 'vitest';
import { AccountError, type Database, type DatabaseValue } from '../../src/codereadr/types.js';
import { findingOf } from '../../src/lookup/finding.js';
import { certain } from './ages.js';

const tickets: Database = { id: '7', name: 'Tickets', serviceIds: [], caseSensitive: false };
const strict: Database = { id: '8', name: 'Strict', serviceIds: [], caseSensitive: true };
const listed = [tickets, strict];

const row = (value: string, valid = true, response = ''): DatabaseValue => ({ value, valid, response });
const found = (databaseId: string, ...rows: DatabaseValue[]) => ({
  databaseId,
  rows: { ok: true as const, value: rows },
  ...certain(5),
});
const failed = (databaseId: string, error: AccountError) => ({
  ...{ databaseId, rows: { ok: false as const, error }, ...certain(5) },
});

describe('what a database says of a barcode', () => {
  it('a finding has a barcode’s validity and response', () => {
    expect(findingOf(found('7', row('A1', false, 'Already in')), 'A1', listed)).toEqual({
      kind: 'known',
      database: { id: '7', name: 'Tickets' },
      value: 'A1',
      valid: false,
      response: 'Already in',
      ...certain(5),
    });
  });

  it('a finding has the database’s own spelling where the database ignores case', () => {
    expect(findingOf(found('7', row('ABC')), 'abc', listed)).toMatchObject({ kind: 'known', value: 'ABC' });
  });

  it('a finding is the exact spelling of the barcode if the database’s answer has several spellings', () => {
    const rows = [row('ABC', false), row('Abc', false), row('abc', true)];
    expect(findingOf(found('8', ...rows), 'abc', listed)).toMatchObject({ kind: 'known', value: 'abc', valid: true });
  });

  it('another spelling is only listed as a similar value where the database distinguishes case', () => {
    expect(findingOf(found('8', row('ABC')), 'abc', listed)).toMatchObject({ kind: 'unknown', similar: ['ABC'] });
  });

  it('a finding is never a value that differs from the barcode in more than case', () => {
    expect(findingOf(found('7', row('123')), '00123', listed)).toMatchObject({ kind: 'unknown', similar: ['123'] });
  });

  it('a finding has the requested barcode if the answer lacks only a character that XML cannot carry', () => {
    expect(findingOf(found('7', row('01A10B')), '01A\u001d10B', listed)).toMatchObject({
      kind: 'known',
      value: '01A\u001d10B',
    });
  });

  it('a finding is not valid if one of several rows with the same text is not valid', () => {
    const rows = [row('01A10B', true, 'Bin 7'), row('01A10B', false, 'Recalled')];
    for (const asked of ['01A\u001d10B', '01A10B']) {
      for (const told of [rows, rows.toReversed()]) {
        expect(findingOf(found('7', ...told), asked, listed)).toMatchObject({ value: asked, response: 'Recalled' });
      }
    }
  });

  it('a finding for a database that failed says that the database failed, and gives the reason', () => {
    const error = new AccountError('account.slow', 'slow');
    expect(findingOf(failed('7', error), 'A1', listed)).toEqual({
      kind: 'failed',
      database: { id: '7', name: 'Tickets' },
      ...{ ...certain(5), whole: false, failure: { code: 'account.slow' } },
    });
  });

  it.each(['204', '270'])('a database that the account no longer has gives no finding (%s)', (apiCode) => {
    const error = new AccountError('account.refused', 'no', { apiCode });
    expect(findingOf(failed('9', error), 'A1', listed)).toBeUndefined();
  });

  it('a finding names a database by its ID where its name is unknown', () => {
    expect(findingOf(found('7'), 'A1', undefined)).toMatchObject({ database: { id: '7', name: '7' } });
  });
});
