import { describe, expect, it } from 'vitest';
import { AccountError, type Database, type DatabaseValue } from '../../src/codereadr/types.js';
import { findingOf } from '../../src/lookup/finding.js';

const tickets: Database = { id: '7', name: 'Tickets', serviceIds: [], caseSensitive: false };
const strict: Database = { id: '8', name: 'Strict', serviceIds: [], caseSensitive: true };
const listed = [tickets, strict];

const row = (value: string, valid = true, response = ''): DatabaseValue => ({ value, valid, response });
const found = (databaseId: string, ...rows: DatabaseValue[]) => ({
  databaseId,
  rows: { ok: true as const, value: rows },
});
const failed = (databaseId: string, error: AccountError) => ({ databaseId, rows: { ok: false as const, error } });

describe('what a database says of a barcode', () => {
  it('what a database says of a barcode is its validity and its response', () => {
    expect(findingOf(found('7', row('A1', false, 'Already in')), 'A1', listed)).toEqual({
      kind: 'known',
      database: { id: '7', name: 'Tickets' },
      value: 'A1',
      valid: false,
      response: 'Already in',
    });
  });

  it('what a database says of a barcode is told in its own spelling where it ignores case', () => {
    expect(findingOf(found('7', row('ABC')), 'abc', listed)).toMatchObject({ kind: 'known', value: 'ABC' });
  });

  it('what a database says of a barcode is the exact spelling where there are several, wherever it comes in the answer', () => {
    const rows = [row('ABC', false), row('Abc', false), row('abc', true)];
    expect(findingOf(found('8', ...rows), 'abc', listed)).toMatchObject({ kind: 'known', value: 'abc', valid: true });
  });

  it('a database’s answer is never another spelling where case counts: that is worth a look, not a match', () => {
    expect(findingOf(found('8', row('ABC')), 'abc', listed)).toMatchObject({ kind: 'unknown', similar: ['ABC'] });
  });

  it('what a database says of a barcode is never a value that differs in more than case', () => {
    expect(findingOf(found('7', row('123')), '00123', listed)).toMatchObject({ kind: 'unknown', similar: ['123'] });
  });

  it('what a database says of a barcode is the barcode as it was asked where only XML changed it', () => {
    expect(findingOf(found('7', row('01A10B')), '01A\u001d10B', listed)).toMatchObject({
      kind: 'known',
      value: '01A\u001d10B',
    });
  });

  it('what a database says of a barcode is the one that is not valid where several rows read the same, whichever comes first', () => {
    const rows = [row('01A10B', true, 'Bin 7'), row('01A10B', false, 'Recalled')];
    for (const asked of ['01A\u001d10B', '01A10B']) {
      for (const told of [rows, rows.toReversed()]) {
        expect(findingOf(found('7', ...told), asked, listed)).toMatchObject({ value: asked, response: 'Recalled' });
      }
    }
  });

  it('what a database says of a barcode is that it gave no answer, and why, when it failed', () => {
    const error = new AccountError('account.slow', 'slow');
    expect(findingOf(failed('7', error), 'A1', listed)).toEqual({
      kind: 'failed',
      database: { id: '7', name: 'Tickets' },
      why: { code: 'account.slow' },
    });
  });

  it.each(['204', '270'])('a database that the account no longer has says nothing of a barcode (%s)', (apiCode) => {
    const error = new AccountError('account.refused', 'no', { apiCode });
    expect(findingOf(failed('9', error), 'A1', listed)).toBeUndefined();
  });

  it('what a database says of a barcode names a database by its id where its name is not known', () => {
    expect(findingOf(found('7'), 'A1', undefined)).toMatchObject({ database: { id: '7', name: '7' } });
  });
});
